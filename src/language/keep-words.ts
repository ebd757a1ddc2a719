/** The words by which people ask, in eight languages, that something be kept. Pure. */
import { cue, either, listsOf } from "./lists.ts";
import text from "./lists/keep.txt" with { type: "text" };

const lists = listsOf(text, "keep", "keep, any place");

/** "Remember that …" and its like. */
export const askedToKeep = {
  spaced: cue(lists.keep),
  unspaced: new RegExp(either(lists["keep, any place"]), "u"),
} as const;

/** "remember when", "remember me": no order to keep anything. */
const recalls = /^(?:please |pls )?remember,? (?!that\b|this\b)/iu;

/** Does the sentence begin with the order to keep it? Then nothing has to tell whether it is meant. */
export function isOutright(sentence: string): boolean {
  if (recalls.test(sentence)) return false;
  return [askedToKeep.spaced, askedToKeep.unspaced].some(
    (pattern) => pattern.exec(sentence)?.index === 0,
  );
}
