/**
 * A damaged database in the daemon's hands: the newest sound backup takes its place, what can still be read of the
 * damaged file comes along, and people are told. Without a sound backup everything stays as it is.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import {
  type Context,
  type HomePaths,
  type HookEnvelope,
  type HookReply,
  isNews,
  type Store,
} from "#domain";
import {
  counted,
  existingFolder,
  isoDate,
  isoTime,
  msPerDay,
  type Result,
  errorMessage,
  readText,
} from "#kit";
import type { AcceptStep } from "#daemon";
import type { Retold } from "#privacy";
import {
  checkDatabase,
  listBackups,
  lossMark,
  newestGoodBackup,
  noteLoss,
  recoverDatabase,
  storageFailure,
} from "#store";
import { lostNoteBytesMax, lostNoteHead, lostNotePath } from "#hooks";
import { join } from "node:path";

/**
 * `markOf` is the file that marks damage found while the daemon ran; the next one looks at the
 * whole file before it opens it.
 */
const markOf = (paths: HomePaths): string => `${paths.backups}/damage-found`;

/** Notes damage. True when the next daemon can mend it, so that this one should leave. */
export function noteDamage(paths: HomePaths, detail: string): boolean {
  mkdirSync(paths.backups, { recursive: true, mode: 0o700 });
  writeFileSync(markOf(paths), `${detail.slice(0, detailCharsMax)}\n`, { mode: 0o600 });
  return newestGoodBackup(paths.backups) !== null;
}

const detailCharsMax = 500;

/** Notes damage that shows only while the daemon runs; where it can be mended, this daemon leaves for one that does. */
export function watchDamage(deps: Context, store: Store, stop: (reason: string) => void) {
  let isNoted = false;
  const failed = (error: unknown): void => {
    const failure = storageFailure(deps.paths.database, error);
    if (failure?.type !== "store.corrupt" || isNoted) return;
    isNoted = true;
    deps.log.write("error", "database.damaged", { detail: failure.detail });
    if (noteDamage(deps.paths, failure.detail)) stop("the database is damaged");
  };
  const step: AcceptStep = {
    failed,
    after: (envelopes, replies) => withRecoveryNotice(store, envelopes, replies),
  };
  return {
    /** The step around each commit, which also tells of a recovery. */
    step,
    watched: async <Value>(work: Promise<Value>): Promise<Value> => {
      try {
        return await work;
      } catch (error) {
        failed(error);
        throw error;
      }
    },
  };
}

/** Opens, and where the file is damaged restores and opens again. Only for the holder of the daemon's lock. */
export function openRecovered<App, Fault extends { readonly type: string }>(
  deps: Context,
  open: () => Result<App, Fault>,
): Result<App, Fault> {
  noteMissing(deps);
  noteLost(deps);
  if (isEmptied(deps.paths) || isKnownDamaged(deps.paths)) recover(deps);
  const opened = open();
  if (opened.ok || opened.error.type !== "store.corrupt") return opened;
  return recover(deps) ? open() : opened;
}

/** A file of no bytes is a fresh start only where nothing was ever backed up. */
const isEmptied = ({ database, backups }: HomePaths): boolean =>
  statSync(database, { throwIfNoEntry: false })?.size === 0 && listBackups(backups).length > 0;

/** SQLite is silent about a log that is damaged; the database itself is looked at too then, before it is opened. */
function noteLost({ paths, clock, log }: Context): void {
  const { frames, isBehind } = noteLoss(paths.database, clock.nowMs());
  if (frames === 0 && !isBehind) return;
  log.write("error", "database.log-damaged", { frames });
  noteDamage(paths, "its log was damaged");
  if (!isBehind) return;
  for (const end of ["-wal", "-shm"]) rmSync(`${paths.database}${end}`, { force: true });
}

function lostWarnings(paths: HomePaths, nowMs: number): readonly string[] {
  const atMs = Number(readText(lossMark(paths.database)) ?? 0);
  return nowMs - atMs < toldMs
    ? [
        `the log of the database was damaged on ${isoDate(atMs)}: the newest changes before may be ` +
          "missing; `continuity list` shows what is there",
      ]
    : [];
}

