/**
 * Search among memories as they stood. What says today what it said then is found as always; what said something else
 * is looked for by the words of then.
 */
import {
  nodeStatuses,
  type FindQuery,
  type FoundDocument,
  type MemoryNode,
  type StoreDep,
} from "#domain";
import { stemsOf, type SearchHit, type SearchResult } from "#memory";
import type { FinderDep } from "./deps.ts";
import { pastNodes } from "./past.ts";

/** Looked at among what is there today. */
const foundMax = 400;
/** A question's words in an old text count less than a place in the ranking. */
const wordsWeight = 0.8;

export function foundAsOf(
  { finder, store }: FinderDep & StoreDep,
  query: FindQuery,
  atMs: number,
): SearchResult {
  const {
    text,
    kinds: _kinds,
    limit,
    sort,
    minScore,
    homeProject: _h,
    nowMs: _now,
    ...filter
  } = query;
  const past = pastNodes(store, { filter, sort: "recent", atMs });
  const today = finder.find({
    ...query,
    kinds: ["memory"],
    statuses: nodeStatuses,
    limit: foundMax,
    sort: "relevance",
  });
  const known = new Map(today.flatMap((one) => (one.node === null ? [] : [[one.node.id, one]])));
  const asked = stemsOf(text);
  const hits = past
    .flatMap((node): readonly SearchHit[] => {
      const found = known.get(node.id);
      const isAsThen = found !== undefined && found.node?.l0 === node.l0;
      const score = isAsThen ? found.score : sharedOf(asked, node) * wordsWeight;
      if (score <= 0 || score < (minScore ?? 0)) return [];
      const document = isAsThen
        ? { ...found, node, uri: node.uri, supersededBy: null }
        : documentOf(node, score);
      return [{ document, score, via: "query" }];
    })
    .toSorted((a, b) => (sort === "date" ? b.document.atMs - a.document.atMs : b.score - a.score));
  return { hits: hits.slice(0, limit), clauses: [], rounds: 0 };
}

/** Share of the question's words that an old text holds. */
function sharedOf(asked: ReadonlySet<string>, { l0, l1, l2 }: MemoryNode): number {
  const said = stemsOf(`${l0}\n${l1 ?? ""}\n${l2 ?? ""}`);
  const shared = [...asked].filter((stem) => said.has(stem)).length;
  return asked.size === 0 ? 0 : shared / asked.size;
}

const documentOf = (node: MemoryNode, score: number): FoundDocument => ({
  kind: "memory",
  node,
  uri: node.uri,
  l0: node.l0,
  project: node.project,
  atMs: node.updatedAt,
  score,
  supersededBy: null,
  explanation: { lexicalRank: null, lexical: score, similarity: null, fused: score, nudges: {} },
});
