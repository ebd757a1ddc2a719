/** Every bound and constant of retrieval, with units and sources. */
import type { DocumentKind, LexicalIndex } from "#domain";
import { letterPairs, memoised, pictureWords } from "#kit";
import { otherForms, readWords, roughStem, stopWords, synonymsOf } from "#language";

export const retrievalLimits = {
  /**
   * Candidates per source before fusion, as a multiple of the results asked for and within bounds: of ten results, 200
   * instead of 100 would change one in six hundred and cost a third of the time (docs/adr/0027).
   */
  candidatesPerResult: 10,
  candidatesMin: 100,
  candidatesMax: 200,
  /** Nearest vectors taken when a filter will reject most of them; read lazily. */
  narrowCandidatesMax: 1_000,
  /**
   * Nodes read from the store at a time, and ranked for each result asked for. 32 and three took a sixth more of a
   * find's time among 1,000 memories, and found 2 of 1,977 answers more in the first five of LoCoMo's turns, none in ten.
   */
  readChunk: 16,
  rankedPerResult: 2,
  /** docs/design/retrieval.md, "Words of a question". */
  termsMax: 8,
  /** Terms in more than this share of documents only re-rank (and only where there are documents enough to say so). */
  commonShare: 0.15,
  commonDocumentsMin: 200,
  /**
   * Documents ranked per query, counted once per term: so many at least, and so many times the root of all documents
   * (docs/adr/0027). What is beyond only re-ranks; one term alone may take `rarestShare` times as many.
   */
  rankedMin: 1_000,
  rankedPerRoot: 3,
  rarestShare: 4,
  /**
   * Documents ranked by synonyms of the query's words. As many as its own words may rank took a tenth of a prompt's time
   * among 10,000 memories and more, and found nothing more (LoCoMo, the voices, the peers' questions).
   */
  expandedMax: 200,
  /** Documents that hold two of the common terms, newest first, taken as candidates to be re-ranked. */
  commonCandidatesMax: 100,
  /** Characters of a document in which common terms are looked for. */
  rerankCharsMax: 4_000,
  /** Results per query. */
  resultsMax: 100,
  /** Narrow filters are scanned exactly up to this many nodes. */
  filteredNodesMax: 2_000,
  /** Observations, prompts and checkpoints read per query, per kind. */
  recordsMax: 60,
  /** Steps from an outdated memory to the current one. */
  successionDepthMax: 16,
} as const;

/** Candidates taken from each source for so many results. */
export const candidatesFor = (limit: number): number =>
  Math.min(
    retrievalLimits.candidatesMax,
    Math.max(retrievalLimits.candidatesMin, limit * retrievalLimits.candidatesPerResult),
  );

/** Share of the score that query expansion may contribute, against 1 for typed words. */
export const synonymWeight = 0.35;
/** The same for words of earlier results (see feedback.ts; docs/adr/0028). */
export const feedbackWeight = 0.2;
/** Queries whose own words match this well are not expanded. */
export const expandBelow = 0.6;
/** U of models/README.md: BM25 saturates at about this many times the sum of the terms' weights. */
export const saturation = 1.3;
export const idfMin = 0.1;
/** Nudges move a score by at most this share each way (docs/design/retrieval.md, "Find"). */
export const nudgeMax = 0.1;
/** Added to what lies at a date that the question names. Words such as "recently" only nudge (docs/adr/0028). */
export const datedBoost = 0.3;
/** An outdated memory stands this far below what replaced it. */
export const outdatedFactor = 0.9;

// Chooses which words of a query are looked up, and how: the rarest are ranked by the index, common
// ones only re-rank what the rare ones (or the vectors) brought. Knows counts, not documents.

/** Words of a text in the order they were typed: which of them tell anything, the corpus decides. */
export interface QueryTerms {
  readonly terms: readonly string[];
  readonly synonyms: readonly string[];
  /** Words of earlier results (see feedback.ts). */
  readonly feedback: readonly string[];
}

/** A word with its irregular forms, and in how many documents any of them occurs (at most: forms may share some). */
interface CountedTerm {
  readonly forms: readonly string[];
  readonly count: number;
}

export interface ChosenTerms {
  /** For the index to rank by. */
  readonly ranked: readonly string[];
  /** Too common for that, with what each weighs where it occurs; the rarest first. */
  readonly common: readonly WeightedTerm[];
  /** The score of a document with all the terms, about. */
  readonly scoreMax: number;
}

interface WeightedTerm {
  readonly forms: readonly string[];
  readonly weight: number;
}

/** Characters of a query in which pictures are looked for. */
const picturesIn = 2_000;

/** Questions whose words are kept: a prompt is asked for each kind of document. */
const questionsKept = 16;

/** Content words of the query; when there are none ("who am I"), the small words must do. */
export const queryTerms = memoised(readTerms, questionsKept);

function readTerms(text: string): QueryTerms {
  const { content, plain } = readWords(text);
  const pictures = pictureWords(text.slice(0, picturesIn));
  const words = content.length + pictures.length > 0 ? content : [...new Set(plain)];
  const terms = [...new Set([...words.flatMap(pairsOf), ...pictures])];
  const synonyms = synonymsOf(plain.filter((word) => !stopWords.has(word)));
  return { terms, synonyms, feedback: [] };
}

const unspaced = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]+$/u;
/** A longer run is a clause: it stands nowhere else as it is. */
const wordLettersMax = 3;

