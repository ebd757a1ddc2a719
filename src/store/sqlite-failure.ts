/** Translates what SQLite throws while a database is opened. */
import type { OpenError } from "#domain";

/** `store.corrupt` for a damaged file; `store.unavailable` for everything else (rights, disk full, locked). */
export function sqliteFailure(path: string, error: unknown): OpenError {
  const code = codeOf(error);
  const detail = error instanceof Error ? error.message : String(error);
  const isCorrupt =
    code.startsWith("SQLITE_CORRUPT") ||
    code.startsWith("SQLITE_NOTADB") ||
    code === "SQLITE_IOERR_SHORT_READ";
  return { type: isCorrupt ? "store.corrupt" : "store.unavailable", path, detail };
}

/** True when another connection holds a lock. */
export const isBusy = (error: unknown): boolean => codeOf(error).startsWith("SQLITE_BUSY");

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
