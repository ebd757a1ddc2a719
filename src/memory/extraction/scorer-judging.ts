/**
 * What the judges of claims share: the form of a claim, which sentences count, and what backs them.
 *
 * Pure. Weighs nothing itself but the proof of a cause.
 */
import type { EvaluationType } from "#domain";
import { type PlainSentence, type WordClass, says } from "#language";
import { declares, has, isAboutLife, isAboutWork } from "./scorer-reading.ts";
import type { Reading } from "./scorer-reading.ts";
import type { Work } from "./scorer-tools.ts";

export interface Claim {
  readonly type: EvaluationType;
  /** 0 to 1. */
  readonly score: number;
  /** The sentence that says it, for the summary; null when only the tool record does. */
  readonly sentence: PlainSentence | null;
  readonly speaker: "user" | "assistant";
}

/** One way in which a turn may matter; null when it does not in this way. */
export type Judge = (reading: Reading) => Claim | null;

export const claim = (
  type: EvaluationType,
  score: number,
  sentence: PlainSentence | null,
  speaker: Claim["speaker"],
): Claim => ({ type, score, sentence, speaker });

export const bonus = (holds: boolean, amount: number): number => (holds ? amount : 0);

export const statements = (sentences: readonly PlainSentence[]): readonly PlainSentence[] =>
  sentences.filter((sentence) => !sentence.isQuestion);

/** The user's statements that are about work: its words, a name, or tools at work in the same turn. */
export function workStatements(reading: Reading): readonly PlainSentence[] {
  const isBusy = reading.work.filesEdited.length + reading.work.commands > 0;
  const isWork = isBusy || [...reading.prompt, ...reading.answer].some(isAboutWork);
  return isWork ? statements(reading.prompt).filter((sentence) => !isAboutLife(sentence)) : [];
}

export const firstSaying = (
  sentences: readonly PlainSentence[],
  wordClass: WordClass,
): PlainSentence | null => sentences.find((sentence) => has(sentence, wordClass)) ?? null;

export const lastOf = (sentences: readonly PlainSentence[]): PlainSentence | null =>
  sentences.at(-1) ?? null;

export const isChanged = (work: Work): boolean =>
  work.filesEdited.length + work.changingCommands > 0;

export const isInvestigated = (work: Work): boolean =>
  work.looks + work.failures >= 2 || work.recovered;

/** What backs a cause: a look, a change, a check of the outcome. */
export const proof = ({ work, answer }: Reading): number =>
  bonus(isInvestigated(work), 0.03) +
  bonus(isChanged(work), 0.03) +
  bonus(work.recovered || answer.some(({ plain }) => says.measured.test(plain)), 0.03);

/** The user asks what is wrong, or states what happens and the assistant looks and changes something. */
export const isTrouble = ({ prompt, work }: Reading): boolean =>
  prompt.some((said) => has(said, "diagnosis")) ||
  (work.looks > 0 && isChanged(work) && prompt.some((said) => declares(said) && !isRuling(said)));

/** Settles something: then what the assistant does follows from it, and explains nothing. */
const isRuling = (said: PlainSentence): boolean =>
  has(said, "decision") || has(said, "rule") || has(said, "norm") || has(said, "notice");

/** "No!" and "Found it." say nothing to a later reader: then the sentence after them does. */
export function telling(sentences: readonly PlainSentence[], said: PlainSentence): PlainSentence {
  const isEnough = ({ plain }: PlainSentence): boolean => plain.split(" ").length >= 5;
  return isEnough(said) ? said : (sentences.slice(sentences.indexOf(said)).find(isEnough) ?? said);
}

/** Words from which a sentence can explain or state something. */
export const wordsThatTell = 8;

/**
 * A diagnosis without the word: the assistant first states how things are and only then what it did. Statements about
 * itself, plans and attempts are no diagnosis.
 */
export const explanationIn = ({ answer }: Reading): PlainSentence | null =>
  answer.find(
    (sentence) =>
      !sentence.isQuestion &&
      sentence.plain.split(" ").length >= wordsThatTell &&
      !aboutItself.test(sentence.plain) &&
      !has(sentence, "attempt"),
  ) ?? null;

const aboutItself =
  /^(?:(?:yes|no|ok|done|sorry|right|fixed|corrected)[,.:;!]? )?(?:i|we|i've|we've|next|now|\w+ed|the (?:\S+ ){1,4}(?:is|are|has|now|no longer) (?:now|been|gone|in|done|\w+ed))\b/u;
