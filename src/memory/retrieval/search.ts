/**
 * Asks a question with more than one look: the whole question and its clauses; once more with words of the best results,
 * until that changes nothing; then what hangs beside good hits. Deterministic and read-only.
 */
import type { FindQuery, FoundDocument, LexicalIndex } from "#domain";
import { roughStem, stopWords, type TimeWindow, timeWindowOf } from "#language";
import { besideHits, type SearchHit } from "./beside.ts";
import type { Asked } from "./candidates.ts";
import { idf, isCommon, retrievalLimits } from "./limits.ts";
import { ask, belowSuccessors, boundedLimit, exactFirst, lookUp, namedIn } from "./lookup.ts";
import type { FinderContext } from "./candidates.ts";
import { withReplaced } from "./replaced.ts";
import { oneForEach } from "./things.ts";
import { withPassages } from "./nudges.ts";

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
export function search(deps: FinderContext, asGiven: FindQuery): SearchResult {
  const limit = boundedLimit(asGiven.limit);
  if (limit === 0) return { hits: [], clauses: [], rounds: 0 };
  // The pool is wider than the answer: what is lifted in the end has to be in it.
  const { minScore, ...wide } = { ...asGiven, limit: retrievalLimits.resultsMax };
  const query: FindQuery = { ...wide, sort: "relevance" };
  const asked = ask(deps, query.text);
  const clauses = clausesOf(query.text);
  const window = timeWindowOf(query.text, query.nowMs);
  const { found: first, rounds } = converge(deps, query, { ...asked, window, limit });
  const direct = merged([
    ...withPassages(deps.embedder, deps.weights, first, asked.vector).map((document) =>
      hitOf(document, 1, "query"),
    ),
    ...clauses.flatMap((text) =>
      lookUp(deps, { ...query, text }, ask(deps, text), window).map((document) =>
        hitOf(document, clauseWeight, "clause"),
      ),
    ),
  ]);
  const beside = besideHits(deps, direct, { query, vector: asked.vector });
  const all = belowSuccessors(merged([...direct, ...beside]), documentOf);
  const found = exactFirst(namedIn(deps, query), all, documentOf).toSorted(byScore);
  const things = oneForEach(found, limit, asGiven.text).filter(
    ({ score }) => score >= (minScore ?? 0),
  );
  const hits = withReplaced(deps.nodes, things);
  return { hits: asGiven.sort === "date" ? hits.toSorted(byDate) : hits, clauses, rounds };
}

/** The whole question, and again with words of its best results, as long as that changes the first `limit`. */
function converge(
  deps: FinderContext,
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

// Words of the first results, for a second look: what stands in several of the best answers, and in few other
// documents, is probably what the question is about. Reads counts, never documents.

/** docs/adr/0028 has the measurements: results read, and words taken from them. */
const resultsRead = 5;
const wordsTaken = 10;
/** Longer texts are about many things; their words lead astray. */
const textCharsMax = 600;
/** Words whose frequency is looked up: those that weigh most in the results themselves. */
const wordsCounted = 150;
/** A word that one document alone has finds nothing new, and one that half of them have tells nothing. */
const documentsMin = 2;
const idfLeast = 0.3;
const lettersMin = 3;
/** As in BM25: the second occurrence says less than the first. */
const occurrencesHalf = 1.2;

/** At most ten words that the query does not have, most telling first. */
function feedbackWords(
  lexical: LexicalIndex,
  bestFirst: readonly FoundDocument[],
  typed: readonly string[],
): readonly string[] {
  const [best] = bestFirst;
  if (best === undefined) return [];
  const known = new Set(typed.map(roughStem));
  const counted = [...weigh(bestFirst.slice(0, resultsRead))]
    .filter(([word]) => !known.has(roughStem(word)))
    .toSorted(heaviest)
    .slice(0, wordsCounted);
  const { documents, byTerm } = lexical.frequencies(
    best.kind,
    counted.map(([word]) => word),
    null,
  );
  return counted
    .flatMap(([word, weight]): Weighted[] => {
      const count = byTerm.get(word) ?? 0;
      const rarity = idf(count, documents);
      const tells = count >= documentsMin && rarity > idfLeast && !isCommon(count, documents);
      return tells ? [[word, weight * rarity]] : [];
    })
    .toSorted(heaviest)
    .slice(0, wordsTaken)
    .map(([word]) => word);
}

type Weighted = readonly [word: string, weight: number];

const heaviest = ([a, weightA]: Weighted, [b, weightB]: Weighted): number =>
  weightB - weightA || (a < b ? -1 : 1);

/** Each content word by how often it occurs, in better results more. One word per stem, as it occurred first. */
function weigh(results: readonly FoundDocument[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const wordByStem = new Map<string, string>();
  for (const { l0, score } of results) {
    if (l0.length > textCharsMax) continue;
    const counts = new Map<string, number>();
    for (const word of l0.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      if (word.length < lettersMin || stopWords.has(word)) continue;
      const stem = roughStem(word);
      const name = wordByStem.get(stem) ?? word;
      wordByStem.set(stem, name);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    for (const [word, count] of counts)
      weights.set(word, (weights.get(word) ?? 0) + (score * count) / (count + occurrencesHalf));
  }
  return weights;
}
