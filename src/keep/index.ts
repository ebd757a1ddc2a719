/** What keeps a home whole: archive of transcripts, backups, recovery of a damaged database, a look at the disk. */
export { type Archived, linesOf, listArchive, writeTranscript } from "./archive.ts";
export {
  type Background,
  createBackground,
  runBackgroundTask,
  scrubFiles,
  withBackground,
} from "./background.ts";
export {
  clearLost,
  clearMissing,
  damageWarnings,
  lostEvents,
  lostFix,
  openRecovered,
  watchedApp,
} from "./damage.ts";
export { existingFolder, freeBytes, fullDisk, writeFault } from "./disk.ts";
export { isInPackage, settledPath, settleProgram, unsettleProgram } from "./settled-program.ts";
