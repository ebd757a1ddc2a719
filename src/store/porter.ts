/**
 * The token that the full-text indexes make of a plain word (`porter unicode61`): Porter's stemmer as fts5_tokenize.c
 * has it. Asking SQLite for each new word would take as long as looking the word up.
 */
import { memoised } from "#kit";

/** What FTS5 leaves as it is is shorter or longer. */
const lettersMin = 3;
const lettersMax = 64;

/** Words that are one token: ASCII letters in lower case and digits. */
export const isStemmable = (word: string): boolean => /^[a-z0-9]+$/u.test(word);

/** The token of a word that is stemmable. */
export const stemOf = memoised(stem);

function stem(word: string): string {
  if (word.length < lettersMin || word.length > lettersMax) return word;
  const first = withoutPast(withoutPlural(word));
  const second =
    first.endsWith("y") && hasVowel(first.slice(0, -1)) ? `${first.slice(0, -1)}i` : first;
  const last = replaced(replaced(second, step2), step3);
  return withoutEnd(withoutSuffix(last));
}

function withoutPlural(word: string): string {
  if (!word.endsWith("s")) return word;
  if (word.endsWith("es")) {
    const isLong =
      (word.length > 4 && word.endsWith("sses")) || (word.length > 3 && word.endsWith("ies"));
    return word.slice(0, isLong ? -2 : -1);
  }
  return word.endsWith("ss") ? word : word.slice(0, -1);
}

function withoutPast(word: string): string {
  if (word.length > 3 && word.endsWith("eed"))
    return measureOf(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = ["ed", "ing"].find((one) => word.length > one.length && word.endsWith(one));
  if (ending === undefined) return word;
  const stem = word.slice(0, -ending.length);
  if (!hasVowel(stem)) return word;
  return completed(stem);
}

/** What is left of a word without its `ed` or `ing`, as the word it was made of. */
function completed(stem: string): string {
  if (stem.length > 2 && /(?:at|bl|iz)$/u.test(stem)) return `${stem}e`;
  const letter = stem.at(-1) ?? "";
  if (!vowels.has(letter) && !"lsz".includes(letter) && letter === stem.at(-2))
    return stem.slice(0, -1);
  return measureOf(stem) === 1 && isShort(stem) ? `${stem}e` : stem;
}

type Endings = readonly (readonly [ending: string, by: string])[];

/** The first that fits decides, whether it is replaced or not. */
const step2: Endings = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["logi", "log"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
];

const step3: Endings = [
  ["ical", "ic"],
  ["ness", ""],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ful", ""],
  ["ative", ""],
  ["alize", "al"],
];

function replaced(word: string, endings: Endings): string {
  const found = endings.find(([ending]) => word.length > ending.length && word.endsWith(ending));
  if (found === undefined) return word;
  const stem = word.slice(0, -found[0].length);
  return measureOf(stem) > 0 ? stem + found[1] : word;
}

const suffixes =
  "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split(" ");

function withoutSuffix(word: string): string {
  const suffix = suffixes.find((one) => word.length > one.length && word.endsWith(one));
  if (suffix === undefined) return word;
  const stem = word.slice(0, -suffix.length);
  if (measureOf(stem) <= 1) return word;
  return suffix === "ion" && !/[st]$/u.test(stem) ? word : stem;
}

function withoutEnd(word: string): string {
  const stem = word.slice(0, -1);
  const measure = measureOf(stem);
  const open =
    word.endsWith("e") && (measure > 1 || (measure === 1 && !isShort(stem))) ? stem : word;
  const end = open.slice(0, -1);
  return open.length > 1 && open.endsWith("ll") && measureOf(end) > 1 ? end : open;
}

const vowels = new Set("aeiou");

/** How often consonants follow vowels, and whether there are any vowels. A y is a vowel after a consonant. */
function shapeOf(word: string): { readonly measure: number; readonly hasVowel: boolean } {
  let measure = 0;
  let found = false;
  let wasVowel = false;
  for (let at = 0; at < word.length; at += 1) {
    const letter = word.charAt(at);
    const isVowel: boolean = vowels.has(letter) || (letter === "y" && at > 0 && !wasVowel);
    if (wasVowel && !isVowel) measure += 1;
    found ||= isVowel;
    wasVowel = isVowel;
  }
  return { measure, hasVowel: found };
}

const hasVowel = (word: string): boolean => shapeOf(word).hasVowel;
const measureOf = (word: string): number => shapeOf(word).measure;

/** Ends with a consonant, a vowel and a consonant other than w, x and y. */
function isShort(word: string): boolean {
  const kinds = word.split("").reduce((seen, letter) => {
    const isVowel = vowels.has(letter) || (letter === "y" && seen.endsWith("c"));
    return seen + (isVowel ? "v" : "c");
  }, "");
  return kinds.endsWith("cvc") && !/[wxy]$/u.test(word);
}
