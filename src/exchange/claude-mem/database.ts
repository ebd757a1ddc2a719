/** Where claude-mem keeps its database. Opens nothing. */
import { lstatSync } from "node:fs";
import { join } from "node:path";

/** The database in the folder that is named; anything else is taken for the database itself. */
export const claudeMemDatabase = (path: string): string =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    ? join(path, "claude-mem.db")
    : path;