const missingMarkOf = (paths: HomePaths): string => `${paths.backups}/database-missing`;

/**
 * A database that is gone while its backups are there may have been deleted on purpose, so nothing is restored; but it
 * is said, with the backup that was the newest then: later ones are of the new database.
 */
function noteMissing({ paths, clock, log }: Context): void {
  const [newest] = existsSync(paths.database) ? [] : listBackups(paths.backups);
  if (newest === undefined) return;
  log.write("warn", "database.missing", { backup: newest.path });
  writeFileSync(missingMarkOf(paths), `${clock.nowMs()} ${newest.path}\n`, { mode: 0o600 });
}

/** Once something was restored, what was missing before is of no interest. */
export const clearMissing = (paths: HomePaths): void =>
  rmSync(missingMarkOf(paths), { force: true });

function missingWarnings(paths: HomePaths, nowMs: number): readonly string[] {
  const text = readText(missingMarkOf(paths)) ?? "";
  const [, at, backup] = /^(\d{1,15}) ([^\n]+)/.exec(text) ?? [];
  if (at === undefined || backup === undefined || nowMs - Number(at) > toldMs) return [];
  return [
    `the database was gone on ${isoDate(Number(at))} and a new one was begun: \`continuity ` +
      `restore ${backup}\` brings the old one back`,
  ];
}

/** A mark that a later look does not confirm was a disk that has recovered, or a file that was repaired. */
function isKnownDamaged(paths: HomePaths): boolean {
  if (!existsSync(markOf(paths))) return false;
  const checked = checkDatabase(paths.database);
  if (!checked.ok && checked.error.type === "store.corrupt") return true;
  rmSync(markOf(paths), { force: true });
  return false;
}

function recover(deps: Context): boolean {
  const recovered = recoverDatabase(deps);
  if (recovered?.ok !== true) {
    deps.log.write("error", "database.damaged", {
      backups: listBackups(deps.paths.backups).length,
    });
    return false;
  }
  rmSync(markOf(deps.paths), { force: true });
  const { backup, aside, salvaged } = recovered.value;
  deps.log.write("warn", "database.recovered", { backup, aside: aside ?? "", salvaged });
  return true;
}

interface Recovery {
  readonly at: number;
  readonly backup: string;
  readonly aside: string | null;
  readonly salvaged: number;
}

function recoveryIn({ admin }: Store): Recovery | null {
  const text = admin.getMeta("recovery.last");
  return text === null ? null : (JSON.parse(text) as Recovery);
}

/** The time for which `status` goes on telling of a recovery. */
const toldMs = 14 * msPerDay;

/** `damageWarnings` says what is wrong or was mended, each with what to do. */
export function damageWarnings(paths: HomePaths, store: Store, nowMs: number): readonly string[] {
  const found = readText(markOf(paths))?.trim() ?? null;
  const recovery = recoveryIn(store);
  return [
    ...missingWarnings(paths, nowMs),
    ...lostWarnings(paths, nowMs),
    ...(found === null
      ? []
      : [
          `the database is damaged (${found}) and there is no valid backup: run \`continuity export\` now`,
        ]),
    ...(recovery === null || nowMs - recovery.at > toldMs ? [] : [recoveryLine(recovery)]),
  ];
}

const recoveryLine = ({ at, backup, aside, salvaged }: Recovery): string =>
  `the database was damaged on ${isoDate(at)}: ${backup} was restored` +
  (salvaged === 0 ? "" : ` and ${salvaged} newer records could be read`) +
  (aside === null ? "" : `; the damaged file is ${aside}`);

/** Puts one line about a recovery before what the next session start is given, once. */
function withRecoveryNotice(
  store: Store,
  envelopes: readonly HookEnvelope[],
  replies: readonly HookReply[],
): readonly HookReply[] {
  const at = envelopes.findIndex(({ hook }, i) => hook === "start" && replies[i]?.fresh === true);
  const recovery = at < 0 ? null : recoveryIn(store);
  if (recovery === null || !isNews(store.admin, "recovery.said", `${recovery.at}`)) return replies;
  const line = `Continuity (tell the user once): ${recoveryLine(recovery)}.`;
  return replies.map((reply, i) =>
    i === at ? { ...reply, context: [line, reply.context].filter(Boolean).join("\n\n") } : reply,
  );
}

