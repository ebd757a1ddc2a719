/** Splits a question into the parts that could each be answered alone. Pure; no model. */

/** 40-retrieval: one to three sub-queries. */
const clausesMax = 3;
/** A part shorter than this many words says too little to be asked alone. */
const wordsMin = 2;

const separators = /[?!;\n]+|\.\s|,\s|\s(?:and|or|but|then|plus|versus|vs\.?)\s/iu;

/** The parts of a question, in order; empty when it is a single one. */
export function clausesOf(text: string): readonly string[] {
  const parts = text
    .split(separators)
    .map((part) => part.trim())
    .filter((part) => (part.match(/[\p{L}\p{N}]{2,}/gu)?.length ?? 0) >= wordsMin);
  return parts.length < 2 ? [] : parts.slice(0, clausesMax);
}
