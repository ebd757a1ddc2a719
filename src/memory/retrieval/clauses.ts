/** Splits a question into the parts that could each be answered alone. Pure; no model. */

/** docs/design/retrieval.md, "Search": one to three parts. */
const clausesMax = 3;
/** A part shorter than this many words says too little to be asked alone. */
const wordsMin = 2;

/**
 * Each side of these could be a question of its own. A full stop ends a sentence only after a whole word ("Dr." does
 * not).
 */
const ends = /[?!;\n]+|(?<=\p{L}{4})\.\s/u;
/** These also join words within one question: what follows must begin like a question of its own. */
const asks = "(?:what|where|when|why|how)\\s";
const asksAfterJoin = `(?:${asks}|(?:which|who|whom|whose)\\s|(?:do|does|did|is|are|was|were|has|have|can|could|should|would|will)\\s(?:i|we|you|he|she|it|they|there|the|this|that|these|our|my|a|an)\\s)`;
const joins = new RegExp(
  `,?\\s(?:and|or|but|then|plus)\\s(?=${asksAfterJoin})|,\\s(?=${asks})`,
  "iu",
);

/** The parts of a question, in order; empty when it is a single one. */
export function clausesOf(text: string): readonly string[] {
  const parts = text
    .split(ends)
    .flatMap((part) => part.split(joins))
    .map((part) => part.trim())
    .filter((part) => (part.match(/[\p{L}\p{N}]{2,}/gu)?.length ?? 0) >= wordsMin);
  return parts.length < 2 ? [] : parts.slice(0, clausesMax);
}
