/**
 * What of a prompt or an answer counts as a statement: prose, without code and quotations.
 *
 * Pure. Knows punctuation, not meaning; the word classes are in word-classes.ts.
 */
import { memoised, oneLine } from "#kit";
import { proseOf } from "./prose.ts";

export interface PlainSentence {
  /** One line as written, markdown emphasis off. */
  readonly text: string;
  /** The same in lower case with code and quoted spans blanked: what word classes are matched on. */
  readonly plain: string;
  readonly isQuestion: boolean;
}

/** Text of a prompt or an answer that is read: conclusions stand at both ends (see `headAndTail`). */
const charsMax = 12_000;

/** Sentences of a text in order; empty for null. Reads at most `charsMax` characters, from both ends. */
export const plainSentencesOf = (text: string | null): readonly PlainSentence[] =>
  text === null ? [] : readSentences(text);

/** A turn is read to be judged, for its observations, as what came before the next turns, and for its session. */
const textsKept = 48;
const keptCharsMax = 6_000;

const readSentences = memoised(split, textsKept, keptCharsMax);

function split(text: string): readonly PlainSentence[] {
  return proseLines(headAndTail(text, charsMax))
    .flatMap((line) => line.split(sentenceEnd))
    .map((part) => oneLine(part))
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
    .map((part) => ({ text: part, plain: plainOf(part), isQuestion: isQuestion(part) }));
}

/** Ends with a question mark, or is short and opens like a question: many people leave the mark out. */
const isQuestion = (part: string): boolean =>
  /[?？]["')\]」』）]*$/.test(part) ||
  (part.split(" ").length <= questionWordsMax && questionStart.test(part));

const questionStart = new RegExp(
  "^(?:(?:and|so|but|ok|oh),? )?" +
    "(?:what(?:'s| is| are| was| does| do| did| time)|how (?:do|does|did|is|are|can|many|much|should)|" +
    "why (?:do|does|did|is|are|was|were)|where (?:is|are|do|does)|who (?:is|are)|" +
    String.raw`which \w+ (?:is|are|do|does|should))\b`,
  "i",
);

const questionWordsMax = 14;

/** The two ends of a long text: a turn opens with the aim and closes with the conclusion. */
const headAndTail = (text: string, charsMax: number): string =>
  text.length <= charsMax
    ? text
    : `${text.slice(0, charsMax / 2)}\n${text.slice(text.length - charsMax / 2)}`;

/** After closing punctuation and before the next sentence; not inside `e.g.`, versions or file names. */
const sentenceEnd =
  /(?<=[.!?…][")\]]?)(?<!\b(?:e\.g|i\.e|vs|etc|z\.b|approx|no)\.)\s+(?=\S)|(?<=[。！？])(?=[^。！？」』）])/iu;

const proseLines = (text: string): readonly string[] =>
  proseOf(text)
    .flat()
    .map((line) => line.replace(/^\s*(?:[-*•・]|\d+[.)]|#{1,6})\s+/, "").replace(/[*_]{2}/g, ""));

/** Stands where code or a quotation was, so that neither can be mistaken for a statement. */
const blanked = " § ";

const plainOf = (text: string): string =>
  oneLine(
    text
      .toLowerCase()
      .replaceAll("’", "'")
      .replace(/\b(do|does|did|ca|wo|is|are|was|were|have|has|could|should|would)nt\b/g, "$1n't")
      .replace(/`[^`]*`/g, blanked)
      .replace(/"[^"]{2,}"|“[^”]*”|«[^»]*»/g, blanked),
  );

/** Points at something said elsewhere, so that it cannot stand alone. */
export const startsWithPronoun = (text: string): boolean =>
  /^(?:it|its|this|that|they|these|those|there|he|she|both|the (?:same|former|latter))\b/i.test(
    text,
  );
