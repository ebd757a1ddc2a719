/**
 * The folder of backups: what lies in it, what may go, and forgotten text taken out of it. Names carry the time, so
 * that a folder that was copied keeps its order. Knows nothing of what is in a backup.
 */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  type Clock,
  err,
  fileNamesIn,
  isoTime,
  msPerDay,
  ok,
  parseNow,
  type Random,
  type Result,
} from "#kit";
import type { OpenError, PortableRecord, Store } from "#domain";
import {
  createForgottenTextMatcher,
  normalise,
  replayForgotten,
  stringsIn,
} from "./forgotten-texts.ts";
import { migrations, preflight } from "./preflight.ts";
import { openStore } from "./open.ts";
import { readableRecords } from "./portable.ts";
import { textOf } from "./portable-put.ts";
import { databaseMark, headOf, openToRead, sqliteFailure } from "./files.ts";
import { checkDatabase, persist } from "./snapshot.ts";
import { createSql } from "./sql.ts";

export interface Backup {
  readonly path: string;
  readonly name: string;
  /** The time at which it was made, epoch ms. */
  readonly atMs: number;
  readonly bytes: number;
  /** `migration`: made before an upgrade of the schema. */
  readonly cause: "backup" | "migration";
}

const namePattern = /^continuity-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z\.db$/;
const migrationPattern = /^before-v\d+-from-v\d+-[0-9a-f]+\.db$/;
const asidePattern = /^(?:damaged|replaced)-\d{8}T\d{9}Z\.db$/;

/** `20261120T080546123Z`: sorts like the time it says. */
const stampOf = (ms: number): string => isoTime(ms).replaceAll(/[-:.]/g, "");

export const backupName = (nowMs: number): string => `continuity-${stampOf(nowMs)}.db`;

/** Name for a file that was taken out of service. */
export const asideName = (why: "damaged" | "replaced", nowMs: number): string =>
  `${why}-${stampOf(nowMs)}.db`;

/** Backups in a folder, the newest first; files that are none are not listed. */
export function listBackups(folder: string): readonly Backup[] {
  return fileNamesIn(folder)
    .flatMap((name) => backupAt(folder, name) ?? [])
    .toSorted((a, b) => b.atMs - a.atMs || b.name.localeCompare(a.name));
}

function backupAt(folder: string, name: string): Backup | null {
  const path = join(folder, name);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) return null;
  const parts = namePattern.exec(name)?.slice(1);
  if (parts !== undefined) {
    const [year, month, day, hour, minute, second, ms] = parts;
    const atMs = parseNow(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
    return atMs === null ? null : { path, name, atMs, bytes: stat.size, cause: "backup" };
  }
  if (!migrationPattern.test(name)) return null;
  return { path, name, atMs: Math.floor(stat.mtimeMs), bytes: stat.size, cause: "migration" };
}

/** The last backup of each of so many days that have one, and of each of so many weeks before that. */
const daysKept = 7;
const weeksKept = 4;
/** Copies from before a migration, and files taken out of service: the last few of each. */
const othersMax = 3;

/** `expendable` lists the backups that rotation may delete; the newest backup never. Pure. */
export function expendable(backups: readonly Backup[]): readonly Backup[] {
  const regular = backups.filter(({ cause }) => cause === "backup");
  const daily = lastOfEach(regular, msPerDay).slice(0, daysKept);
  const oldestDay = Math.floor((daily.at(-1)?.atMs ?? 0) / msPerDay);
  const weekly = lastOfEach(
    regular.filter(({ atMs }) => atMs < oldestDay * msPerDay),
    7 * msPerDay,
  ).slice(0, weeksKept);
  const kept = new Set([
    ...daily,
    ...weekly,
    ...backups.filter(({ cause }) => cause === "migration").slice(0, othersMax),
  ]);
  return backups.filter((backup) => !kept.has(backup));
}

/** The newest of each span; `backups` are the newest first. */
function lastOfEach(backups: readonly Backup[], spanMs: number): readonly Backup[] {
  const seen = new Set<number>();
  return backups.filter(({ atMs }) => {
    const span = Math.floor(atMs / spanMs);
    if (seen.has(span)) return false;
    seen.add(span);
    return true;
  });
}

/** Deletes what rotation may. Returns how many files went. */
export function rotateBackups(folder: string): number {
  const gone = [
    ...expendable(listBackups(folder)).map(({ path }) => path),
    ...asideFiles(folder).slice(othersMax),
  ];
  for (const path of gone)
    for (const part of ["", "-wal", "-shm"]) rmSync(`${path}${part}`, { force: true });
  return gone.length;
}

/**
 * Every file in the folder, and in folders below it, that is or was a database: of whatever name, since a person may
 * put a backup there under one of their own.
 */
export function storedFiles(folder: string): readonly string[] {
  const known = [...listBackups(folder).map(({ path }) => path), ...asideFiles(folder)];
  if (!existsSync(folder)) return known;
  const others = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !known.includes(path) && isDatabase(path));
  return [...known, ...others.toSorted()];
}

