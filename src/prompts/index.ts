/**
 * What models are asked, and how far their answers are believed. Pure: templates in, prompts out; replies in, bounded
 * and grounded values out. Must not know providers, budgets or the store.
 */
export { condense, typedIn } from "./condense.ts";
export type { Condensed, CondenseTool, CondenseTurn } from "./condense.ts";
export { evaluatePrompt } from "./evaluate.ts";
export type { EvaluatedTurn, EvaluateInput, EvaluateTurn } from "./evaluate.ts";
export { promptLimits } from "./limits.ts";
export { narratePrompt } from "./narrate.ts";
export type { NarratedEpisode, NarrateInput } from "./narrate.ts";
export { observePrompt } from "./observe.ts";
export type { ObservedTurn, ObserveInput, ObserveTurn } from "./observe.ts";
export {
  correctedByUser,
  profileOf,
  profileToText,
  renderProfile,
  statementId,
} from "./profile.ts";
export type { ProfileSection, RelationalStatement } from "./profile.ts";
export { requestOf } from "./prompt.ts";
export type { PromptOf, RenderedPrompt } from "./prompt.ts";
export { relationalPrompt } from "./relational.ts";
export type { RelationalInput } from "./relational.ts";
export { searchPrompt } from "./search.ts";
export type { SearchInput, SubQuery } from "./search.ts";
export { sessionPrompt } from "./session.ts";
export type { SessionReply } from "./session.ts";
export type { KnownSlot, SessionInput } from "./session-input.ts";
export type { ProposedMemory, Refusal } from "./session-check.ts";
export { summaryPrompt } from "./summary.ts";
export type { SummaryFields, SummaryInput } from "./summary.ts";
export type { WindowTurn } from "./window.ts";
