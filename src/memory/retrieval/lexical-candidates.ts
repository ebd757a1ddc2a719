/**
 * Candidates by words: BM25 over the rarest terms of the query, brought to 0 … 1 so that it can be fused with a cosine.
 * Must not know about vectors or nodes.
 */
import type { DocumentKind, FindFilters, LexicalIndex } from "#domain";
import { expandBelow, idfMin, retrievalLimits, saturation, synonymWeight } from "./limits.ts";
import { synonymsOf } from "./synonyms.ts";
import { stopWords } from "./stop-words.ts";
import { readWords } from "./words.ts";

export interface LexicalCandidate {
  readonly id: number;
  /** From 1. */
  readonly rank: number;
  /** 0 to 1. */
  readonly score: number;
}

/** Terms of a text, most telling first is not implied: the corpus decides that. */
export interface QueryTerms {
  readonly terms: readonly string[];
  readonly synonyms: readonly string[];
}

/** Content words of the query; when there are none ("who am I"), the small words must do. */
export function queryTerms(text: string): QueryTerms {
  const { content, plain } = readWords(text);
  const terms = content.length > 0 ? content : [...new Set(plain)];
  return { terms, synonyms: synonymsOf(plain.filter((word) => !stopWords.has(word))) };
}

/** Best first, at most `candidatesMax`; documents that match expansions only stand below those that match words. */
export function lexicalCandidates(
  lexical: LexicalIndex,
  kind: DocumentKind,
  terms: QueryTerms,
  filters: FindFilters,
): readonly LexicalCandidate[] {
  const chosen = chooseTerms(lexical, kind, terms.terms);
  const scores = new Map<number, number>();
  const add = (words: readonly string[], weight: number): void => {
    if (words.length === 0) return;
    for (const hit of lexical.match(kind, words, filters, retrievalLimits.candidatesMax))
      scores.set(hit.id, (scores.get(hit.id) ?? 0) + (weight * hit.score) / chosen.scoreMax);
  };
  add(chosen.match, 1);
  if (Math.max(0, ...scores.values()) < expandBelow)
    add(knownTerms(lexical, kind, terms.synonyms), synonymWeight);
  return [...scores]
    .map(([id, score]) => ({ id, score: Math.min(1, score) }))
    .toSorted((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, retrievalLimits.candidatesMax)
    .map(({ id, score }, index) => ({ id, score, rank: index + 1 }));
}

interface ChosenTerms {
  readonly match: readonly string[];
  /** What a document with all the terms would about score. */
  readonly scoreMax: number;
}

function chooseTerms(
  lexical: LexicalIndex,
  kind: DocumentKind,
  terms: readonly string[],
): ChosenTerms {
  const { documents, byTerm } = lexical.frequencies(kind, terms, null);
  const counted = terms
    .map((term) => ({ term, count: byTerm.get(term) ?? 0 }))
    .toSorted((a, b) => a.count - b.count);
  const known = counted.filter(({ count }) => count > 0);
  const rare = known.filter(({ count }) => !isCommon(count, documents));
  // A question of common words only still deserves an answer: its rarest two.
  const match = (rare.length > 0 ? rare : known.slice(0, 2)).slice(0, retrievalLimits.termsMax);
  // Words that no document has count as well: a document that has the rest is not the whole answer.
  const unknown = counted.slice(0, retrievalLimits.termsMax).filter(({ count }) => count === 0);
  const sum = [...match, ...unknown].reduce((all, { count }) => all + idf(count, documents), 0);
  return { match: match.map(({ term }) => term), scoreMax: saturation * Math.max(sum, idfMin) };
}

/** BM25's weight of a term, never below a floor so that a term in half of the documents is not worth nothing. */
const idf = (count: number, documents: number): number =>
  Math.max(idfMin, Math.log((documents - count + 0.5) / (count + 0.5)));

const isCommon = (count: number, documents: number): boolean =>
  documents >= retrievalLimits.commonDocumentsMin &&
  count > documents * retrievalLimits.commonShare;

/** Expansions that are rare enough to say something here. */
function knownTerms(
  lexical: LexicalIndex,
  kind: DocumentKind,
  words: readonly string[],
): readonly string[] {
  if (words.length === 0) return [];
  const { documents, byTerm } = lexical.frequencies(kind, words, null);
  return words.filter((word) => {
    const count = byTerm.get(word) ?? 0;
    return count > 0 && !isCommon(count, documents);
  });
}
