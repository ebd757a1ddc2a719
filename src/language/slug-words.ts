/** Words that name nothing in the address of a memory. Addresses are kept for good: this list is none of the others. */
import { phrasesOf } from "./lists.ts";
import text from "./lists/slug-words.txt" with { type: "text" };

const words = new Set(phrasesOf(text));

export const isNothingInSlug = (word: string): boolean => words.has(word);
