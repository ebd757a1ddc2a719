/**
 * Work that reads the whole database or many files, in processes of their own: the daemon goes on serving hooks, and
 * its memory stays what it was. Each takes up to a few seconds, at the lowest priority.
 */
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { daemonEnvironment } from "#capture";
import type { DaemonApp, DaemonControl } from "#daemon";
import { backgroundWord, type BackgroundTask } from "#domain";
import { err, msPerMinute, ok, type Result } from "#kit";
import {
  backupName,
  checkDatabase,
  openStore,
  rotateBackups,
  saveFingerprints,
  takeSnapshot,
} from "#store";
import { archiveEnded, listArchive } from "./archive.ts";
import { scrubArchive } from "./archive-scrub.ts";
import { noteDamage } from "./damage.ts";
import type { ArchiveDeps, KeepDeps } from "./deps.ts";

export interface Background {
  /** Rejects with what the task printed on standard error. */
  readonly run: (task: BackgroundTask) => Promise<string>;
  readonly isBusy: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Longer than any task should ever take: a hung disk must not block upkeep for ever. */
const taskMsMax = 30 * msPerMinute;
const noteCharsMax = 300;

/**
 * Starts tasks as children of this process; they end with it. Null where the program does not know how to start
 * itself.
 */
export function createBackground(deps: KeepDeps, control: DaemonControl): Background | null {
  const { command } = deps;
  if (command === undefined) return null;
  let child: Child | null = null;
  return {
    run: async (task) => {
      child = startTask(deps, command, task);
      const done = await ended(child);
      child = null;
      if (done.ok) return done.value;
      if (done.error.startsWith(damagedMark) && noteDamage(deps.paths, done.error))
        control.stop("the database is damaged; the next daemon restores a backup");
      throw new Error(done.error);
    },
    isBusy: () => child !== null,
    stop: async () => {
      child?.kill();
      await child?.exited;
    },
  };
}

/** The same application, which does not leave before the background has ended, and ends it when it must. */
export const withBackground = (app: DaemonApp, background: Background | null): DaemonApp =>
  background === null
    ? app
    : {
        ...app,
        isIdle: () => !background.isBusy() && app.isIdle(),
        close: async () => {
          await background.stop();
          await app.close();
        },
      };

type Child = Bun.Subprocess<Blob, "pipe", "pipe">;

const startTask = (
  { env, paths }: KeepDeps,
  command: readonly string[],
  task: string,
  input = "",
): Child =>
  Bun.spawn([...command, backgroundWord, task], {
    cwd: paths.root,
    env: daemonEnvironment(env, paths.root),
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
    timeout: taskMsMax,
  });

async function ended(child: Child): Promise<Result<string, string>> {
  const [out, fault, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (status === 0) return ok(out.trim().slice(0, noteCharsMax));
  return err(fault.trim().slice(0, noteCharsMax) || `ended with status ${status}`);
}

/** Takes texts out of the archived transcripts. They go by standard input: `ps` shows arguments. */
export function scrubInBackground(deps: KeepDeps, texts: readonly string[]): void {
  if (deps.command === undefined || listArchive(deps.paths).length === 0) return;
  const child = startTask(deps, deps.command, "scrub", JSON.stringify(texts));
  void ended(child).then((done) =>
    done.ok
      ? deps.log.write("info", "archive.scrubbed", { files: done.value })
      : deps.log.write("error", "archive.scrub-failed", { error: done.error }),
  );
}

/** By this the daemon tells damage from a failure of the task. */
const damagedMark = "damaged: ";

/** What the child does: one task, one line of what came of it, and the exit status. */
export async function runBackgroundTask(deps: ArchiveDeps, task: string): Promise<number> {
  setPriority(constants.priority.PRIORITY_LOW);
  const done = await doTask(deps, task);
  (done.ok ? process.stdout : process.stderr).write(`${done.ok ? done.value : done.error}\n`);
  return done.ok ? 0 : 1;
}

async function doTask(deps: ArchiveDeps, task: string): Promise<Result<string, string>> {
  switch (task) {
    case "check":
      return check(deps);
    case "backup":
      return backup(deps);
    case "archive":
      return archiveEnded(deps);
    case "scrub":
      return scrub(deps);
    default:
      return err(`no task is called ${task}`);
  }
}

function check({ paths }: KeepDeps): Result<string, string> {
  const checked = checkDatabase(paths.database);
  if (checked.ok) return ok("sound");
  const { error } = checked;
  const detail = "detail" in error ? error.detail : error.type;
  return err(error.type === "store.corrupt" ? `${damagedMark}${detail}` : detail);
}

function backup(deps: KeepDeps): Result<string, string> {
  const { paths, clock, random, settings } = deps;
  const path = join(paths.backups, backupName(clock.nowMs()));
  const taken = takeSnapshot(paths.database, path, random);
  if (!taken.ok) return err("detail" in taken.error ? taken.error.detail : taken.error.type);
  const opened = openStore(path, { ...deps, mode: "readonly" });
  if (opened.ok) {
    saveFingerprints(paths.backups, opened.value);
    opened.value[Symbol.dispose]();
  }
  const { keepDays: days, keepWeeks: weeks } = settings.current().backup;
  const gone = rotateBackups(paths.backups, { days, weeks });
  return ok(`${taken.value.bytes} bytes, ${gone} older ones deleted`);
}

async function scrub({ paths }: KeepDeps): Promise<Result<string, string>> {
  const texts: unknown = JSON.parse(await Bun.stdin.text());
  if (!Array.isArray(texts)) return err("a list of texts was expected");
  return ok(
    String(
      await scrubArchive(
        paths,
        texts.filter((text) => typeof text === "string"),
      ),
    ),
  );
}
