/**
 * The language model room: who answers, at what cost, within which limits. The only room that knows a provider.
 * Loaded only when a model is configured: nothing of it belongs into a hook, or into a daemon without a model.
 */
export { findAgentCli, isLoggedIn } from "./agent-cli.ts";
export { agentClis } from "./agent-clis.ts";
export { findClaude } from "./claude-find.ts";
export { chooseProvider, createProvider } from "./choose.ts";
export type { ChosenProvider, Considered, ProviderDeps } from "./choose.ts";
export { createLlm } from "./create-llm.ts";
export type { LlmCondition, LlmDeps, OpenLlm } from "./create-llm.ts";
export type { BreakerState } from "./breaker.ts";
export { openJsonPost } from "./json-post.ts";
export { trustingFetch } from "./address.ts";
export { modelFor } from "./models.ts";
