/**
 * What of a prompt its user typed: without the client's own texts, and without what was pasted. Pure.
 * Must not know what is done with the words.
 */
export { withoutClientBlocks } from "./blocks.ts";
export { isClientText, type PromptKind, readPrompt, type ReadPrompt } from "./read-prompt.ts";
