/** Does a sentence ask for work, as those do that stand behind an order to remember: "Now fix the timer"? Pure. */
import { either, listsOf } from "./lists.ts";
import text from "./lists/tasks.txt" with { type: "text" };

const lists = listsOf(text, "turn", "turn, any place", "verb", "determiner", "no verb");

const end = String.raw`(?![\p{L}\p{N}'’-]|\.\p{L})`;
const opening = String.raw`^[\s>*_"'(-]*(?:(?:and|also|so|und|et|y|e|и)\s+)?`;
const turn = new RegExp(`${opening}(?:${either(lists.turn)})${end}`, "iu");
const turnAnywhere = new RegExp(either(lists["turn, any place"]), "u");
const finite = "is|are|was|were|has|have|can|must|takes?|runs?";
/** "Run book: …", "Test runs take an hour": a verb that is a noun has its own verb behind it, or a colon. */
const verb = new RegExp(
  `${opening}(?:${either(lists.verb)})${end}(?!\\s*[:：]|\\s+(?:\\S+\\s+)?(?:${finite})${end})`,
  "iu",
);
/** Not where the determiner comes first, or a plural: there a subject begins. */
const governing = new RegExp(
  `${opening}(?!(?:${either(lists.determiner)}|\\p{L}+s|${either(lists["no verb"])})${end})` +
    `\\p{L}+\\s+(?:${either(lists.determiner)})${end}`,
  "iu",
);

/** Tells nothing to keep: it turns to the work at hand, or is an imperative. */
export const asksForWork = (sentence: string): boolean =>
  [turn, turnAnywhere, verb, governing].some((pattern) => pattern.test(sentence));