/**
 * A run of a script without spaces as the pairs of neighbours under which the index has it; other words as they are.
 */
const pairsOf = (word: string): readonly string[] =>
  unspaced.test(word) && Array.from(word).length > wordLettersMax ? letterPairs(word) : [word];

const isPair = ({ forms: [word = ""] }: CountedTerm): boolean =>
  word.length === 2 && unspaced.test(word);

export function chooseTerms(
  lexical: LexicalIndex,
  kind: DocumentKind,
  words: readonly string[],
): ChosenTerms {
  const { documents, terms } = countTerms(lexical, kind, words);
  const rarest = terms.toSorted((a, b) => a.count - b.count);
  // A word of two letters is one pair, one of four is three: twice as many are looked up.
  const termsMax = retrievalLimits.termsMax * (terms.some(isPair) ? 2 : 1);
  const known = rarest.filter(({ count }) => count > 0).slice(0, termsMax);
  const ranked = rankable(known, documents);
  const common = known
    .filter((term) => !ranked.includes(term))
    .map(({ forms, count }) => ({ forms, weight: Math.max(0, plainIdf(count, documents)) }));
  // Words that no document has count as well: a document that has the rest is not the whole answer.
  // Pairs across two words are no words.
  const unknown = rarest.slice(0, termsMax).filter((term) => term.count === 0 && !isPair(term));
  const sum =
    [...ranked, ...unknown].reduce((all, { count }) => all + idf(count, documents), 0) +
    common.reduce((all, { weight }) => all + weight, 0);
  return {
    ranked: ranked.flatMap(({ forms }) => forms),
    common,
    scoreMax: saturation * Math.max(sum, idfMin),
  };
}

function countTerms(
  lexical: LexicalIndex,
  kind: DocumentKind,
  words: readonly string[],
): { readonly documents: number; readonly terms: readonly CountedTerm[] } {
  const terms = withForms(words);
  const { documents, byTerm } = lexical.frequencies(kind, terms.flat(), null);
  return {
    documents,
    terms: terms.map((forms) => ({
      forms,
      count: Math.min(
        documents,
        forms.reduce((sum, form) => sum + (byTerm.get(form) ?? 0), 0),
      ),
    })),
  };
}

/** Each word with its other forms; a form that was typed as well does not count twice. */
function withForms(words: readonly string[]): readonly (readonly string[])[] {
  const taken = new Set<string>();
  return words.flatMap((word) => {
    if (taken.has(word)) return [];
    const forms = [word, ...otherForms(word)];
    forms.forEach((form) => taken.add(form));
    return [forms];
  });
}

/**
 * Terms worth ranking by, the rarest first: not those in a large share of the documents, and only as many as keep the
 * work within bounds, whatever the store has grown to. When all are common, there is nothing to rank by but the rarest
 * two, unless even they would cost too much.
 */
function rankable(rarestFirst: readonly CountedTerm[], documents: number): readonly CountedTerm[] {
  const { rankedMin, rankedPerRoot, rarestShare } = retrievalLimits;
  const budget = Math.max(rankedMin, rankedPerRoot * Math.sqrt(documents));
  const rare = rarestFirst.filter(({ count }) => !isCommon(count, documents));
  const asked = rare.length > 0 ? rare : rarestFirst.slice(0, 2);
  let spent = 0;
  return asked.filter(({ count }, i) => {
    spent += count;
    return spent <= (i === 0 ? budget * rarestShare : budget);
  });
}

export const isCommon = (count: number, documents: number): boolean =>
  documents >= retrievalLimits.commonDocumentsMin &&
  count > documents * retrievalLimits.commonShare;

/** BM25's weight of a term, never below a floor so that a term in half of the documents is not worth nothing. */
export const idf = (count: number, documents: number): number =>
  Math.max(idfMin, plainIdf(count, documents));

const plainIdf = (count: number, documents: number): number =>
  Math.log((documents - count + 0.5) / (count + 0.5));

// Common words of a query, looked for in the text of documents that something rarer proposed. An index would have to
// walk a tenth of all documents for each; in a text that is read anyway they cost nothing. Pure.

export interface CommonTerms {
  /** The gain of a document with all of them, as a share of a perfect lexical score. */
  readonly gainMax: number;
  readonly gainOf: (text: string) => number;
}

export const noCommonTerms: CommonTerms = { gainMax: 0, gainOf: () => 0 };

export function readCommonTerms({ common, scoreMax }: ChosenTerms): CommonTerms {
  const terms = common
    .filter(({ weight }) => weight > 0)
    .map(({ forms, weight }) => ({ stems: forms.map(roughStem), gain: weight / scoreMax }));
  if (terms.length === 0) return noCommonTerms;
  return {
    gainMax: terms.reduce((sum, { gain }) => sum + gain, 0),
    gainOf: (text) => {
      const folded = text.slice(0, retrievalLimits.rerankCharsMax).toLowerCase();
      return terms.reduce(
        (sum, { stems, gain }) => sum + (stems.some((stem) => occurs(folded, stem)) ? gain : 0),
        0,
      );
    },
  };
}

/** At the beginning of a word; what follows may be an ending. */
export function occurs(text: string, stem: string): boolean {
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1))
    if (at === 0 || !isLetter(text.charCodeAt(at - 1))) return true;
  return false;
}

/** Letters of any script but ASCII count as letters too: their words begin after a space all the same. */
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || code > 127;
