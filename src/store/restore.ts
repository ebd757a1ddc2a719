/**
 * Puts a backup in the place of the database. The caller holds the daemon's lock. The new file is made ready beside the
 * old one and takes its place in one step; the old one is kept.
 */
import { Database } from "bun:sqlite";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { HomePaths, OpenError, PortableRecord, Store } from "#domain";
import { err, isRecord, ok, parseJson, type Clock, type Random, type Result } from "#kit";
import { asideName, listBackups } from "./backups.ts";
import { openStore } from "./open.ts";
import { fingerprints, readableRecords } from "./portable.ts";
import { replayForgotten } from "./forgotten-texts.ts";
import { checkBackup, discardPart, persist } from "./snapshot.ts";
import { createSql, type Sql } from "./sql.ts";
import { sqliteFailure } from "./files.ts";

export interface RestoreContext {
  readonly clock: Clock;
  readonly paths: Pick<HomePaths, "database" | "backups">;
  readonly random: Random;
}

export interface Restored {
  readonly backup: string;
  /** The place of the old database now; null when there was none. */
  readonly aside: string | null;
  /** Records that only the damaged database had and that could still be read. */
  readonly salvaged: number;
  /** Texts that were in the backup and had been forgotten since. */
  readonly forgotten: number;
}

/**
 * Restores one backup. `why` says what the database that is there now is: one that is `damaged` is also read for what
 * is newer than the backup.
 */
export function restoreBackup(
  context: RestoreContext,
  backup: string,
  why: "damaged" | "replaced",
): Result<Restored, OpenError> {
  const { paths, random } = context;
  const checked = checkBackup(backup);
  if (!checked.ok) return checked;
  const part = `${paths.database}.restoring-${random.hex(8)}`;
  try {
    copyFileSync(backup, part);
    const opened = openStore(part, { ...context, mode: "readwrite", backups: paths.backups });
    if (!opened.ok) return opened;
    if (why === "replaced") settleLog(paths.database);
    const counts = ready(context, opened.value, why);
    persist(part);
    const aside = putInPlace(context, part, why);
    return ok({ backup, aside, ...counts });
  } catch (error) {
    return err(sqliteFailure(paths.database, error));
  } finally {
    discardPart(part);
  }
}

/** Writes what is in the log of a sound database into it, so that the file that is kept is whole by itself. */
function settleLog(database: string): void {
  if (!existsSync(`${database}-wal`) || !existsSync(database)) return;
  try {
    const db = new Database(database, { readwrite: true });
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
  } catch {
    // Then the log is kept beside it.
  }
}

/** Brings a copy of the backup up to date: salvage, then what was forgotten. Closes it. */
function ready({ paths, clock }: RestoreContext, store: Store, why: "damaged" | "replaced") {
  try {
    const marks = [...savedFingerprints(paths.backups), ...currentFingerprints(paths.database)];
    const salvaged = why === "damaged" ? salvage(store, paths.database) : 0;
    const replaced = currentMemories(paths.database);
    return { salvaged, forgotten: replayForgotten(store, marks, clock.nowMs(), replaced) };
  } finally {
    store[Symbol.dispose]();
  }
}

function salvage(store: Store, database: string): number {
  return (
    reading(database, (sql) =>
      store.transaction(() => {
        let count = 0;
        for (const record of readableRecords(sql))
          if (store.portable.put(record).outcome === "created") count += 1;
        return count;
      }),
    ) ?? 0
  );
}

const currentFingerprints = (database: string): readonly PortableRecord[] =>
  reading(database, (sql) => [...fingerprints(sql)]) ?? [];

/** `currentMemories` reads the database that is replaced: some of it may have been forgotten before and said again. */
const currentMemories = (database: string): readonly PortableRecord[] =>
  reading(database, (sql) => [...readableRecords(sql, ["node"])]) ?? [];

/** Whatever can be read of a database, sound or not; null when it cannot even be opened. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
function reading<Value>(database: string, work: (sql: Sql) => Value): Value | null {
  if (!existsSync(database) || !statSync(database).isFile()) return null;
  let db: Database | null = null;
  try {
    db = new Database(database, { readonly: true });
    db.run("PRAGMA cell_size_check = ON");
    return work(createSql(db, "readonly"));
  } catch {
    return null; // Nothing of it can be read.
  } finally {
    db?.close();
  }
}

/**
 * The old file gets a second name, then the new one takes the first in one step. A log of the old one must go before:
 * it would be applied to the new one.
 */
function putInPlace(
  { paths, clock }: RestoreContext,
  part: string,
  why: "damaged" | "replaced",
): string | null {
  const { database, backups } = paths;
  const isThere = existsSync(database);
  const aside = join(backups, asideName(why, clock.nowMs()));
  mkdirSync(backups, { recursive: true, mode: 0o700 });
  rmSync(`${database}-shm`, { force: true });
  if (existsSync(`${database}-wal`)) keepLog(`${database}-wal`, `${aside}-wal`);
  if (isThere) linkSync(database, aside);
  renameSync(part, database);
  persist(dirname(database));
  return isThere ? aside : null;
}

function keepLog(from: string, to: string): void {
  if (statSync(from).size === 0) rmSync(from);
  else renameSync(from, to);
}

/** The newest backup that is sound and that this program can read. */
export const newestGoodBackup = (folder: string): string | null =>
  listBackups(folder).find(({ path }) => checkBackup(path).ok)?.path ?? null;

/** Restores the newest good backup over a damaged database, and notes it. Null when there is none. */
export function recoverDatabase(context: RestoreContext): Result<Restored, OpenError> | null {
  const backup = newestGoodBackup(context.paths.backups);
  if (backup === null) return null;
  const restored = restoreBackup(context, backup, "damaged");
  if (!restored.ok) return restored;
  const opened = openStore(context.paths.database, { ...context, mode: "readwrite" });
  if (!opened.ok) return opened;
  const { value: store } = opened;
  store.admin.setMeta(
    "recovery.last",
    JSON.stringify({ at: context.clock.nowMs(), ...restored.value }),
  );
  store[Symbol.dispose]();
  return restored;
}

const fingerprintsName = "forgotten.jsonl";
const fingerprintsBytesMax = 50_000_000;

/** Keeps the fingerprints beside the backups: a damaged database must not make anything be remembered again. */
export function saveFingerprints(folder: string, store: Store): void {
  const records = store.portable.fingerprints();
  const file = join(folder, fingerprintsName);
  if (records.length === 0 && !existsSync(file)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  writeFileSync(`${file}.part`, text, { mode: 0o600 });
  persist(`${file}.part`);
  renameSync(`${file}.part`, file);
}

function savedFingerprints(folder: string): readonly PortableRecord[] {
  const file = join(folder, fingerprintsName);
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes === 0 || bytes > fingerprintsBytesMax) return [];
  return readFileSync(file, "utf8").split("\n").map(parseJson).filter(isPortable);
}

/** `put` looks at the rest: here only JSON is told from garbage. */
const isPortable = (value: unknown): value is PortableRecord => isRecord(value) && "kind" in value;
