/** Marks by which a line shows that another speaks in it, as lists/citations.txt has them. Pure. */
import { aloneOr, letters, listsOf } from "./lists.ts";
import text from "./lists/citations.txt" with { type: "text" };

const lists = listsOf(text, "says", "says, any place", "found", "found, any place");

const any = (name: "found" | "says"): RegExp =>
  new RegExp(aloneOr(letters, lists[name], lists[`${name}, any place`]), "iu");

export const says = any("says");
export const found = any("found");

/** Cites somebody or something anywhere in it. */
export const cites = (sentence: string): boolean => says.test(sentence) || found.test(sentence);
