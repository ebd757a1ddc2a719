/**
 * Text as the CST1 word-vector models read it: the exact normalisation that they were trained with.
 * Must not be used for search: lexical retrieval has its own idea of a word.
 */

/** Longest run of digits that is looked up whole. */
const digitsMax = 4;

/**
 * Lower-case runs of letters and of digits. Accents fold to ASCII, everything else that is not ASCII is dropped,
 * camelCase is split, long numbers keep their first four digits.
 */
export function modelWords(text: string): readonly string[] {
  const ascii = isAscii(text) ? text : toAscii(text);
  const words = ascii
    .replace(/([a-z0-9])(?=[A-Z])/g, "$1 ")
    .toLowerCase()
    .match(/[a-z]+|[0-9]+/g);
  return (words ?? []).map((word) => (isNumber(word) ? word.slice(0, digitsMax) : word));
}

const isAscii = (text: string): boolean => !/[^\x00-\x7f]/.test(text);
const toAscii = (text: string): string => text.normalize("NFKD").replace(/[^\x00-\x7f]/g, "");
const isNumber = (word: string): boolean => word.charCodeAt(0) <= 0x39;
