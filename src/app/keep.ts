/** Export, backup and restore over the real home: in this process, beside the daemon or in its place. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type {
  ArchiveEntry,
  BackupEntry,
  CleanReport,
  CliError,
  KeepPort,
  RestoreReport,
  UnarchiveTarget,
} from "#cli";
import { holdLock } from "#daemon";
import type { OpenError, Store, Context } from "#domain";
import { clearMissing, linesOf, listArchive, writeTranscript, type Archived } from "#keep";
import { err, ok, type Result } from "#kit";
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
import { explainOpenError } from "./fault.ts";

/** `startDaemon` brings the daemon up, so that the spool is taken in. */
export const createKeep = (deps: Context, startDaemon: () => Promise<unknown>): KeepPort => ({
  exportTo: (folder, format) =>
    withStore(deps, (store) => {
      const write = format === "markdown" ? writeMarkdownFolder : writeLinesFolder;
      const written = write(folder, store, deps.random);
      if (written.ok) return ok({ format, ...written.value });
      const next =
        written.error.type === "export.occupied"
          ? "name a new or empty folder, or one of an earlier export"
          : "check the free disk space and the permissions";
      return err({ ...written.error, next });
    }),
  exportLines: (write) =>
    withStore(deps, (store) => {
      const pieces = exportLines(store.portable.records());
      for (let next = pieces.next(); ; next = pieces.next()) {
        if (next.done === true) return ok(next.value);
        write(next.value);
      }
    }),
  backup: (given) => {
    const nowMs = deps.clock.nowMs();
    const path = backupPath(deps, given, nowMs);
    const made = takeSnapshot(deps.paths.database, path, deps.random);
    if (!made.ok) return err(explainOpenError(made.error, deps.paths));
    return ok({ path, at: nowMs, bytes: made.value.bytes, cause: "backup" });
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
    if (restored.ok && hasSpool(deps.paths.spool)) await startDaemon();
    return restored;
  },
  backupsHolding: (texts, words) => backupsHolding(deps.paths.backups, texts, words),
  cleanBackups: (paths, texts, words) => cleanBackups(deps, paths, { texts, words }),
  archived: () => archived(deps),
  unarchive: (given, to) => unarchive(deps, given, to),
});

function withStore<Value>(
  deps: Context,
  work: (store: Store) => Result<Value, CliError>,
): Result<Value, CliError> {
  const opened = openStore(deps.paths.database, { ...deps, mode: "readonly" });
  if (!opened.ok) return err(explainOpenError(opened.error, deps.paths));
  try {
    return work(opened.value);
  } catch (error) {
    const failure = storageFailure(deps.paths.database, error);
    if (failure === null) throw error;
    return err(explainOpenError(failure, deps.paths));
  } finally {
    opened.value[Symbol.dispose]();
  }
}

function cleanBackups(
  deps: Context,
  paths: readonly string[] | null,
  sought: { readonly texts: readonly string[]; readonly words: readonly string[] },
): Result<CleanReport, CliError> {
  const marks = withStore(deps, (store) => ok(store.portable.fingerprints()));
  if (!marks.ok) return marks;
  const done = (paths ?? storedFiles(deps.paths.backups)).map((path) => ({
    path,
    result: cleanBackup(deps, path, { marks: marks.value, ...sought }),
  }));
  return ok({
    cleaned: done.flatMap(({ path, result }) => (result.ok && result.value.changed ? [path] : [])),
    failed: done.flatMap(({ path, result }) =>
      result.ok ? [] : [{ path, why: detailOf(result.error) }],
    ),
  });
}

/** A folder gets a file of the usual name. */
function backupPath({ paths }: Context, given: string | null, nowMs: number): string {
  const path = given === null ? paths.backups : resolve(given);
  const isFolder = given === null || statSync(path, { throwIfNoEntry: false })?.isDirectory();
  return isFolder === true ? join(path, backupName(nowMs)) : path;
}

function chooseBackup(deps: Context, given: string): Result<BackupEntry, CliError> {
  const { paths } = deps;
  const path = given === "latest" ? newestGoodBackup(paths.backups) : resolve(given);
  if (path === null)
    return err({
      type: "backup.none",
      message: `there is no valid backup in ${paths.backups}`,
      next: "pass the path of a backup",
    });
  const checked = checkBackup(path);
  if (!checked.ok) return err(notABackup(checked.error, path, deps));
  const known = listBackups(paths.backups).find((backup) => backup.path === path);
  const stat = statSync(path);
  return ok({
    path,
    at: known?.atMs ?? Math.floor(stat.mtimeMs),
    bytes: stat.size,
    cause: known?.cause ?? "backup",
  });
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

async function restore(deps: Context, path: string): Promise<Result<RestoreReport, CliError>> {
  const lock = await holdLock(deps);
  if (lock === null)
    return err({
      type: "daemon.stays",
      message: "the daemon could not be stopped, so nothing was changed",
      next: "stop it manually and try again",
    });
  const restored = ((): Result<Restored, OpenError> => {
    try {
      const { database } = deps.paths;
      const isSound = !existsSync(database) || checkDatabase(database).ok;
      return restoreBackup(deps, path, isSound ? "replaced" : "damaged");
    } finally {
      lock.release();
    }
  })();
  if (!restored.ok) return err(explainOpenError(restored.error, deps.paths));
  clearMissing(deps.paths);
  const { backup, aside, salvaged, forgotten } = restored.value;
  return ok({ restored: backup, replaced: aside, salvaged, forgotten });
}

const hasSpool = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(".json"));

/** With titles where the database can be read. */
function archived(deps: Context): readonly ArchiveEntry[] {
  const list = listArchive(deps.paths);
  const entry = (title: (sessionId: string) => string | null) => (one: Archived) => ({
    session_id: one.sessionId,
    title: title(one.sessionId),
    at: one.atMs,
    bytes: one.bytes,
    path: one.path,
  });
  const titled = withStore(deps, ({ sessions }) =>
    ok(list.map(entry((sessionId) => sessions.byId(sessionId)?.title ?? null))),
  );
  return titled.ok ? titled.value : list.map(entry(() => null));
}

async function unarchive(
  deps: Context,
  given: string,
  to: UnarchiveTarget,
): Promise<Result<string, CliError>> {
  const matching = listArchive(deps.paths).filter(({ sessionId }) => sessionId.startsWith(given));
  const one = matching.find(({ sessionId }) => sessionId === given) ?? matching[0];
  if (one === undefined || (matching.length > 1 && one.sessionId !== given))
    return err({
      type: "archive.not-found",
      message:
        one === undefined
          ? `no transcript of ${given} is archived`
          : `${given} is the beginning of ${matching.length} sessions`,
      next: "see `continuity archive list`",
    });
  try {
    if (typeof to === "function") {
      for await (const line of linesOf(one.path)) to(`${line}\n`);
      return ok("");
    }
    const target = to ?? placeOf(deps, one);
    return target === null ? err(noPlace) : await writeTranscript(one.path, resolve(target));
  } catch (error) {
    return err({
      type: "archive.unreadable",
      message: `${one.path} cannot be read: ${error instanceof Error ? error.message : "unknown"}`,
    });
  }
}

const noPlace: CliError = {
  type: "archive.no-place",
  message: "the original path of the transcript is unknown",
  next: "name a file with --to",
};

/** `placeOf` gives the path at which the client had it. */
function placeOf(deps: Context, { sessionId }: Archived): string | null {
  const known = withStore(deps, ({ sessions }) =>
    ok(sessions.byId(sessionId)?.transcriptPath ?? null),
  );
  return known.ok ? known.value : null;
}
