/**
 * The gate's features: numbers between about −1 and 1 that say how much a prompt looks like one that wants memory. Pure.
 *
 * Independent of the embedder (similarities are measured in its own floors) and of the size of the store.
 */
import type { FoundDocument } from "#domain";
import { stopWords } from "../retrieval/stop-words.ts";
import { readWords, roughStem } from "../retrieval/words.ts";
import { promptSigns, type PromptSigns } from "./prompt-signs.ts";
import type { PromptEvidence } from "./prompt-types.ts";

export interface GateFeatures extends PromptSigns {
  /** Share of the prompt's content words that occur in this project's prompts or memories. */
  readonly known: number;
  /** The same, rare words counting more. */
  readonly knownRare: number;
  /** Share of content words that occur in this project's or global memories. */
  readonly inMemory: number;
  /** Content words that nobody here ever used: 1 = four or more. */
  readonly unknownCount: number;
  /** Content words, 1 = ten or more. */
  readonly length: number;
  /** Best similarity, 0 at the embedder's similarity floor, 1 at its duplicate floor. */
  readonly cosine: number;
  /** Best normalised BM25. */
  readonly lexical: number;
  readonly fused: number;
  /** How far the best stands above the mean of the next four. */
  readonly margin: number;
  /** An identifier of the prompt occurs in a memory. */
  readonly identifier: number;
  /** The prompt starts a kind of work that a memory holds rules for. */
  readonly practice: number;
  /** A question mark, or a question's first word. */
  readonly question: number;
}

/** Numbers alone say little, and the corpus knows every small one. */
const isTelling = (word: string): boolean =>
  !stopWords.has(word) && /\p{L}/u.test(word) && word.length > 1;

/** Content words as the vocabulary is asked for them: distinct, identifiers split. Bounded by readWords. */
export const tellingWords = (prompt: string): readonly string[] => [
  ...new Set(readWords(prompt).plain.filter(isTelling)),
];

/** Small talk, a bare order, or no word that says anything: "yes", "run the tests", "👍". */
export const isTerse = (prompt: string): boolean =>
  promptSigns(prompt).chatter === 1 ||
  (tellingWords(prompt).length === 0 && readWords(prompt).identifiers.length === 0);

export function gateFeatures(evidence: PromptEvidence): GateFeatures {
  const words = tellingWords(evidence.prompt);
  const best = evidence.found.filter(({ supersededBy }) => supersededBy === null);
  return {
    ...promptSigns(evidence.prompt),
    ...vocabularyFeatures(evidence, words),
    ...rankFeatures(evidence, best),
    length: Math.min(1, words.length / 10),
    identifier: hasIdentifierHit(evidence.prompt, best) ? 1 : 0,
    practice: evidence.practices.length > 0 ? 1 : 0,
    question: isQuestion(evidence.prompt) ? 1 : 0,
  };
}

type VocabularyFeatures = Pick<GateFeatures, "known" | "knownRare" | "inMemory" | "unknownCount">;

function vocabularyFeatures(
  evidence: PromptEvidence,
  words: readonly string[],
): VocabularyFeatures {
  const own = evidence.isIndexed ? 1 : 0;
  const documents = evidence.inPrompts.documents + evidence.inMemories.documents;
  let known = 0;
  let inMemory = 0;
  let knownWeight = 0;
  let allWeight = 0;
  for (const word of words) {
    const memories = evidence.inMemories.byTerm.get(word) ?? 0;
    const count = memories + Math.max(0, (evidence.inPrompts.byTerm.get(word) ?? 0) - own);
    const weight = Math.log((documents + 1) / (count + 0.5));
    allWeight += weight;
    if (count > 0) {
      known += 1;
      knownWeight += weight;
    }
    if (memories > 0) inMemory += 1;
  }
  const total = Math.max(1, words.length);
  return {
    known: known / total,
    knownRare: allWeight > 0 ? knownWeight / allWeight : 0,
    inMemory: inMemory / total,
    unknownCount: Math.min(1, (words.length - known) / 4),
  };
}

type RankFeatures = Pick<GateFeatures, "cosine" | "lexical" | "fused" | "margin">;

function rankFeatures(evidence: PromptEvidence, best: readonly FoundDocument[]): RankFeatures {
  const { similarityFloor: low, duplicateFloor: high } = evidence.calibration;
  const explained = best.map(({ explanation }) => explanation);
  const cosine = Math.max(0, ...explained.map((one) => one.similarity ?? 0));
  const fused = explained.map((one) => one.fused).toSorted((a, b) => b - a);
  const next = fused.slice(1, 5);
  const mean = next.reduce((sum, value) => sum + value, 0) / Math.max(1, next.length);
  return {
    cosine: clamp((cosine - low) / Math.max(0.01, high - low), -1, 1),
    lexical: Math.max(0, ...explained.map((one) => one.lexical)),
    fused: fused[0] ?? 0,
    margin: (fused[0] ?? 0) - mean,
  };
}

/** Does a memory name an identifier of the prompt? Compared whole, or by all of its parts in a row. */
export function identifiersIn(prompt: string, l0: string): boolean {
  const { identifiers } = readWords(prompt);
  if (identifiers.length === 0) return false;
  const text = l0.toLowerCase();
  return identifiers.some((identifier) => text.includes(identifier));
}

const hasIdentifierHit = (prompt: string, best: readonly FoundDocument[]): boolean =>
  best.slice(0, 10).some(({ l0 }) => identifiersIn(prompt, l0));

const isQuestion = (prompt: string): boolean =>
  /\?|^\s*(?:what|which|who|whose|when|where|why|how|is|are|do|does|did|can|could|should|may|have|has)\b/iu.test(
    prompt.slice(0, 600),
  );

/** Shares a stem with one of these words. */
export const mentions = (l0: string, words: readonly string[]): boolean => {
  const stems = new Set(words.map(roughStem));
  return readWords(l0).plain.some((word) => stems.has(roughStem(word)));
};

const clamp = (value: number, min: number, max: number): number =>
  Math.min(max, Math.max(min, value));
