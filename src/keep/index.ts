/**
 * Keeps a home whole: archive of transcripts, backups, recovery of a damaged database, a look at
 * the disk; and the doctor, who proves each link of the chain from the client to the memory and
 * names the fix of what is broken (`doctor/`).
 */
export { type Archived, linesOf, listArchive, writeTranscript } from "./archive.ts";
export { createBackground, runBackgroundTask, scrubFiles } from "./background.ts";
export {
  clearLost,
  clearMissing,
  damageWarnings,
  lostEvents,
  lostFix,
  openRecovered,
  watchDamage,
} from "./damage.ts";
export { fullDisk, writeFault } from "./damage.ts";
export {
  isCopy,
  isSameFile,
  settledPath,
  settledVersion,
  settleProgram,
  unsettleProgram,
} from "./settled-program.ts";
export {
  daemonFacts,
  type Facts,
  failed,
  homeFacts,
  type ModelFacts,
  skipped,
  type StoreFacts,
} from "./doctor/facts.ts";
export { diagnose, type HookRun, selfTest, type SelfTestPorts } from "./doctor/diagnose.ts";
export { type InstalledHook, installFacts } from "./doctor/facts-install.ts";
export { agentChecks } from "./doctor/agents.ts";
