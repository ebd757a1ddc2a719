/** Finds the memory that an order to forget means. Pure. */
import type { Forgetting } from "#language";
import { addedBy, wordsIn } from "./words.ts";

/** Share of a line's words that name it. */
const heldShareMin = 0.6;

/** Does the order name this line: by most of its words, or as a rule by some of them, with no other name or value? */
export function isMeant({ words, isOfWords }: Forgetting, line: string): boolean {
  const said = wordsIn(words);
  const own = new Set(wordsIn(line));
  const held = said.filter((word) => own.has(word)).length;
  if (held === 0 || addedBy(words, line) !== null) return false;
  const isNamed = held > 1 && held >= own.size * heldShareMin;
  return isNamed || (isOfWords && held === said.length);
}
