/**
 * Reads small files whose absence is an answer, and writes them whole or not at all. Not for the hook path: it loads
 * node:fs.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** A file's text; null when it is not there or cannot be read. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null; // Absent or unreadable: for every caller the same as not being there.
  }
}

/** Names in a folder; none when it is not there or cannot be read. */
export function fileNamesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Writes a file for its user alone (0600), in one step. Throws when the folder takes nothing. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const next = `${path}.${process.pid}.new`;
  try {
    writeFileSync(next, content, { mode: 0o600 });
    renameSync(next, path);
  } finally {
    rmSync(next, { force: true }); // Still there when the disk was full.
  }
}
