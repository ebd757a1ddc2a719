/**
 * Language models: what one is asked and how far its answers are believed (`prompts/`, pure), and who answers, at what
 * cost (`llm/`: the only place that knows a provider, loaded only when a model is configured: `#models/llm`).
 */
export { agentClis, findAgentCli, isLoggedIn } from "./llm/agent-clis.ts";
export { findClaude } from "./llm/claude-cli.ts";
export { chooseProvider, createProvider } from "./llm/choose.ts";
export { createLlm, type OpenLlm } from "./llm/create-llm.ts";
export { openJsonPost } from "./llm/json-post.ts";
export { remarksOf } from "./prompts/condense-plan.ts";
export { condense, type Condensed, signsOf } from "./prompts/condense.ts";
export type { CondenseTool } from "./prompts/condense-choices.ts";
export type { CondenseTurn } from "./prompts/condense-turn.ts";
export { promptLimits } from "./prompts/reply.ts";
export { type PromptOf, requestOf } from "./prompts/prompt.ts";
export { roomOf, sessionPrompt, type SessionReply } from "./prompts/session.ts";
export type { KnownSlot, SessionInput } from "./prompts/session-input.ts";
export { isPlanned, type ProposedMemory, withoutPlanMark } from "./prompts/session-check.ts";

/** Whoever asks a language model: loaded only where one is configured. */
export const loadLlm = async () => import("./llm/index.ts");
