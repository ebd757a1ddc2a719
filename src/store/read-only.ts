/** Connections that never write a byte of a database. */
import { Database, constants as sqlite } from "bun:sqlite";
import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";

/** Opens a file for reading, also on a disk that takes no writes. Throws what SQLite throws. */
export const openToRead = (path: string): Database =>
  isSealed(path) ? openSealed(path) : new Database(path, { readonly: true });

/** Nothing is written here: the folder forbids it, and no writer has left anything to be merged. */
function isSealed(path: string): boolean {
  if (existsSync(`${path}-wal`)) return false;
  try {
    accessSync(dirname(path), constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

/** In WAL mode SQLite makes a file beside the database even for reading, unless told that nothing can change. */
const openSealed = (path: string): Database =>
  new Database(
    `file:${path.split("/").map(encodeURIComponent).join("/")}?immutable=1`,
    sqlite.SQLITE_OPEN_READONLY | sqlite.SQLITE_OPEN_URI,
  );
