/** The door of the store. Everything else is reached through the Store port that `openStore` gives. */
export { openForeign } from "./foreign.ts";
export { networkFileSystemAt, storageFailure } from "./files.ts";
export { openStore } from "./open.ts";
export { createForgottenTextMatcher } from "./forgotten-texts.ts";
export {
  backupName,
  backupsHolding,
  cleanBackup,
  listBackups,
  rotateBackups,
  storedFiles,
} from "./backups.ts";
export { lossMark, noteLoss } from "./lost-frames.ts";
export { checkBackup, checkDatabase, checkOurs, takeSnapshot } from "./snapshot.ts";
export {
  newestGoodBackup,
  recoverDatabase,
  restoreBackup,
  type Restored,
  saveFingerprints,
} from "./restore.ts";
export type { StartStore } from "./start.ts";
export { openForStart } from "./start.ts";
