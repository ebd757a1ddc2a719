/**
 * The door of the importers: other people's records of a user's past, and our own exports, as items that the daemon takes.
 * Readers run in the process of the command, so that the daemon serves hooks meanwhile; only the daemon writes.
 */
export { createImporter } from "./apply.ts";
export type { Importer, KnownSession, Taken } from "./apply.ts";
export type { ApplyDeps } from "./applying.ts";
export { planAgentFiles, planOpenCode } from "./agents.ts";
export { planClaudeCode } from "./claude-code/read.ts";
export { claudeMemDatabase } from "./claude-mem/database.ts";
export { planClaudeMem } from "./claude-mem/read.ts";
export { planSettings } from "./claude-mem/settings.ts";
export { planContinuity } from "./continuity/read.ts";
export { planMcpMemory } from "./mcp-memory/read.ts";
export { runImport } from "./run.ts";
export type { Progress, RunDeps } from "./run.ts";
export { SourceFailure } from "./source.ts";
export type { ReaderDeps, ReadPlan } from "./source.ts";
