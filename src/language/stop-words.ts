/** English words that say nothing about a subject. Left out of lexical queries. */
import { phrasesOf } from "./lists.ts";
import text from "./lists/stop-words.txt" with { type: "text" };

export const stopWords: ReadonlySet<string> = new Set(phrasesOf(text));
