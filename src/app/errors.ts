/** Why a database cannot be used, in one line for a person, and what to do about it. */
import type { CliError } from "#cli";
import type { HomePaths } from "#domain";
import { fullDisk } from "#keep";
import type { StorageFault } from "#server";
import { listBackups, storageFailure } from "#store";
import type { AppError } from "./context.ts";

/** A fault of file or disk that came up while the database was in use; null when the fault is ours. */
export function explainStorageFault(error: unknown, paths: HomePaths): StorageFault | null {
  const failure = storageFailure(paths.database, error);
  if (failure === null) return null;
  const { message, next } = explainOpenError(failure, paths);
  return { type: failure.type, message: next === undefined ? message : `${message}; ${next}` };
}

/** One case per failure of opening; the database file is left as it was in each. */
export function explainOpenError(error: AppError, paths: HomePaths): CliError {
  const { type } = error;
  switch (type) {
    case "store.missing":
      return {
        type,
        message: "no database yet",
        next: 'run `continuity install` and use Claude Code, or `continuity remember "…"`',
      };
    case "store.corrupt":
      return {
        type,
        message: `the database ${error.path} is corrupt (${error.detail}) and was not modified`,
        next:
          listBackups(paths.backups).length === 0
            ? `move it away and restore a backup from ${paths.backups}`
            : "run `continuity restore`: it restores the newest valid backup",
      };
    case "store.foreign":
      return {
        type,
        message: `another program changed the database ${error.path}: ${error.detail}`,
        next: "remove what is not continuity's, or run `continuity restore` to go back to a backup",
      };
    case "store.newer":
      return {
        type,
        message:
          `the database ${error.path} was written by a newer version ` +
          `(schema ${error.found}, this one knows ${error.known}) and was not modified`,
        next: "install the newer version of continuity",
      };
    case "store.network-file-system":
      return {
        type,
        message: `the database is on a network file system (${error.detail}), where SQLite is not safe`,
        next: "set CONTINUITY_HOME to a local folder",
      };
    case "store.outdated":
      return {
        type,
        message: `the database ${error.path} is of an older version`,
        next: "run `continuity flush`: the daemon upgrades it",
      };
    case "store.unavailable": {
      const full = fullDisk(paths.root);
      return {
        type,
        message: `the database ${error.path} cannot be used: ${error.detail}`,
        next: `check its permissions and the free disk space${full === null ? "" : `; ${full}`}`,
      };
    }
    case "embed.failed":
      return { type, message: `the embedded model cannot be read: ${error.detail}` };
  }
}
