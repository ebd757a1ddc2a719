/**
 * What models are asked, and how far their answers are believed. Pure: templates in, prompts out; replies in, bounded
 * and grounded values out. Must not know providers, budgets or the store.
 */
export { remarksOf } from "./condense-remarks.ts";
export { condense, signsOf } from "./condense.ts";
export type { Condensed, CondenseTool, CondenseTurn } from "./condense.ts";
export { promptLimits } from "./limits.ts";
export { requestOf } from "./prompt.ts";
export type { PromptOf, RenderedPrompt } from "./prompt.ts";
export { recordRoomOf, sessionPrompt } from "./session.ts";
export type { SessionReply } from "./session.ts";
export type { KnownSlot, SessionInput } from "./session-input.ts";
export type { ProposedMemory, Refusal } from "./session-check.ts";
