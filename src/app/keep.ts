/** Export, backup and restore over the real home: in this process, beside the daemon or in its place. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type ArchiveEntry,
  type BackupEntry,
  type CleanReport,
  type CliError,
  CliFailure,
  failureOf,
  isCliFailure,
  type KeepPort,
  type RestoreReport,
  type UnarchiveTarget,
} from "#cli";
import { holdLock } from "#daemon";
import type { OpenError, Store, Context } from "#domain";
import { clearMissing, linesOf, listArchive, writeTranscript, type Archived } from "#keep";
import { type Result, errorMessage } from "#kit";
import { exportLines, writeLinesFolder, writeMarkdownFolder } from "#exchange";
import {
  backupName,
  backupsHolding,
  checkBackup,
  checkDatabase,
  cleanBackup,
  listBackups,
  newestGoodBackup,
  openStore,
  restoreBackup,
  storageFailure,
  storedFiles,
  takeSnapshot,
  type Restored,
} from "#store";
import { explainOpenError, valueOf } from "./fault.ts";

/** `startDaemon` brings the daemon up, so that the spool is taken in. */
export const createKeep = (deps: Context, startDaemon: () => Promise<unknown>): KeepPort => ({
  exportTo: (folder, format) =>
    withStore(deps, (store) => {
      const write = format === "markdown" ? writeMarkdownFolder : writeLinesFolder;
      const written = write(folder, store, deps.random);
      if (written.ok) return { format, ...written.value };
      const next =
        written.error.type === "export.occupied"
          ? "name a new or empty folder, or one of an earlier export"
          : "check the free disk space and the permissions";
      throw failureOf({ ...written.error, next });
    }),
  exportLines: (write) => withStore(deps, (store) => exportLines(store.portable.records(), write)),
  backup: (given) => {
    const nowMs = deps.clock.nowMs();
    const path = backupPath(deps, given, nowMs);
    const made = takeSnapshot(deps.paths.database, path, deps.random);
    const { bytes } = valueOf(deps, made);
    return { path, at: nowMs, bytes, cause: "backup" };
  },
  backups: () =>
    listBackups(deps.paths.backups).map(({ path, atMs, bytes, cause }) => ({
      path,
      at: atMs,
      bytes,
      cause,
    })),
  chooseBackup: (given) => chooseBackup(deps, given),
  restore: async (path) => {
    const restored = await restore(deps, path);
    if (hasSpool(deps.paths.spool)) await startDaemon();
    return restored;
  },
  backupsHolding: (texts, words) => backupsHolding(deps.paths.backups, texts, words),
  cleanBackups: (...asked) => cleanBackups(deps, ...asked),
  archived: () => archived(deps),
  unarchive: (given, to) => unarchive(deps, given, to),
});

function withStore<Value>(deps: Context, work: (store: Store) => Value): Value {
  using store = valueOf(deps, openStore(deps.paths.database, { ...deps, mode: "readonly" }));
  try {
    return work(store);
  } catch (error) {
    const failure = storageFailure(deps.paths.database, error);
    throw failure === null ? error : failureOf(explainOpenError(failure, deps.paths));
  }
}

function cleanBackups(
  deps: Context,
  ...[paths, texts, words]: Parameters<KeepPort["cleanBackups"]>
): CleanReport {
  const marks = withStore(deps, (store) => store.portable.fingerprints());
  const done = (paths ?? storedFiles(deps.paths.backups)).map((path) => ({
    path,
    result: cleanBackup(deps, path, { marks, texts, words }),
  }));
  return {
    cleaned: done.flatMap(({ path, result }) => (result.ok && result.value.changed ? [path] : [])),
    failed: done.flatMap(({ path, result }) =>
      result.ok ? [] : [{ path, why: detailOf(result.error) }],
    ),
  };
}

/** A folder gets a file of the usual name. */
function backupPath({ paths }: Context, given: string | null, nowMs: number): string {
  const path = given === null ? paths.backups : resolve(given);
  const isFolder = given === null || statSync(path, { throwIfNoEntry: false })?.isDirectory();
  return isFolder === true ? join(path, backupName(nowMs)) : path;
}

