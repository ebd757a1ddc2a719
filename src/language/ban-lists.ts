/** Reads the words by which people forbid something. Pure. */
import { aloneOr, allListsOf, either, letters } from "./lists.ts";
import text from "./lists/bans.txt" with { type: "text" };

export const banLists = allListsOf(text);
export const list = (name: string): readonly string[] => banLists.get(name) ?? [];
/** The same for scripts without spaces. */
export const places = (name: string): readonly string[] => list(`${name}, any place`);
export const anyOf = (name: string): RegExp =>
  new RegExp(aloneOr(letters, list(name), places(name)), "u");

/** English says it before what is forbidden, with no more between than this. */
export const before = String.raw`(?<!\p{L})(?:${either(list("ban"))}) (?:(?:${either(list("filler"))}) )*`;
export const bare = String.raw`(?<!\p{L})(?:${either(list("ban, bare"))}) (?:the |any )?`;
export const behind = ` (?:${either(list("banned"))})`;
