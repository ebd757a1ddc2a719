/**
 * The language model room: who answers, at what cost, within which limits. The only room that knows a provider.
 * Loaded only when a model is configured: nothing of it belongs into a hook, or into a daemon without a model.
 */
export { agentClis, findAgentCli, isLoggedIn } from "./agent-clis.ts";
export { findClaude } from "./claude-cli.ts";
export { chooseProvider, type ChosenProvider, createProvider } from "./choose.ts";
export type { ModelContext } from "./http.ts";
export { createLlm, type OpenLlm } from "./create-llm.ts";
export { openJsonPost } from "./json-post.ts";
export { trustingFetch } from "./key.ts";
export { modelFor } from "./meter.ts";
