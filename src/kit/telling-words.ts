/**
 * Words by which a text may be known again in another: folded, identifiers whole and in parts, numbers by their digits;
 * and runs of six words. Pure; loaded by hooks, so it imports nothing.
 */

export interface TellingWord {
  /** Lower case; of a number its digits, `84.5k` as 84500. */
  readonly word: string;
  /** As it is written. */
  readonly shown: string;
  readonly at: number;
}

const pattern =
  /\p{N}[\p{N}.,'’]*\p{N}k?(?![\p{L}\p{N}])|\p{N}+k(?![\p{L}\p{N}])|[\p{L}\p{M}\p{N}]+/gu;
const charsMin = 3;
const partCharsMin = 4;
const runWords = 6;
/** A shorter run is what anybody might say. */
const runCharsMin = 28;
/** Both ends of a longer text are read. */
const textCharsMax = 60_000;

const wholeWordsIn = (text: string): readonly TellingWord[] =>
  [...text.matchAll(pattern)].map(({ 0: shown, index }) => ({
    word: folded(shown),
    shown,
    at: index,
  }));

function folded(shown: string): string {
  const [, digits] = /^([\p{N}.,'’]+)k?$/u.exec(shown) ?? [];
  if (digits === undefined) return shown.normalize("NFKC").toLowerCase();
  const thousands = shown.endsWith("k") ? Number(digits.replace(",", ".")) : Number.NaN;
  return Number.isFinite(thousands)
    ? String(Math.round(thousands * 1_000))
    : digits.replaceAll(/\P{N}/gu, "");
}

/** The word, and the parts of one like `payoutLockMs`. */
function withParts(whole: TellingWord): readonly TellingWord[] {
  const { shown, at } = whole;
  if (!/\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(shown)) return [whole];
  const parts = [...shown.matchAll(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu)]
    .filter(({ 0: part }) => part.length >= partCharsMin)
    .map(({ 0: part, index }) => ({ word: folded(part), shown: part, at: at + index }));
  return [whole, ...parts];
}

/** The words of a text, from its beginning. */
export const tellingWordsIn = (text: string): readonly TellingWord[] =>
  wholeWordsIn(text)
    .flatMap(withParts)
    .filter(({ word }) => word.length >= charsMin);

/** Runs of six words, folded. */
export function tellingRunsIn(text: string): readonly string[] {
  const words = wholeWordsIn(text).map(({ word }) => word);
  return words
    .slice(runWords - 1)
    .map((_, at) => words.slice(at, at + runWords).join(" "))
    .filter((run) => run.length >= runCharsMin);
}

/** Capitalised inside a sentence that is not written so throughout, as titles and German are. */
export function namesIn(text: string): readonly TellingWord[] {
  const inside = tellingWordsIn(text).filter(({ at }) => isInside(text, at));
  const capital = inside.filter(({ shown }) => /^\p{Lu}/u.test(shown));
  return capital.length > Math.max(2, inside.length / 3)
    ? []
    : capital.filter(({ shown }) => /^\p{Lu}\p{Ll}/u.test(shown));
}

const isInside = (text: string, at: number): boolean =>
  /[\p{L}\p{N},;)]['"’”]?[ \t]+["'“„(]?$/u.test(text.slice(Math.max(0, at - 8), at));

/** Stands before a word that was written as a name. */
export const nameMark = "^";

/** Stands before a word of a text that is one or two words: it names something, however it is written. */
export const aloneMark = "=";
const aloneWordsMax = 2;

/** Names of code are the project's: a later turn about it is no echo. */
const codeName = /`[^`\n]*`|(?<![\w/])[a-z]+[A-Z]\w*|(?<![\w/])[a-z]+_\w+/g;

/** The same of a prompt that is a task besides. */
export const tellingMarksOfTask = (prompt: string): readonly string[] =>
  tellingMarksOf(prompt.replaceAll(codeName, " "));

/** All that a text may be known by, each once. */
export function tellingMarksOf(text: string): readonly string[] {
  const ends =
    text.length <= textCharsMax
      ? text
      : `${text.slice(0, textCharsMax / 2)}\n${text.slice(-textCharsMax / 2)}`;
  return [
    ...new Set([
      ...tellingWordsIn(ends).map(({ word }) => word),
      ...namesIn(ends).map(({ word }) => `${nameMark}${word}`),
      ...(wholeWordsIn(ends).length > aloneWordsMax
        ? tellingRunsIn(ends)
        : tellingWordsIn(ends).map(({ word }) => `${aloneMark}${word}`)),
    ]),
  ];
}
