/**
 * Does a typed text lay down something for later, or correct the agent? A model that says "rule" is believed only then.
 * Generous: the model has read the sentence, this list only stops rules made of orders. Pure.
 */
import { foldText } from "./hard-words.ts";
import { aloneOr, either, letters, listsOf } from "./lists.ts";
import text from "./lists/standing.txt" with { type: "text" };

const lists = listsOf(
  text,
  "standing",
  "standing, any place",
  "no",
  "correcting",
  "correcting, any place",
);

/** Said as standing: adverbs, duties, habits and wishes. */
const standing = new RegExp(aloneOr(letters, lists.standing, lists["standing, any place"]), "iu");

/** Takes the agent back: the beginning of a sentence, or a reproach. */
const correcting = new RegExp(
  either([
    String.raw`(?:^|[.!?\n]\s*)(?:${either(lists.no)})(?=[\s,.!:;—-]|$)`,
    aloneOr(letters, lists.correcting, lists["correcting, any place"]),
  ]),
  "iu",
);

export const isStandingOrCorrection = (typed: string): boolean => {
  const plain = foldText(typed);
  return standing.test(plain) || correcting.test(plain);
};

/** Takes the agent back: the words of a correction, without those of a rule. */
export const isCorrection = (typed: string): boolean => correcting.test(foldText(typed));
