/** Marks by which a line shows that another speaks in it, as lists/citations.txt has them. Pure. */
import { aloneOr, letters, listsOf } from "./lists.ts";
import text from "./lists/citations.txt" with { type: "text" };

export const citationLists = listsOf(
  text,
  "lists",
  "lists, any place",
  "works",
  "works, any place",
  "texts",
  "texts, a line apart",
  "texts, a line apart, any place",
  "texts, any place",
  "closes",
  "closes, any place",
  "says",
  "says, any place",
  "found",
  "found, any place",
  "files",
  "files, any place",
  "speakers",
  "writes",
  "asks",
  "asks, any place",
);

export const any = (
  name: "asks" | "closes" | "files" | "found" | "lists" | "says" | "texts" | "works",
): RegExp =>
  new RegExp(aloneOr(letters, citationLists[name], citationLists[`${name}, any place`]), "iu");

export const says = any("says");
export const found = any("found");

/** Cites somebody or something anywhere in it. */
export const cites = (sentence: string): boolean => says.test(sentence) || found.test(sentence);
