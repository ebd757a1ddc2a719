/** Which words a line may lack, or bring, that repeats what somebody typed. Pure. */
import { foldText } from "./hard-words.ts";
import { aloneOr, either, letters, listsOf } from "./lists.ts";
import text from "./lists/restating.txt" with { type: "text" };
import { isLead } from "./orders.ts";
import { canonicalWord } from "./words.ts";

const lists = listsOf(text, "light", "courtesy", "answer", "limit", "limit, any place");

const light = new Set(lists.light.map((word) => canonicalWord(word)));
const courtesies = new Set(lists.courtesy.map((word) => canonicalWord(word)));
const answer = new RegExp(`^(?:${either(lists.answer)})$`, "iu");
const limits = new RegExp(
  `^(?:${aloneOr(letters, lists.limit)})|${either(lists["limit, any place"])}`,
  "iu",
);

/** Of a word in the form that `canonicalWord` gives: does it say nothing that its absence would not say? */
export const isLight = (word: string): boolean => light.has(word);

/** The same for what may be left out alone: words of courtesy, and endings of Japanese. */
export const isDroppable = (word: string): boolean =>
  isLight(word) || courtesies.has(word) || /^\p{Script=Hiragana}$/u.test(word);

/** Says a clause nothing of its own: "no", "by the way"? */
export const isIntroduction = (clause: string): boolean =>
  answer.test(clause) || isLead(foldText(clause));

/** Does a clause bound what was said before it: "unless Anna objects"? */
export const isLimit = (clause: string): boolean =>
  limits.test(foldText(clause).replace(/^(?:and|und|et|y|e|и|а)\s+/u, ""));