function isDatabase(path: string): boolean {
  try {
    return headOf(path, databaseMark.length).toString("latin1") === databaseMark;
  } catch {
    return false; // It went meanwhile, or is not ours to read.
  }
}

/** Damaged and replaced databases, the newest first. */
function asideFiles(folder: string): readonly string[] {
  return fileNamesIn(folder)
    .filter((name) => asidePattern.test(name))
    .toSorted((a, b) => stampIn(b).localeCompare(stampIn(a)))
    .map((name) => join(folder, name));
}

const stampIn = (name: string): string => name.slice(name.indexOf("-") + 1);

// Forgotten text in the folder of backups: which files still hold it, and taking it out of them. A file is made anew
// beside the old one and takes its place in one step.

interface HeldBackup {
  readonly path: string;
  /** `unreadable`: a damaged file, whose texts cannot be checked. */
  readonly state: "holds" | "unreadable";
}

/** Backups, and files that were taken out of service, that hold one of these texts. Reads them as a whole. */
export function backupsHolding(
  folder: string,
  texts: readonly string[],
  words: readonly string[] = [],
): readonly HeldBackup[] {
  const isHit = hitTest(texts, words);
  return storedFiles(folder).flatMap((path): readonly HeldBackup[] => {
    const unreadable = { path, state: "unreadable" } as const;
    try {
      if (!preflight(path, migrations).ok) return [unreadable];
      using db = openToRead(path);
      for (const record of readableRecords(createSql(db, "readonly")))
        if (isHit(record)) return [{ path, state: "holds" }];
      // A damaged file was not read whole.
      return isDamaged(path) ? [unreadable] : [];
    } catch {
      return existsSync(path) ? [unreadable] : []; // Rotation may have taken it meanwhile.
    }
  });
}

const isDamaged = (path: string): boolean => basename(path).startsWith("damaged-");

/**
 * A memory counts when it says the same; of a longer one that merely contains it, forgetting leaves the live one as
 * well.
 */
function hitTest(
  texts: readonly string[],
  words: readonly string[],
): (record: PortableRecord) => boolean {
  const same = new Set(texts.map(normalise).filter((text) => text !== ""));
  const forgotten = createForgottenTextMatcher(texts, [], words);
  const byWord = createForgottenTextMatcher([], [], words);
  return (record) => {
    if (stringsIn(record).some(byWord.isIn)) return true;
    if (record.kind === "node" || record.kind === "revision")
      return same.has(normalise(textOf(record["l0"] ?? null)));
    return stringsIn(record).some(forgotten.isIn);
  };
}

/** Fingerprints of what was forgotten, and the texts themselves where they are known. */
interface CleanAsk {
  readonly marks: readonly PortableRecord[];
  readonly texts: readonly string[];
  /** Words that nothing may hold any more. */
  readonly words?: readonly string[];
}

/**
 * Takes what was forgotten out of one backup. It keeps its name and time, and is in the schema of this program then.
 */
export function cleanBackup(
  deps: { readonly clock: Clock; readonly random: Random },
  path: string,
  ask: CleanAsk,
): Result<{ readonly changed: boolean }, OpenError> {
  const checked = checkDatabase(path);
  if (!checked.ok) return checked;
  let folder: string | null = null;
  try {
    // A folder of its own: an upgrade leaves a copy of what it upgrades, which must not stay.
    folder = mkdtempSync(join(dirname(path), ".cleaning-"));
    const part = join(folder, basename(path));
    for (const suffix of ["", "-wal"])
      if (existsSync(`${path}${suffix}`)) copyFileSync(`${path}${suffix}`, `${part}${suffix}`);
    const opened = openStore(part, { ...deps, mode: "readwrite", backups: folder });
    if (!opened.ok) return opened;
    const changed = cleaned(opened.value, ask, deps.clock.nowMs());
    if (!changed) return ok({ changed });
    const { atime, mtime } = statSync(path);
    utimesSync(part, atime, mtime);
    persist(part);
    renameSync(part, path);
    for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    persist(dirname(path));
    return ok({ changed });
  } catch (error) {
    return err(sqliteFailure(path, error));
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

/** Closes the store. False when nothing of it was there. */
function cleaned(store: Store, { marks, texts, words = [] }: CleanAsk, nowMs: number): boolean {
  try {
    const isHit = hitTest(texts, words);
    const uris: string[] = [];
    let hits = 0;
    for (const record of texts.length + words.length === 0 ? [] : store.portable.records()) {
      if (!isHit(record)) continue;
      hits += 1;
      if (record.kind === "node") uris.push(textOf(record["uri"] ?? null));
    }
    const ids = uris.flatMap((uri) => store.nodes.byUri(uri)?.id ?? []);
    if (hits > 0) store.nodes.forget(ids, texts, nowMs, words);
    const replayed = replayForgotten(store, marks, nowMs);
    if (hits > 0) store.admin.purge();
    return hits + replayed > 0;
  } finally {
    store[Symbol.dispose]();
  }
}
