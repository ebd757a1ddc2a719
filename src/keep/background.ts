/**
 * Work that reads the whole database or many files, in processes of their own: the daemon goes on serving hooks, and
 * its memory stays what it was. Each takes up to a few seconds, at the lowest priority.
 */
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { readFileSync, writeFileSync } from "node:fs";
import { daemonEnvironment } from "#hooks";
import type { DaemonControl } from "#daemon";
import {
  type BackgroundTask,
  backgroundWord,
  type HomePaths,
  type Store,
  type Context,
} from "#domain";
import { err, fileNamesIn, msPerMinute, ok, type Result, errorMessage, errorCode } from "#kit";
import {
  backupName,
  checkDatabase,
  createForgottenTextMatcher,
  openStore,
  rotateBackups,
  saveFingerprints,
  takeSnapshot,
} from "#store";
import { createKeeper } from "#clients";
import { archiveEnded, forgottenMark, linesOf, listArchive, rewrite } from "./archive.ts";
import { type Archiving, noteDamage } from "./damage.ts";

/** Longer than any task should ever take: a hung disk must not block upkeep for ever. */
const taskMsMax = 30 * msPerMinute;
const noteCharsMax = 300;

/**
 * Starts tasks as children of this process; they end with it. Null where the program does not know how to start
 * itself.
 */
export function createBackground(deps: Context, control: DaemonControl) {
  const { command } = deps;
  if (command === undefined) return null;
  let child: Child | null = null;
  return {
    /** Rejects with what the task printed on standard error. */
    run: async (task: BackgroundTask): Promise<string> => {
      child = startTask(deps, command, task);
      const done = await ended(child);
      child = null;
      if (done.ok) return done.value;
      if (done.error.startsWith(damagedMark) && noteDamage(deps.paths, done.error))
        control.stop("the database is damaged; the next daemon restores a backup");
      throw new Error(done.error);
    },
    isBusy: (): boolean => child !== null,
    stop: async (): Promise<void> => {
      child?.kill();
      await child?.exited;
    },
  };
}

type Child = Bun.Subprocess<Blob, "pipe", "pipe">;

const startTask = (
  { env, paths }: Context,
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
function scrubInBackground(deps: Context, texts: readonly string[]): void {
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

/** `runBackgroundTask` is the work of the child: one task, one line of what came of it, and the exit status. */
export async function runBackgroundTask(deps: Archiving, task: string): Promise<number> {
  setPriority(constants.priority.PRIORITY_LOW);
  const done = (await tasks[task]?.(deps)) ?? err(`no task is called ${task}`);
  (done.ok ? process.stdout : process.stderr).write(`${done.ok ? done.value : done.error}\n`);
  return done.ok ? 0 : 1;
}

function check({ paths }: Context): Result<string, string> {
  const checked = checkDatabase(paths.database);
  if (checked.ok) return ok("sound");
  const { error } = checked;
  const detail = "detail" in error ? error.detail : error.type;
  return err(error.type === "store.corrupt" ? `${damagedMark}${detail}` : detail);
}

function backup(deps: Context): Result<string, string> {
  const { paths, clock, random } = deps;
  const path = join(paths.backups, backupName(clock.nowMs()));
  const taken = takeSnapshot(paths.database, path, random);
  if (!taken.ok) return err("detail" in taken.error ? taken.error.detail : taken.error.type);
  const opened = openStore(path, { ...deps, mode: "readonly" });
  if (opened.ok) {
    saveFingerprints(paths.backups, opened.value);
    opened.value[Symbol.dispose]();
  }
  const gone = rotateBackups(paths.backups);
  return ok(`${taken.value.bytes} bytes, ${gone} older ones deleted`);
}

async function scrub({ paths }: Context): Promise<Result<string, string>> {
  const texts: unknown = JSON.parse(await Bun.stdin.text());
  if (!Array.isArray(texts)) return err("a list of texts was expected");
  const changed = await scrubArchive(
    paths,
    texts.filter((text) => typeof text === "string"),
  );
  return ok(`${changed}`);
}

const tasks: Readonly<
  Record<string, (deps: Archiving) => Promise<Result<string, string>> | Result<string, string>>
> = { check, backup, archive: archiveEnded, scrub };

// Takes what is forgotten out of the archive of transcripts. Works on files alone; runs in a process of its own.

/**
 * Takes texts out of every archived transcript, however they are written there. A turn whose prompt says one goes as a
 * whole, as it does in the store. A damaged file keeps what can be read of it: the rest might say it. Returns how many
 * files changed; throws the first failure after all were tried.
 */
export async function scrubArchive(paths: HomePaths, texts: readonly string[]): Promise<number> {
  const { isIn } = createForgottenTextMatcher(texts, []);
  const scrub = (text: string): string => {
    if (!isIn(text)) return text;
    const rest = texts.reduce((left, one) => left.replaceAll(one, forgottenMark), text);
    return isIn(rest) ? forgottenMark : rest;
  };
  let changed = 0;
  let failure: unknown = null;
  for (const { path, atMs } of listArchive(paths)) {
    const keep = createKeeper({
      prompt: (text) => (isIn(text) ? null : text),
      said: scrub,
      tool: scrub,
      isMute: () => false,
    });
    try {
      const { hit, isDamaged } = await lookedThrough(path, isIn);
      if (!hit && !isDamaged) continue;
      await rewrite(readableLines(path), path, { writtenMs: atMs, keep });
      changed += 1;
    } catch (error) {
      failure ??= error; // The others are looked through all the same.
    }
  }
  if (failure !== null) throw failure;
  return changed;
}

/** `lookedThrough` tells whether a line holds the text; what is behind damage cannot be known. */
async function lookedThrough(
  path: string,
  isIn: (text: string) => boolean,
): Promise<{ readonly hit: boolean; readonly isDamaged: boolean }> {
  let hit = false;
  try {
    for await (const line of linesOf(path)) hit ||= isIn(line);
    return { hit, isDamaged: false };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { hit, isDamaged: true };
  }
}

/** The lines up to where the file is damaged. */
async function* readableLines(path: string): AsyncIterable<string> {
  try {
    yield* linesOf(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/** `isDamage` tells zlib's errors about bytes from others: a disk that cannot be read now may be well tomorrow. */
const isDamage = (error: unknown): boolean => /^(?:Z_|ERR_ZLIB)/.test(errorCode(error));

// Takes forgotten texts out of the files beside the database: spool, fingerprints of the backups, archive.

/** The store has forgotten these texts already. The archive follows in the background. */
export function scrubFiles(deps: Context, store: Store, texts: readonly string[]): void {
  scrubSpool(deps.paths, texts);
  keepFingerprints(deps, store);
  scrubInBackground(deps, texts);
}

/** `keepFingerprints` runs also where the disk has no room to note the forgotten texts beside the backups. */
function keepFingerprints({ log, paths }: Context, store: Store): void {
  try {
    saveFingerprints(paths.backups, store);
  } catch (error) {
    const reason = errorMessage(error);
    log.write("warn", "fingerprints.not-kept", { reason });
  }
}

function scrubSpool(paths: HomePaths, texts: readonly string[]): void {
  const needles = texts.filter(Boolean).map((text) => JSON.stringify(text).slice(1, -1));
  for (const name of fileNamesIn(paths.spool).filter((file) => file.endsWith(".json"))) {
    const file = join(paths.spool, name);
    const before = readFileSync(file, "utf8");
    const after = needles.reduce((text, needle) => text.replaceAll(needle, forgottenMark), before);
    if (after !== before) writeFileSync(file, after, { mode: 0o600 });
  }
}
