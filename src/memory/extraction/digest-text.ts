/**
 * Sentences of an answer or of typed words, for digests: prose in any script, without code, tables, headings and links.
 * Pure. Knows punctuation, not meaning.
 */
import { oneLine } from "#kit";

export interface Said {
  /** One line, markdown off. */
  readonly text: string;
  readonly isQuestion: boolean;
  /** It stands in a list. */
  readonly isItem: boolean;
}

/** Read from both ends of a long text: it opens with the result and closes with what is left. */
const readCharsMax = 8_000;

export const saidIn = (text: string | null): readonly Said[] =>
  proseLines(text ?? "")
    .flatMap(({ text, isItem }) =>
      text.split(sentenceEnd).map((part) => ({ text: oneLine(part), isItem })),
    )
    .filter(({ text }) => /\p{L}/u.test(text) && !text.endsWith(":"))
    .map(({ text, isItem }) => ({ text, isItem, isQuestion: /[?？]["')\]”]*$/u.test(text) }));

/** After closing punctuation; where words are not parted by spaces none follows. */
const sentenceEnd =
  /(?<=[.!?…][")\]”]?)(?<!\b(?:e\.g|i\.e|vs|etc|z\.B|bzw|ca|approx|no|p\.ex|т\.е|т\.д)\.)\s+(?=\S)|(?<=[。！？])/iu;

interface Line {
  readonly text: string;
  readonly isItem: boolean;
}

const proseLines = (text: string): readonly Line[] =>
  bothEnds(text.replace(/```[\s\S]*?(?:```|$)/gu, "\n"))
    .split(/\r?\n/u)
    .filter((line) => !/^\s*(?:[|>#❯➜»›]|[-=*_]{3,}\s*$|\d{2}:\d{2}:\d{2}|\$ )/u.test(line))
    .map((line) => ({
      isItem: listMark.test(line),
      text: line
        .replace(listMark, "")
        .replace(/\[([^\]]+)\]\([^)]*\)/gu, "$1")
        .replace(/[*_]{2}/gu, "")
        .replace(/^[\p{Extended_Pictographic}\u{fe0f}\s]+/u, ""),
    }));

const listMark = /^\s*(?:[-*•]|\d+[.)])\s+(?:\[[ x]\]\s*)?/u;

const bothEnds = (text: string): string =>
  text.length <= readCharsMax
    ? text
    : `${text.slice(0, readCharsMax / 2)}\n${text.slice(text.length - readCharsMax / 2)}`;
