/**
 * Candidates by words: BM25 over the rarest terms of the query, brought to 0 … 1 so that it can be fused with a cosine.
 * Must not know about vectors or nodes.
 */
import type { DocumentKind, FindFilters, LexicalIndex } from "#domain";
import {
  chooseTerms,
  type ChosenTerms,
  type CommonTerms,
  expandBelow,
  feedbackWeight,
  idf,
  idfMin,
  isCommon,
  noCommonTerms,
  type QueryTerms,
  readCommonTerms,
  retrievalLimits,
  saturation,
  synonymWeight,
} from "./limits.ts";

export interface LexicalCandidate {
  readonly id: number;
  /** From 1. */
  readonly rank: number;
  /** 0 to 1. */
  readonly score: number;
}

export interface LexicalCandidates {
  /** Best first; those that match expansions only stand below those that match words. */
  readonly candidates: readonly LexicalCandidate[];
  /** The terms that are still to be looked for in the documents themselves. */
  readonly common: CommonTerms;
}

export interface LexicalQuery {
  readonly terms: QueryTerms;
  /** Null = every document of the kind that is indexed. */
  readonly filters: FindFilters | null;
  /** Candidates wanted. */
  readonly depth: number;
}

export function lexicalCandidates(
  lexical: LexicalIndex,
  kind: DocumentKind,
  { terms, filters, depth }: LexicalQuery,
): LexicalCandidates {
  // A home has no documents of most kinds when it is young, or when it was filled by an import.
  if (lexical.frequencies(kind, [], null).documents === 0) return nothing;
  const chosen = chooseTerms(lexical, kind, terms.terms);
  const scores = new Map<number, number>();
  const add = (words: readonly string[], share: number): void => {
    if (words.length === 0) return;
    for (const hit of lexical.match(kind, words, filters, depth))
      scores.set(hit.id, (scores.get(hit.id) ?? 0) + share * hit.score);
  };
  add(chosen.ranked, 1 / chosen.scoreMax);
  for (const id of commonCandidates(lexical, kind, chosen, filters))
    if (!scores.has(id)) scores.set(id, 0);
  if (Math.max(0, ...scores.values()) < expandBelow)
    add(
      rareOf(lexical, kind, terms.synonyms, retrievalLimits.expandedMax).words,
      synonymWeight / chosen.scoreMax,
    );
  const feedback = rareOf(lexical, kind, terms.feedback);
  add(feedback.words, feedbackWeight / (saturation * Math.max(feedback.weight, idfMin)));
  return {
    candidates: [...scores]
      .map(([id, score]) => ({ id, score: Math.min(1, score) }))
      .toSorted((a, b) => b.score - a.score || a.id - b.id)
      .slice(0, depth + retrievalLimits.commonCandidatesMax)
      .map(({ id, score }, index) => ({ id, score, rank: index + 1 })),
    common: readCommonTerms(chosen),
  };
}

const nothing: LexicalCandidates = { candidates: [], common: noCommonTerms };

/**
 * Documents that hold two of the common terms, or the only one there is: they have no rank, so the newest of them
 * stand for all.
 */
function commonCandidates(
  lexical: LexicalIndex,
  kind: DocumentKind,
  { ranked, common }: ChosenTerms,
  filters: FindFilters | null,
): readonly number[] {
  const [rarest, ...others] = common;
  if (rarest === undefined) return [];
  const { commonCandidatesMax: limit } = retrievalLimits;
  const both =
    others.length === 0
      ? []
      : lexical.newest(kind, [rarest.forms, others.flatMap(({ forms }) => forms)], filters, limit);
  if (both.length > 0 || ranked.length > 0) return both;
  return lexical.newest(kind, [rarest.forms], filters, limit);
}

/** Expansions that are rare enough to say something here; their documents, within the bound of the query's own words. */
function rareOf(
  lexical: LexicalIndex,
  kind: DocumentKind,
  words: readonly string[],
  documentsMax = Infinity,
): { readonly words: readonly string[]; readonly weight: number } {
  if (words.length === 0) return { words: [], weight: 0 };
  const { documents, byTerm } = lexical.frequencies(kind, words, null);
  const { rankedMin, rankedPerRoot } = retrievalLimits;
  let left = Math.min(documentsMax, Math.max(rankedMin, rankedPerRoot * Math.sqrt(documents)));
  let weight = 0;
  const rare = words.filter((word) => {
    const count = byTerm.get(word) ?? 0;
    if (count === 0 || count > left || isCommon(count, documents)) return false;
    left -= count;
    weight += idf(count, documents);
    return true;
  });
  return { words: rare, weight };
}
