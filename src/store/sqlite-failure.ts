/** Translates what SQLite throws. */
import type { OpenError } from "#domain";

export type StorageFailure = Extract<
  OpenError,
  { readonly type: "store.corrupt" | "store.unavailable" }
>;

/** `store.corrupt` for a damaged file; `store.unavailable` for everything else (rights, disk full, locked). */
export function sqliteFailure(path: string, error: unknown): StorageFailure {
  const code = codeOf(error);
  const detail = error instanceof Error ? error.message : String(error);
  const isCorrupt =
    code.startsWith("SQLITE_CORRUPT") ||
    code.startsWith("SQLITE_NOTADB") ||
    code === "SQLITE_IOERR_SHORT_READ";
  return { type: isCorrupt ? "store.corrupt" : "store.unavailable", path, detail };
}

const storageCodes = /^SQLITE_(?:CORRUPT|NOTADB|FULL|IOERR|READONLY|CANTOPEN)/;

/** The same for a database in use: null when the fault is ours and not that of file or disk. */
export const storageFailure = (path: string, error: unknown): StorageFailure | null =>
  storageCodes.test(codeOf(error)) ? sqliteFailure(path, error) : null;

/** True when another connection holds a lock. */
export const isBusy = (error: unknown): boolean => codeOf(error).startsWith("SQLITE_BUSY");

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
