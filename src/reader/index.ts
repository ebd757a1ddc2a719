/**
 * What of a prompt its user typed: without the client's own texts, and without what was pasted. Pure.
 * Must not know what is done with the words.
 */
export { readPrompt } from "./read-prompt.ts";
export type { PromptKind, ReadPrompt } from "./read-prompt.ts";
