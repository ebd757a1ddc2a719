/** Why a database cannot be used, in one line for a person, and what to do about it. */
import type { CliError } from "#cli";
import type { HomePaths } from "#domain";
import type { AppError } from "./app.ts";

/** One case per failure of opening; the database file is left as it was in each. */
export function explainOpenError(error: AppError, paths: HomePaths): CliError {
  const { type } = error;
  switch (type) {
    case "store.missing":
      return {
        type,
        message: "nothing is remembered yet",
        next: 'run `continuity install` and use Claude Code, or `continuity remember "…"`',
      };
    case "store.corrupt":
      return {
        type,
        message: `the database ${error.path} is corrupt (${error.detail}) and was left untouched`,
        next: `move it away and put a snapshot from ${paths.backups} in its place`,
      };
    case "store.newer":
      return {
        type,
        message:
          `the database ${error.path} was written by a newer version ` +
          `(schema ${error.found}, this one knows ${error.known}) and was left untouched`,
        next: "install the newer version of continuity",
      };
    case "store.network-file-system":
      return {
        type,
        message: `the database would lie on a network file system (${error.detail}), where SQLite cannot keep it safe`,
        next: "set CONTINUITY_HOME to a local folder",
      };
    case "store.unavailable":
      return {
        type,
        message: `the database ${error.path} cannot be opened: ${error.detail}`,
        next: "run `continuity status` again in a moment",
      };
    case "embed.failed":
      return { type, message: `the embedded model cannot be read: ${error.detail}` };
  }
}
