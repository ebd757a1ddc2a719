/**
 * A sound copy of a database of one moment, and whether a file is one. Reads through a connection of its own, so it may
 * run beside the writer, in another process; it writes nothing but its copy.
 */
import type { Database } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { OpenError } from "#domain";
import { err, ok, type Random, type Result } from "#kit";
import { migrations } from "./migrate.ts";
import { preflight } from "./preflight.ts";
import { createPrivately, notAFile } from "./files.ts";
import { openToRead } from "./read-only.ts";
import { foreignIn } from "./schema-check.ts";
import { sqliteFailure } from "./sqlite-failure.ts";

const busyTimeoutMs = 10_000;
/** Faults named at most. */
const faultsMax = 20;

/**
 * Copies `database` to `target` (0600), which appears whole or not at all and is checked before it does. Takes about a
 * second for 100,000 memories.
 */
export function takeSnapshot(
  database: string,
  target: string,
  random: Random,
): Result<{ readonly bytes: number }, OpenError> {
  const seen = preflight(database, migrations);
  if (!seen.ok) return seen;
  if (seen.value.version === 0) return err({ type: "store.missing", path: database });
  if (existsSync(target))
    return err({ type: "store.unavailable", path: target, detail: "a file is there already" });
  const part = `${target}.part-${random.hex(8)}`;
  try {
    copyInto(database, part);
    const checked = checkDatabase(part);
    if (!checked.ok) return checked;
    persist(part);
    renameSync(part, target);
    persist(dirname(target));
    return ok({ bytes: statSync(target).size });
  } catch (error) {
    return err(sqliteFailure(database, error));
  } finally {
    discardPart(part);
  }
}

/**
 * Removes an unfinished file and what SQLite leaves beside it. Only what is there: a disk that takes no writes refuses
 * even to remove what is not (tried: EROFS), and that would hide why nothing could be written.
 */
export function discardPart(part: string): void {
  for (const suffix of ["", "-journal", "-wal", "-shm"])
    if (existsSync(`${part}${suffix}`)) rmSync(`${part}${suffix}`, { force: true });
}

function copyInto(database: string, part: string): void {
  createPrivately(part);
  const db = openToRead(database);
  try {
    db.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    db.run("PRAGMA temp_store = MEMORY");
    db.query("VACUUM INTO ?").run(part);
  } finally {
    db.close();
  }
}

/**
 * Makes a file, or the names in a folder, last. Folders cannot be opened on Windows, where names last by themselves.
 */
export function persist(path: string): void {
  if (process.platform === "win32" && statSync(path).isDirectory()) return;
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

type Checked = Result<{ readonly version: number }, OpenError>;

/**
 * May this file be put in the place of the database? It is a regular one, sound, and holds our schema and nothing
 * else.
 */
export function checkBackup(path: string): Checked {
  const wrong = existsSync(path) ? notAFile(path) : null;
  return wrong === null ? checkOurs(path) : err({ type: "store.unavailable", path, detail: wrong });
}

/** As `checkDatabase`; and no trigger, view or table was added. */
export const checkOurs = (path: string): Checked =>
  checkWith(path, (db, version) => {
    const detail = foreignIn(db, version);
    return detail === null ? null : { type: "store.foreign", path, detail };
  });

/**
 * Reads a whole database (1.1 s for 100,000 memories): sound, of ours, and known to this program? Gives the schema's
 * version.
 */
export const checkDatabase = (path: string): Checked => checkWith(path, () => null);

function checkWith(
  path: string,
  more: (db: Database, version: number) => OpenError | null,
): Checked {
  const seen = preflight(path, migrations);
  if (!seen.ok) return seen;
  const { version } = seen.value;
  if (version === 0) return err({ type: "store.missing", path });
  try {
    const db = openToRead(path);
    try {
      db.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      const faults = db
        .query<{ quick_check: string }, []>(`PRAGMA quick_check(${faultsMax})`)
        .all()
        .map((row) => row.quick_check);
      if (faults.length !== 1 || faults[0] !== "ok")
        return err({ type: "store.corrupt", path, detail: faults[0] ?? "unknown" });
      const wrong = more(db, version);
      return wrong === null ? ok({ version }) : err(wrong);
    } finally {
      db.close();
    }
  } catch (error) {
    return err(sqliteFailure(path, error));
  }
}
