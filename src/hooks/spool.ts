/**
 * The spool: where hooks leave events while the daemon is away. One file per event, durable before the hook ends.
 *
 *   spool/<arrival ms>-<nn>-<key>.json   an event, gated; names sort in order of arrival
 *   spool/keys/<key>                     a second name (hard link) of the same file: created exclusively, so that of
 *                                        two processes with one key the second knows that it is the second
 *   spool/bad/                           files that could not be read or applied, kept for a look
 *   spool/reserve                        room for the events that come after the disk is full
 *
 * Must not know about the daemon or the gate; what it is given is written as it is.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  futimesSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { sha256, parseJson, readText, errorCode, fileNamesIn } from "#kit";
import type { HomePaths, HookEnvelope, SpoolSize } from "#domain";
import { parseEnvelope } from "./envelope.ts";
import { captureLimits } from "./limits.ts";

export type Spooled =
  | { readonly type: "spooled" }
  /** The same event is in the spool already. */
  | { readonly type: "duplicate" }
  | { readonly type: "full" }
  /** `code` is the system's, such as EACCES, ENOSPC, ENOTDIR. */
  | { readonly type: "unwritable"; readonly code: string };

const keysFolder = (paths: HomePaths): string => `${paths.spool}/keys`;
const badFolder = (paths: HomePaths): string => `${paths.spool}/bad`;

interface Order {
  /** The system's clock. */
  readonly arrivalMs: number;
  readonly position: number;
}

/**
 * Writes one gated event durably. Leaves nothing behind when it fails. On a full disk the reserve makes room for it, a
 * piece at a time: whatever else fills the disk takes what is given up at once.
 */
export function spoolEnvelope(paths: HomePaths, envelope: HookEnvelope, order: Order): Spooled {
  let outcome = tryToSpool(paths, envelope, order);
  while (outcome.type === "unwritable" && isDiskFull(outcome.code) && giveUpReserve(paths))
    outcome = tryToSpool(paths, envelope, order);
  return outcome;
}

/** No room, or none for this user. */
export const isDiskFull = (code: string): boolean => code === "ENOSPC" || code === "EDQUOT";

/** Laid down by the daemon (src/daemon/intake/drain.ts). */
export const reserveFile = (paths: HomePaths): string => `${paths.spool}/reserve`;

/** Given up at a time: room for some events, and for what the database's log grows by when it takes one in. */
const reservePieceBytes = 64 * 1_024;

function giveUpReserve(paths: HomePaths): boolean {
  const size = statSync(reserveFile(paths), { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return false;
  try {
    truncateSync(reserveFile(paths), Math.max(0, size - reservePieceBytes));
  } catch {
    discard(reserveFile(paths));
  }
  return true;
}

function tryToSpool(paths: HomePaths, envelope: HookEnvelope, order: Order): Spooled {
  const stamp = String(Math.max(0, order.arrivalMs)).padStart(15, "0");
  const name = `${stamp}-${String(order.position).padStart(3, "0")}-${envelope.key}`;
  const temporary = `${paths.spool}/${name}.${process.pid}.tmp`;
  try {
    mkdirSync(keysFolder(paths), { recursive: true, mode: 0o700 });
    if (isForeign(paths.root)) return { type: "unwritable", code: "EOWNER" };
    if (isFull(paths, envelope.key)) return { type: "full" };
    writeDurably(temporary, envelope);
    const claimed = claim(paths, temporary, envelope);
    if (!claimed) {
      rmSync(temporary, { force: true });
      return { type: "duplicate" };
    }
    publish(temporary, `${paths.spool}/${name}.json`, claimName(paths, envelope));
    syncFolder(paths.spool);
    return { type: "spooled" };
  } catch (error) {
    discard(temporary);
    return { type: "unwritable", code: errorCode(error) };
  }
}

/** Without the event its second name must go too: the next attempt would take it for one that is in the spool. */
function publish(temporary: string, path: string, claimed: string): void {
  try {
    renameSync(temporary, path);
  } catch (error) {
    discard(claimed);
    throw error;
  }
}

/** Under sudo, root would leave files that the user's daemon can never read. */
const isForeign = (folder: string): boolean =>
  process.getuid !== undefined && statSync(folder).uid !== process.getuid();

function writeDurably(path: string, envelope: HookEnvelope): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeWhole(file, Buffer.from(JSON.stringify(envelope)));
    // The event's own time, for the next process that finds this file under the same content hash.
    const seconds = Math.max(0, envelope.atMs) / 1_000;
    futimesSync(file, seconds, seconds);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A disk that fills up takes the first part of a text without complaint, and complains at the rest. */
function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

/**
 * Creates the event's second name exclusively. An event without an id of its own is claimed by its content, and only
 * against a twin within a second of its time; an older one makes room.
 */
function claim(paths: HomePaths, temporary: string, envelope: HookEnvelope): boolean {
  const name = claimName(paths, envelope);
  if (tryLink(temporary, name)) return true;
  if (!envelope.anonymous) return false;
  const twin = statSync(name, { throwIfNoEntry: false });
  const apartMs = twin === undefined ? Infinity : Math.abs(twin.mtimeMs - envelope.atMs);
  if (apartMs < captureLimits.anonymousTwinMs) return false;
  rmSync(name, { force: true });
  return tryLink(temporary, name);
}

const claimName = (paths: HomePaths, envelope: HookEnvelope): string =>
  `${keysFolder(paths)}/${envelope.anonymous ? `a-${sha256(envelope.contentHash)}` : envelope.key}`;

/** False when the name is taken. File systems without hard links get an exclusive empty file instead. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST") return false;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP") throw error;
    return createEmpty(to);
  }
}

function createEmpty(path: string): boolean {
  try {
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** A directory cannot be opened for syncing on Windows; there the rename is journalled. */
function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder itself is missing or not ours: there is nothing to discard.
  }
}