// The context of the upkeep of files, and its errors.

export interface Archiving extends Context {
  /** Gives the rarity of a word, as the store and a vocabulary know it. */
  readonly standingIn: (store: Store, sessionId: string) => Retold["standingOf"];
}

/** A failure that a person reads. */
export interface KeepError {
  readonly type: string;
  readonly message: string;
  readonly next?: string;
}

// Tells status and doctor, in words, of the events that hooks could keep nowhere (src/hooks/spool-events.ts).

/** The time for which a loss is told of. */
const lostToldMs = 7 * msPerDay;

/** The advice after a loss. */
export const lostFix =
  "free some disk space and repeat what should be remembered; `continuity doctor --fix` clears this message";

/** Says what was lost in the last seven days, when, and why; null when nothing was, or the message was cleared. */
export function lostEvents(paths: HomePaths, nowMs: number): string | null {
  const text = readText(lostNotePath(paths)) ?? "";
  const all = [...text.matchAll(/^(\d{1,15}) (\w+) (\w+)$/gm)].map(([, at, hook, why]) => ({
    atMs: Number(at),
    hook,
    why: why ?? "",
  }));
  const lost = all.filter(({ atMs }) => nowMs - atMs <= lostToldMs);
  const [first, last] = [lost[0], lost.at(-1)];
  if (first === undefined || last === undefined) return null;
  const prompts = lost.filter(({ hook }) => hook === "submit").length;
  const others = lost.length - prompts;
  const what = [
    prompts === 0 ? "" : counted(prompts, "prompt"),
    others === 0 ? "" : counted(others, prompts === 0 ? "event" : "other event"),
  ].filter((part) => part !== "");
  const isFilled = text.length + lineCharsMax > lostNoteBytesMax;
  const [from, to] = [minuteOf(first.atMs), minuteOf(last.atMs)];
  const when = from === to ? `at ${from}` : `between ${from} and ${to}`;
  const were = lost.length === 1 ? "was" : "were";
  return `${isFilled ? "at least " : ""}${what.join(" and ")} ${were} lost ${when}: ${reasonOf(last.why)}`;
}

/** The longest line that a hook adds. */
const lineCharsMax = 32;

/** Removes what was noted, and keeps the note itself. */
export function clearLost(paths: HomePaths): void {
  const size = statSync(lostNotePath(paths), { throwIfNoEntry: false })?.size ?? 0;
  if (size > lostNoteHead.length) truncateSync(lostNotePath(paths), lostNoteHead.length);
}

/** In UTC, as everywhere in the doctor's report. */
const minuteOf = (ms: number): string => `${isoTime(ms).slice(0, 16)}Z`;

const reasonOf = (why: string): string =>
  why === "ENOSPC" || why === "EDQUOT"
    ? "the disk was full"
    : why === "full"
      ? "the spool was full"
      : `the home folder could not be written (${why})`;

// Room on the home's disk: for status, flush and doctor.

const probeBytes = 16_384;

/**
 * `writeFault` gives the reason why a file cannot be written and synced there; null when it can.
 * The system shows only when it is tried what it allows.
 */
export function writeFault(root: string): string | null {
  const probe = join(root, `doctor-${process.pid}.probe`);
  try {
    const file = openSync(probe, "wx", 0o600);
    try {
      writeSync(file, new Uint8Array(probeBytes));
      fsyncSync(file);
    } finally {
      closeSync(file);
      rmSync(probe, { force: true });
    }
    return null;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Free bytes for this user; null = the system does not tell. */
export const freeBytes = (place: string): number | null => {
  try {
    const { bavail, bsize } = statfsSync(place);
    return bavail * bsize;
  } catch {
    return null; // The system does not tell.
  }
};

/** Less does not take what one event needs of the database and its log. */
const freeBytesLeast = 1_000_000;

/** That the home's disk is full, in words; null when it is not. */
export function fullDisk(root: string): string | null {
  const free = freeBytes(existingFolder(root));
  return free === null || free >= freeBytesLeast
    ? null
    : `the disk of ${root} is full (${Math.floor(free / 1_000)} kB free)`;
}
