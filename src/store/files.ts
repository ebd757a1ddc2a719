/** Files that somebody names, before they are opened, and files that only their owner can read. */
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  statSync,
  accessSync,
  constants,
  existsSync,
} from "node:fs";
import { dirname } from "node:path";
import { Database, constants as sqlite } from "bun:sqlite";

/** Only regular files: a pipe would wait for ever, and a link may lead anywhere. Null = it is one. */
export function notAFile(path: string): string | null {
  try {
    const facts = lstatSync(path);
    if (facts.isSymbolicLink()) return `${path} is a symbolic link; name the file that it leads to`;
    if (facts.isDirectory()) return `${path} is a folder`;
    return facts.isFile() ? null : `${path} is no regular file`;
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isMissing ? `there is no ${path}` : `${path} cannot be read`;
  }
}

/** Makes the folder (0700) and an empty file (0600) unless they exist; takes the rights of others from the file. */
export function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, "a", 0o600));
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
}

// Connections that never write a byte of a database.

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