function chooseBackup(deps: Context, given: string): BackupEntry {
  const { paths } = deps;
  const path = given === "latest" ? newestGoodBackup(paths.backups) : resolve(given);
  if (path === null)
    throw new CliFailure(
      `there is no valid backup in ${paths.backups}`,
      "pass the path of a backup",
    );
  const checked = checkBackup(path);
  if (!checked.ok) throw failureOf(notABackup(checked.error, path, deps));
  const known = listBackups(paths.backups).find((backup) => backup.path === path);
  const stat = statSync(path);
  return {
    path,
    at: known?.atMs ?? Math.floor(stat.mtimeMs),
    bytes: stat.size,
    cause: known?.cause ?? "backup",
  };
}

function notABackup(error: OpenError, path: string, { paths }: Context): CliError {
  if (error.type === "store.newer") return explainOpenError(error, paths);
  const why = error.type === "store.missing" ? "no such file" : detailOf(error);
  return {
    type: "backup.unusable",
    message: `cannot restore ${path}: ${why}`,
    next: "see `continuity backup --list`",
  };
}

const detailOf = (error: OpenError): string => ("detail" in error ? error.detail : error.type);

async function restore(deps: Context, path: string): Promise<RestoreReport> {
  const lock = await holdLock(deps);
  if (lock === null)
    throw new CliFailure(
      "the daemon could not be stopped, so nothing was changed",
      "stop it manually and try again",
    );
  const restored = ((): Result<Restored, OpenError> => {
    try {
      const { database } = deps.paths;
      const isSound = !existsSync(database) || checkDatabase(database).ok;
      return restoreBackup(deps, path, isSound ? "replaced" : "damaged");
    } finally {
      lock.release();
    }
  })();
  const { backup, aside, salvaged, forgotten } = valueOf(deps, restored);
  clearMissing(deps.paths);
  return { restored: backup, replaced: aside, salvaged, forgotten };
}

const hasSpool = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(".json"));

/** With titles where the database can be read. */
function archived(deps: Context): readonly ArchiveEntry[] {
  const list = listArchive(deps.paths);
  const titles = ifReadable(
    deps,
    ({ sessions }) =>
      new Map(list.map(({ sessionId }) => [sessionId, sessions.byId(sessionId)?.title ?? null])),
  );
  return list.map(({ sessionId, atMs: at, bytes, path }) => {
    const title = titles?.get(sessionId) ?? null;
    return { session_id: sessionId, title, at, bytes, path };
  });
}

async function unarchive(deps: Context, given: string, to: UnarchiveTarget): Promise<string> {
  const one = archivedAs(deps, given);
  try {
    if (typeof to === "function") {
      for await (const line of linesOf(one.path)) to(`${line}\n`);
      return "";
    }
    const target = to ?? placeOf(deps, one);
    if (target === null)
      throw new CliFailure(
        "the original path of the transcript is unknown",
        "name a file with --to",
      );
    const written = await writeTranscript(one.path, resolve(target));
    if (written.ok) return written.value;
    throw failureOf(written.error);
  } catch (error) {
    if (isCliFailure(error)) throw error;
    const why = errorMessage(error);
    throw new CliFailure(`${one.path} cannot be read: ${why}`);
  }
}

/** The transcript that an id, or the beginning of one, names. */
function archivedAs({ paths }: Context, given: string): Archived {
  const matching = listArchive(paths).filter(({ sessionId }) => sessionId.startsWith(given));
  const exact = matching.find(({ sessionId }) => sessionId === given);
  const [only, ...others] = exact === undefined ? matching : [exact];
  if (only !== undefined && others.length === 0) return only;
  throw new CliFailure(
    only === undefined
      ? `no transcript of ${given} is archived`
      : `${given} is the beginning of ${matching.length} sessions`,
    "see `continuity archive list`",
  );
}

function placeOf(deps: Context, { sessionId }: Archived): string | null {
  return ifReadable(deps, ({ sessions }) => sessions.byId(sessionId)?.transcriptPath ?? null);
}

/** Null where there is no database, or it cannot be read. */
function ifReadable<Value>(deps: Context, work: (store: Store) => Value): Value | null {
  try {
    return withStore(deps, work);
  } catch (error) {
    if (isCliFailure(error)) return null;
    throw error;
  }
}
