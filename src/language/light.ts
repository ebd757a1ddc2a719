/**
 * The light door of words: what a session start needs when it reads the database itself. What it does not name is not
 * loaded.
 */
export { digestWords, readWords } from "./query-words.ts";
export { isForAWhile, namesLastDay } from "./said-end.ts";
