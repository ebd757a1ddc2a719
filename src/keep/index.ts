/** What keeps a home whole: archive of transcripts, backups, recovery of a damaged database, a look at the disk. */
export { linesOf, listArchive } from "./archive.ts";
export type { Archived } from "./archive.ts";
export { createBackground, runBackgroundTask, withBackground } from "./background.ts";
export type { Background } from "./background.ts";
export { clearMissing, damageWarnings, openRecovered, watchedApp } from "./damage.ts";
export { existingFolder, freeBytes, fullDisk, writeFault } from "./disk.ts";
export { clearLost, lostEvents, lostFix } from "./lost.ts";
export { isInPackage, settledPath, settleProgram, unsettleProgram } from "./settled-program.ts";
export { scrubFiles } from "./scrub-files.ts";
export { writeTranscript } from "./unarchive.ts";
