/**
 * Other coding agents than Claude Code: how they call hooks, what they are answered, where they keep their sessions.
 */
export { chainOf, chainWord } from "./chain.ts";
export type { ChainStep } from "./chain.ts";
export { hookCommand } from "./command.ts";
export { agentFiles } from "./files.ts";
export type { AgentFile } from "./files.ts";
export { agentFolder, agentProgram, sessionsPlace } from "./places.ts";
export { agentSpecs, hookedAgents } from "./spec.ts";
export type { AgentSpec, HookedAgent } from "./spec.ts";
export type { AgentSession } from "./sessions/entries.ts";
export { readAiderFile, readSessionFile, sessionFiles } from "./sessions/find.ts";
export { openCodeRow, readOpenCode } from "./sessions/opencode.ts";
export type { OpenCodeRow } from "./sessions/opencode.ts";
