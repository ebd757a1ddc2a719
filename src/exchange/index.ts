/**
 * Imports and exports. In: other programs' records of a user's past, and our own exports, as items
 * that the daemon takes; readers run in the process of the command, so that the daemon serves hooks
 * meanwhile, and only the daemon writes. Out: an export as one stream of lines, or as a folder of
 * readable files. Between machines: the log of revisions (`sync/`), and what members of a team give
 * each other (`team/`, docs/team.md).
 */
export { createImporter, type Importer, type Taken } from "./apply.ts";
export { planAgentFiles, planOpenCode } from "./agents.ts";
export { planClaudeCode } from "./claude-code/read.ts";
export { claudeMemDatabase, planClaudeMem } from "./claude-mem/read.ts";
export { planContinuity } from "./continuity/read.ts";
export { planMcpMemory } from "./mcp-memory/read.ts";
export { exportLines, writeLinesFolder, writeMarkdownFolder } from "./out/folder.ts";
export { runImport } from "./run.ts";
export { type ReadContext, type ReadPlan, SourceFailure } from "./source.ts";
export type { Outgoing, PeerState } from "./sync/log/peer.ts";
export type { TeamContext } from "./team/text.ts";

// Loaded by a daemon whose home is shared, and by no other.

export const loadLog = async () => import("./sync/log/peer.ts");
export const loadTeam = async () => import("./team/peer.ts");
export const loadWatch = async () => import("./sync/run/open.ts");
