/** Does a typed text ask for something, and does it name the memory? By its mark and its grammar. Pure. */
import { either, aloneOr, letters, listsOf } from "./lists.ts";
import { sentencesOf } from "./sentences.ts";
import text from "./lists/questions.txt" with { type: "text" };

const lists = listsOf(text, "head", "head, any place", "memory", "memory, any place");

/** At the beginning of a sentence, behind a word or two of address ("and", "ok so"). */
const head = new RegExp(
  String.raw`^(?:\p{L}+[,:]? ){0,2}(?:${either(lists.head)})(?![\p{L}\p{N}])|${either(lists["head, any place"])}`,
  "iu",
);
const memory = new RegExp(aloneOr(letters, lists.memory, lists["memory, any place"]), "iu");

/** True where a sentence ends with a question mark, or begins as a question does. */
export const isQuestion = (typed: string): boolean =>
  sentencesOf(typed).some((one) => one.isQuestion || head.test(one.text));

/** True where the memory is named: "use project memory", "do you remember". */
export const namesMemory = (typed: string): boolean => memory.test(typed);
