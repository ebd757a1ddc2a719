/** The door of the store. Everything else is reached through the Store port that `openStore` gives. */
export { openForeign } from "./foreign.ts";
export { networkFileSystemAt } from "./network-fs.ts";
export { openStore } from "./open.ts";
export type { OpenOptions } from "./open.ts";
export { storageFailure } from "./sqlite-failure.ts";
export { createForgottenTextMatcher } from "./forgotten-texts.ts";
export { backupsHolding, cleanBackup } from "./backup-clean.ts";
export { backupName, listBackups, rotateBackups, storedFiles } from "./backups.ts";
export type { Backup } from "./backups.ts";
export { lossMark, noteLoss } from "./lost-frames.ts";
export { checkBackup, checkDatabase, checkOurs, takeSnapshot } from "./snapshot.ts";
export {
  newestGoodBackup,
  recoverDatabase,
  recoveryMeta,
  restoreBackup,
  saveFingerprints,
} from "./restore.ts";
export type { Restored } from "./restore.ts";
