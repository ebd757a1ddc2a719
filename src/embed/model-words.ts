/**
 * Text as the word-vector models read it: the exact normalisation that they were trained with (train/embedder).
 * Must not be used for search: lexical retrieval has its own idea of a word.
 */

/** Longest run of digits that is looked up whole. */
const digitsMax = 4;

/**
 * Lower-case runs of letters of one script and of digits, accents folded, camelCase split, long numbers cut to their
 * first four digits. Chinese and Japanese come as runs of characters: the vocabulary cuts them into words.
 */
export function modelWords(text: string): readonly string[] {
  const folded = (isAscii(text) ? text : fold(text))
    .replace(/([a-z0-9])(?=[A-Z])/g, "$1 ")
    .toLowerCase();
  const words = folded.match(
    /[a-z]+|[0-9]+|\p{Script=Cyrillic}+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu,
  );
  return (words ?? []).map((word) => (isNumber(word) ? word.slice(0, digitsMax) : word));
}

/** Whether the word is of a script that puts no spaces between words. */
export const isUnspaced = (word: string): boolean => word.charCodeAt(0) >= 0x3000;

const isAscii = (text: string): boolean => !/[^\x00-\x7f]/.test(text);
/** Accents off letters; what they leave is put together again, since Japanese has marks of its own. */
const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replaceAll("ß", "ss");
const isNumber = (word: string): boolean => word.charCodeAt(0) <= 0x39;
