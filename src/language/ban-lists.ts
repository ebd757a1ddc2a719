/** Reads the words by which people forbid something. Pure. */
import { listsIn } from "./lists.ts";
import text from "./lists/bans.txt" with { type: "text" };

export const { alone, any, list, names, places } = listsIn(text);
export const anyOf = (name: string): RegExp => new RegExp(alone(name), "u");

/** English says it before what is forbidden, with no more between than this. */
export const before = String.raw`(?<!\p{L})(?:${any("ban")}) (?:(?:${any("filler")}) )*`;
export const bare = String.raw`(?<!\p{L})(?:${any("ban, bare")}) (?:the |any )?`;
export const behind = ` (?:${any("banned")})`;
