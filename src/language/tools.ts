/** Names of tools and what they are for, so that two of a kind are known as rivals. Pure: lists and lookups. */
import { allListsOf } from "./lists.ts";
import text from "./lists/tools.txt" with { type: "text" };

const lists = new Map(allListsOf(text));

/** Words that are tools only beside other evidence: they are common English too. */
const ambiguous = new Set(lists.get("common English"));
lists.delete("common English");

/** Every family (what its tools are for) with its tools. */
export const toolFamilies: ReadonlyMap<string, readonly string[]> = lists;

const tools = new Set([...toolFamilies.values()].flat());

/** A tool beyond doubt: in a family and not a common English word. */
export const isTool = (word: string): boolean => tools.has(word) && !ambiguous.has(word);
