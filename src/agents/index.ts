/**
 * Other coding agents than Claude Code: how they call hooks, what they are answered, where they keep their sessions.
 */
export { chainOf, type ChainStep, chainWord } from "./chain.ts";
export {
  type AgentFile,
  agentFiles,
  agentFolder,
  agentProgram,
  hookCommand,
  sessionsPlace,
} from "./files.ts";
export { type AgentSpec, agentSpecs, type HookedAgent, hookedAgents } from "./spec.ts";
export type { AgentSession } from "./sessions/entries.ts";
export { readAiderFile, readSessionFile, sessionFiles } from "./sessions/find.ts";
export { openCodeRow, type OpenCodeRow, readOpenCode } from "./sessions/opencode.ts";
