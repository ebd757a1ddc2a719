/** One look beside good hits in the tree: what hangs in the same small folder as an answer is often part of it. */
import { categoryRules } from "#domain";
import type { FindQuery, FoundDocument, MemoryNode, StoreDep } from "#domain";
import type { ExplanationJson } from "./json.ts";

/** A result on its way, with how it was reached. */
export interface Hit {
  readonly document: FoundDocument;
  readonly score: number;
  readonly via: ExplanationJson["via"];
}

/** Folders of this many best hits are looked into. */
const expandedHitsMax = 3;
/** A folder with more leaves than this says nothing about what they share. */
const leavesMax = 30;
/** 40-retrieval: 0.5·similarity + 0.3·relevance + 0.2·parent_score; a sibling did not match: similarity 0. */
const siblingScore = (relevance: number, parentScore: number): number =>
  0.3 * relevance + 0.2 * parentScore;

const categoryRoots: ReadonlySet<string> = new Set(
  Object.values(categoryRules).map(({ root }) => root),
);

/**
 * Active leaves beside the best hits, each scored at most as high as the lowest direct hit. Category roots are left
 * out: hanging under `mem://user/entities` relates nothing; hanging in one session's or one entity's folder does.
 * A narrowed question gets none: only the finder can judge its filters.
 */
export function siblingsOf(
  { store }: StoreDep,
  direct: readonly Hit[],
  query: FindQuery,
): readonly Hit[] {
  if (isNarrowed(query)) return [];
  const known = new Set(direct.map(({ document }) => document.uri));
  const lowest = Math.min(...direct.map(({ score }) => score));
  const beside: Hit[] = [];
  for (const { document, score } of direct.slice(0, expandedHitsMax)) {
    const parent = document.node?.parentUri ?? null;
    if (parent === null || categoryRoots.has(parent)) continue;
    const children = store.nodes.children(parent, { limit: leavesMax + 1, offset: 0 });
    if (children.length > leavesMax) continue;
    for (const node of children) {
      if (known.has(node.uri) || !belongs(node, query)) continue;
      known.add(node.uri);
      const capped = Math.min(siblingScore(node.relevance, score), lowest);
      beside.push({ document: besideOf(node, document.kind), score: capped, via: "sibling" });
    }
  }
  return beside.toSorted(orderOf(query.sort));
}

/** Best first (or latest first); ties by URI, so that the same store gives the same order. */
export const orderOf =
  (sort: FindQuery["sort"]) =>
  (a: Hit, b: Hit): number =>
    (sort === "date" ? b.document.atMs - a.document.atMs : 0) ||
    b.score - a.score ||
    (a.document.uri < b.document.uri ? -1 : 1);

const narrowing = [
  "categories",
  "tag",
  "file",
  "concept",
  "type",
  "session",
  "maker",
  "origin",
  "statuses",
  "sinceMs",
  "untilMs",
  "minScore",
] as const satisfies (keyof FindQuery)[];

const isNarrowed = (query: FindQuery): boolean =>
  narrowing.some((filter) => query[filter] !== undefined);

const belongs = (node: MemoryNode, { projects }: FindQuery): boolean =>
  node.nodeType === "leaf" &&
  node.status === "active" &&
  (projects === null || node.project === null || projects.includes(node.project));

const besideOf = (node: MemoryNode, kind: FoundDocument["kind"]): FoundDocument => ({
  kind,
  node,
  uri: node.uri,
  l0: node.l0,
  project: node.project,
  atMs: node.updatedAt,
  score: 0,
  explanation: { lexicalRank: null, lexical: 0, similarity: null, fused: 0, nudges: {} },
  supersededBy: null,
});
