/**
 * search: a question asked with more than one look. The whole question and its clauses; once more with words of the best results, until that changes nothing; then what hangs beside good hits.
 * Deterministic and read-only.
 */
import type { FindQuery, FoundDocument } from "#domain";
import { type TimeWindow, timeWindowOf } from "#language";
import { besideHits, type SearchHit } from "./beside.ts";
import type { Asked } from "./candidates.ts";
import { feedbackWords } from "./feedback.ts";
import { retrievalLimits } from "./limits.ts";
import {
  ask,
  belowSuccessors,
  boundedLimit,
  exactFirst,
  type FinderDeps,
  lookUp,
  namedIn,
} from "./lookup.ts";
import { withReplaced } from "./replaced.ts";
import { oneForEach } from "./things.ts";
import { withPassages } from "./passages.ts";
import { windowByEvent } from "./event-words.ts";

export interface SearchResult {
  /** Best first (or newest first), at most the query's limit. */
  readonly hits: readonly SearchHit[];
  /** The parts the question was split into. */
  readonly clauses: readonly string[];
  /** Looks that followed the first. */
  readonly rounds: number;
}

/** A hit on a part of the question counts for less than one on the whole. */
const clauseWeight = 0.8;
/** docs/design/retrieval.md, "Search": the first extra round that changes nothing in the best results is the last. */
const roundsMax = 3;

/** Any string is a valid query. */
export function search(deps: FinderDeps, asGiven: FindQuery): SearchResult {
  const limit = boundedLimit(asGiven.limit);
  if (limit === 0) return { hits: [], clauses: [], rounds: 0 };
  // The pool is wider than the answer: what is lifted in the end has to be in it.
  const { minScore, ...wide } = { ...asGiven, limit: retrievalLimits.resultsMax };
  const query: FindQuery = { ...wide, sort: "relevance" };
  const asked = ask(deps, query.text);
  const clauses = clausesOf(query.text);
  const window = timeWindowOf(query.text, query.nowMs) ?? windowByEvent(deps, query);
  const { found: first, rounds } = converge(deps, query, { ...asked, window, limit });
  const direct = merged([
    ...withPassages(deps, first, asked.vector).map((document) => hitOf(document, 1, "query")),
    ...clauses.flatMap((text) =>
      lookUp(deps, { ...query, text }, ask(deps, text), window).map((document) =>
        hitOf(document, clauseWeight, "clause"),
      ),
    ),
  ]);
  const beside = besideHits(deps, direct, { query, vector: asked.vector });
  const all = belowSuccessors(merged([...direct, ...beside]), documentOf);
  const found = exactFirst(namedIn(deps, query), all, documentOf).toSorted(byScore);
  const things = oneForEach(found, limit).filter(({ score }) => score >= (minScore ?? 0));
  const hits = withReplaced(deps.nodes, things);
  return { hits: asGiven.sort === "date" ? hits.toSorted(byDate) : hits, clauses, rounds };
}

/** The whole question, and again with words of its best results, as long as that changes the first `limit`. */
function converge(
  deps: FinderDeps,
  query: FindQuery,
  asked: Asked & { readonly window: TimeWindow | null; readonly limit: number },
): { readonly found: readonly FoundDocument[]; readonly rounds: number } {
  const { limit, window } = asked;
  let found = lookUp(deps, query, asked, window);
  for (let round = 1; round <= roundsMax; round += 1) {
    const feedback = feedbackWords(deps.lexical, found, asked.terms.terms);
    if (feedback.length === 0) return { found, rounds: round - 1 };
    const next = lookUp(deps, query, { ...asked, terms: { ...asked.terms, feedback } }, window);
    const isSettled = topOf(next, limit) === topOf(found, limit);
    found = next;
    if (isSettled) return { found, rounds: round };
  }
  return { found, rounds: roundsMax };
}

const topOf = (found: readonly FoundDocument[], limit: number): string =>
  found
    .slice(0, limit)
    .map(({ uri }) => uri)
    .join("\n");

const documentOf = ({ document }: SearchHit): FoundDocument => document;

const hitOf = (document: FoundDocument, weight: number, via: SearchHit["via"]): SearchHit => ({
  document,
  score: document.score * weight,
  via,
});

/** Each document once, by its best score; best first, ties by URI. */
function merged(hits: readonly SearchHit[]): readonly SearchHit[] {
  const byUri = new Map<string, SearchHit>();
  for (const hit of hits) {
    const before = byUri.get(hit.document.uri);
    if (before === undefined || hit.score > before.score) byUri.set(hit.document.uri, hit);
  }
  return [...byUri.values()].toSorted(byScore);
}

const byScore = (a: SearchHit, b: SearchHit): number =>
  b.score - a.score || (a.document.uri < b.document.uri ? -1 : 1);

const byDate = (a: SearchHit, b: SearchHit): number =>
  b.document.atMs - a.document.atMs || byScore(a, b);

/** docs/design/retrieval.md: one to three sub-queries. */
const clausesMax = 3;
/** A part shorter than this many words says too little to be asked alone. */
const wordsMin = 2;

/** Each side of these could be a question of its own. A full stop ends a sentence only after a whole word ("Dr." does not). */
const ends = /[?!;\n]+|(?<=\p{L}{4})\.\s/u;
/** These also join words within one question: what follows must begin like a question of its own. */
const asks = "(?:what|where|when|why|how)\\s";
const asksAfterJoin = `(?:${asks}|(?:which|who|whom|whose)\\s|(?:do|does|did|is|are|was|were|has|have|can|could|should|would|will)\\s(?:i|we|you|he|she|it|they|there|the|this|that|these|our|my|a|an)\\s)`;
const joins = new RegExp(
  `,?\\s(?:and|or|but|then|plus)\\s(?=${asksAfterJoin})|,\\s(?=${asks})`,
  "iu",
);

/** The parts of a question, in order; empty when it is a single one. */
export function clausesOf(text: string): readonly string[] {
  const parts = text
    .split(ends)
    .flatMap((part) => part.split(joins))
    .map((part) => part.trim())
    .filter((part) => (part.match(/[\p{L}\p{N}]{2,}/gu)?.length ?? 0) >= wordsMin);
  return parts.length < 2 ? [] : parts.slice(0, clausesMax);
}