/**
 * Counting costs milliseconds when the spool is large, so only one event in sixteen (by its key) counts and leaves a
 * note for the others. Sizes are sampled.
 */
function isFull(paths: HomePaths, key: string): boolean {
  const note = `${paths.spool}/full`;
  const noted = existsSync(note);
  if (!noted && !key.startsWith("0")) return false;
  const full = isOverLimit(paths);
  if (full && !noted) createEmpty(note);
  if (!full && noted) rmSync(note, { force: true });
  return full;
}

function isOverLimit(paths: HomePaths): boolean {
  const names = spooledNames(paths);
  if (names.length >= captureLimits.spoolFilesMax) return true;
  const step = Math.max(1, Math.floor(names.length / 256));
  let bytes = 0;
  for (let at = 0; at < names.length; at += step)
    bytes += statSync(`${paths.spool}/${names[at]}`, { throwIfNoEntry: false })?.size ?? 0;
  return bytes * step >= captureLimits.spoolBytesMax;
}

/** Names of waiting events, first come first. Empty when there is no spool. */
export const spooledNames = (paths: HomePaths): readonly string[] =>
  fileNamesIn(paths.spool)
    .filter((name) => name.endsWith(".json"))
    .toSorted();

/** The event of one file; null when the file is damaged or gone. */
export function readSpooled(paths: HomePaths, name: string): HookEnvelope | null {
  return parseEnvelope(parseJson(readText(`${paths.spool}/${name}`) ?? ""));
}

/**
 * Removes an event after it was committed; running it twice does no harm. The second name goes first: if the process
 * dies or the disk fails in between, the event is read once more and recognised by its key. The other way round its
 * text would stay under the second name, where nobody looks for what is forgotten.
 */
export function removeSpooled(paths: HomePaths, name: string, envelope: HookEnvelope): void {
  rmSync(claimName(paths, envelope), { force: true });
  rmSync(`${paths.spool}/${name}`, { force: true });
}

const badFilesMax = 1_000;

/** Sets a file aside that can never be applied. The oldest ones leave when there are too many. */
export function setAside(paths: HomePaths, name: string): void {
  mkdirSync(badFolder(paths), { recursive: true, mode: 0o700 });
  renameSync(`${paths.spool}/${name}`, `${badFolder(paths)}/${name}`);
  const all = readdirSync(badFolder(paths)).toSorted();
  for (const old of all.slice(0, Math.max(0, all.length - badFilesMax)))
    rmSync(`${badFolder(paths)}/${old}`, { force: true });
}

/**
 * Files that a killed hook left half-way: a complete one becomes an event (its key makes that harmless), any other is
 * removed. `youngerThanMs` protects hooks that are still writing.
 */
export function adoptLeftovers(
  paths: HomePaths,
  times: { readonly nowMs: number; readonly youngerThanMs: number },
): void {
  if (!existsSync(paths.spool)) return;
  for (const name of readdirSync(paths.spool).filter((entry) => entry.endsWith(".tmp"))) {
    // The file's own time is the event's; the name tells when it was written.
    const writtenMs = Number(/^(\d+)-/.exec(name)?.[1] ?? 0);
    if (times.nowMs - writtenMs < times.youngerThanMs) continue;
    const path = `${paths.spool}/${name}`;
    if (readSpooled(paths, name) === null) rmSync(path, { force: true });
    else {
      // The hook may have been killed before it had done this: a power cut would leave half an event under its name.
      syncFile(path);
      renameSync(path, path.replace(/\.\d+\.tmp$/, ".json"));
    }
  }
}

function syncFile(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Removes second names whose event is gone: a crash between the two removals would keep the text. To be called when
 * nothing is waiting; `youngerThanMs` protects hooks that are still writing.
 */
export function sweepKeys(
  paths: HomePaths,
  times: { readonly nowMs: number; readonly youngerThanMs: number },
): void {
  if (!existsSync(keysFolder(paths))) return;
  for (const name of readdirSync(keysFolder(paths))) {
    const path = `${keysFolder(paths)}/${name}`;
    const changedMs = statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? times.nowMs;
    if (times.nowMs - changedMs >= times.youngerThanMs) rmSync(path, { force: true });
  }
}

// Counts the events in the spool.

export function spoolSize(paths: HomePaths): SpoolSize {
  // Not when they were last modified: that is set to the event's own time.
  const found = spooledNames(paths).flatMap(
    (name) => statSync(join(paths.spool, name), { throwIfNoEntry: false }) ?? [],
  );
  return {
    files: found.length,
    bytes: found.reduce((sum, { size }) => sum + size, 0),
    oldestMs: found.length === 0 ? null : Math.min(...found.map(({ ctimeMs }) => ctimeMs)),
  };
}
