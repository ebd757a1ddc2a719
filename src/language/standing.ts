/** Does a typed text correct the agent? Pure. */
import { foldText } from "./hard-words.ts";
import { aloneOr, either, letters, listsOf } from "./lists.ts";
import text from "./lists/standing.txt" with { type: "text" };

const lists = listsOf(text, "no", "correcting", "correcting, any place");

/** Takes the agent back: the beginning of a sentence, or a reproach. */
const correcting = new RegExp(
  either([
    String.raw`(?:^|[.!?\n]\s*)(?:${either(lists.no)})(?=[\s,.!:;—-]|$)`,
    aloneOr(letters, lists.correcting, lists["correcting, any place"]),
  ]),
  "iu",
);

/** Takes the agent back: the words of a correction, without those of a rule. */
export const isCorrection = (typed: string): boolean => correcting.test(foldText(typed));
