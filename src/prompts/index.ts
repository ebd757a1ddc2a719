/**
 * What models are asked, and how far their answers are believed. Pure: templates in, prompts out; replies in, bounded
 * and grounded values out. Must not know providers, budgets or the store.
 */
export { remarksOf } from "./condense-plan.ts";
export {
  condense,
  type Condensed,
  type CondenseTool,
  type CondenseTurn,
  signsOf,
} from "./condense.ts";
export { promptLimits } from "./reply.ts";
export { type PromptOf, type RenderedPrompt, requestOf } from "./prompt.ts";
export { recordRoomOf, sessionPrompt, type SessionReply } from "./session.ts";
export type { KnownSlot, SessionInput } from "./session-input.ts";
export type { ProposedMemory, Refusal } from "./session-check.ts";
