/**
 * The folder of backups: what lies in it, and what may go. Names carry the time, so that a folder that was copied keeps
 * its order. Knows nothing of what is in a backup.
 */
import { closeSync, existsSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isoTime, msPerDay, parseNow } from "#kit";

export interface Backup {
  readonly path: string;
  readonly name: string;
  /** When it was made, epoch ms. */
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
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
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

export interface Keep {
  /** The last backup of each of so many days that have one. */
  readonly days: number;
  /** The last of each of so many weeks before that. */
  readonly weeks: number;
}

/** Copies from before a migration, and files taken out of service: the last few of each. */
const othersMax = 3;

/** What rotation may delete; the newest backup never. Pure. */
export function expendable(backups: readonly Backup[], keep: Keep): readonly Backup[] {
  const regular = backups.filter(({ cause }) => cause === "backup");
  const daily = lastOfEach(regular, msPerDay).slice(0, Math.max(1, keep.days));
  const oldestDay = Math.floor((daily.at(-1)?.atMs ?? 0) / msPerDay);
  const weekly = lastOfEach(
    regular.filter(({ atMs }) => atMs < oldestDay * msPerDay),
    7 * msPerDay,
  ).slice(0, keep.weeks);
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
export function rotateBackups(folder: string, keep: Keep): number {
  const gone = [
    ...expendable(listBackups(folder), keep).map(({ path }) => path),
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

const databaseMark = "SQLite format 3\0";

function isDatabase(path: string): boolean {
  try {
    const file = openSync(path, "r");
    const bytes = Buffer.alloc(databaseMark.length);
    try {
      readSync(file, bytes, 0, bytes.length, 0);
    } finally {
      closeSync(file);
    }
    return bytes.toString("latin1") === databaseMark;
  } catch {
    return false; // It went meanwhile, or is not ours to read.
  }
}

/** Damaged and replaced databases, the newest first. */
function asideFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => asidePattern.test(name))
    .toSorted((a, b) => stampIn(b).localeCompare(stampIn(a)))
    .map((name) => join(folder, name));
}

const stampIn = (name: string): string => name.slice(name.indexOf("-") + 1);
