/** Other coding agents than Claude Code: how they call hooks, what they are answered, where they keep their sessions. */
export { hookAdapter } from "./hook.ts";
export { agentSpecs, hookedAgents } from "./spec.ts";
export type { AgentSpec, HookedAgent } from "./spec.ts";
