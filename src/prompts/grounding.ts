/** Whether words stand in what somebody said: names and numbers to the letter, other words by their stem. Pure. */
import { foldText, foldedWordsOf, isGlue, isHard, stemOf } from "#language";

/** Words of texts for membership tests. */
export interface Vocabulary {
  readonly stems: ReadonlySet<string>;
  /** Folded, one line. */
  readonly text: string;
}

export function vocabularyOf(texts: readonly string[]): Vocabulary {
  const words = texts.flatMap((text) => foldedWordsOf(text));
  return {
    stems: new Set(words.map(stemOf)),
    text: ` ${foldText(texts.join(" \n ")).replace(/\s+/gu, " ")} `,
  };
}

/**
 * Hard words to the letter: identifiers also inside longer ones, numbers whole, with or without their unit. Days are
 * free, since "yesterday" becomes one. Other words by their stem.
 */
export function holds(vocabulary: Vocabulary, word: string): boolean {
  if (!isHard(word)) return vocabulary.stems.has(stemOf(word));
  if (/^\d{4}-\d\d(?:-\d\d)?$/.test(word)) return true;
  const number = /^(\d[\d.,:]*)(?:[a-z]{1,7}|%)?$/.exec(word)?.[1];
  return number === undefined
    ? vocabulary.text.includes(word)
    : hasNumber(vocabulary.text, number.replace(/[.,:]+$/, ""));
}

function hasNumber(text: string, number: string): boolean {
  let at = text.indexOf(number);
  while (at >= 0) {
    const around = text.charAt(at - 1) + text.charAt(at + number.length);
    if (!/\d/.test(around)) return true;
    at = text.indexOf(number, at + 1);
  }
  return false;
}

/** Half of a line's words at least, or another share. */
export function isCarriedBy(line: string, message: string, share = 0.5): boolean {
  const vocabulary = vocabularyOf([message]);
  const words = [...new Set(foldedWordsOf(line).filter((word) => !isGlue(word)))];
  const held = words.filter((word) => holds(vocabulary, word));
  return held.length >= words.length * share;
}
