/**
 * Which terms a new document can have changed the count of: so that what is remembered of all others may stay. Errs on
 * the side of too many. Pure.
 */

/** Words of longer documents are not gone through: everything is counted anew then. */
const textCharsMax = 4_000;

/** Stemming takes letters off the end and leaves this many alone. */
const initialLetters = 2;

/** The beginnings of all words in the texts; null when they are too long to go through. */
export function initialsOf(texts: readonly string[]): ReadonlySet<string> | null {
  if (texts.reduce((sum, { length }) => sum + length, 0) > textCharsMax) return null;
  const found = new Set<string>();
  for (const text of texts)
    for (const [word] of folded(text).matchAll(words)) found.add(word.slice(0, initialLetters));
  return found;
}

/** Can a document with these beginnings contain the term? Of several words the first decides. */
export function mayContain(initials: ReadonlySet<string>, term: string): boolean {
  const [first] = folded(term).match(words) ?? [];
  return first === undefined || initials.has(first.slice(0, initialLetters));
}

/** ASCII, and signs that no version of Unicode takes for letters: the beginnings are exactly those of the index. */
export const isPlain = (text: string): boolean =>
  !/[^\0-\x7f\u2010-\u2027\u2190-\u21ff]/u.test(text);

/** What the index takes for a word (unicode61: letters and digits, without marks, in lower case). */
const words = /[\p{L}\p{N}\p{Co}]+/gu;

const folded = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
