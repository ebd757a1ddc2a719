/** Reads the words by which people forbid something. Pure. */
import { aloneOr, allListsOf, letters } from "./lists.ts";
import text from "./lists/bans.txt" with { type: "text" };

export const banLists = allListsOf(text);
export const list = (name: string): readonly string[] => banLists.get(name) ?? [];
/** The same for scripts without spaces. */
export const places = (name: string): readonly string[] => list(`${name}, any place`);
export const anyOf = (name: string): RegExp =>
  new RegExp(aloneOr(letters, list(name), places(name)), "u");
