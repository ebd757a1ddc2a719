/**
 * Compares two statements word by word, without knowing what they mean: do they say the same, and could the newer one
 * be another value of what the older one says? Pure.
 */
import { denies, isStopWord, readWords, roughStem } from "#language";
import { hasUnspaced, memoised } from "#kit";
import { numbersIn, stemsOf } from "../exchange/stems.ts";

/**
 * Content words of a statement in order, as stems. Words of denial stay, although they are stop words. The label of a
 * project in front ("web: …") is the caller's to remove.
 */
const contentOf = memoised((text: string): string => {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}]|[-_./:@#+'’](?=[\p{L}\p{N}\p{M}]))*/gu);
  return (words ?? [])
    .filter((word) => !isStopWord(word) || denies(word))
    .map(roughStem)
    .join(" ");
});

/** True when both have the same content words in the same order. Whatever adds a word, says something else. */
export function saySame(a: string, b: string): boolean {
  const content = contentOf(a);
  return content === "" ? a.trim() === b.trim() : content === contentOf(b);
}

/** Words that the older statement may have and the newer one lacks: the old value. */
const missingMax = 1;
/** For scripts without spaces, compared by pairs of letters: share of the older pairs that may be missing. */
const missingPairsShare = 0.35;
/** Words in common that make a subject. */
const sharedMin = 2;

/**
 * True when `newer` may say another value of what `older` says: it has all words of the older one but one, and says
 * another word, or one name or number more. It may also be a second thing of the kind, so that this alone never ends a
 * memory: the two are shown together until somebody who understands them decides.
 */
export function mayReplace(newer: string, older: string): boolean {
  const [mine, theirs] = [tellingWords(newer), tellingWords(older)];
  const shared = [...theirs].filter((word) => mine.has(word)).length;
  const missing = theirs.size - shared;
  const bound = hasUnspaced(older) ? theirs.size * missingPairsShare : missingMax;
  if (shared < sharedMin || missing > bound || missing >= shared) return false;
  if (missing > 0) return [...mine].some((word) => !theirs.has(word));
  // All of the older one is there: an addition at its end is one, whatever stands in its middle replaces something.
  const isAddition = ` ${contentOf(newer)} `.includes(` ${contentOf(older)} `);
  return !isAddition || namesMore(newer, older);
}

/** Stems, numbers and names: single letters name things too ("printer B"). */
const tellingWords = (text: string): ReadonlySet<string> =>
  new Set([...stemsOf(text), ...numbersIn(text), ...properNames(text).map(roughStem)]);

const namesMore = (newer: string, older: string): boolean => {
  const before = older.toLowerCase();
  const names = [...numbersIn(newer), ...readWords(newer).identifiers, ...properNames(newer)];
  return names.some((name) => !before.includes(name));
};

/** Words with a capital letter where no sentence begins, in lower case. */
const properNames = (text: string): readonly string[] =>
  [...text.matchAll(/(?<=[^.!?:;\s]["'(]?\s+["'(]?)(\p{Lu}[\p{L}\p{N}]*)/gu)].map(([word]) =>
    word.toLowerCase(),
  );
