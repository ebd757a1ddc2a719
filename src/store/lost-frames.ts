/**
 * Tells whether the log of a database that nobody has open lost commits. SQLite reads a log up to
 * its first damaged frame and says nothing of the rest. Its index beside the log, which outlives a
 * process that was killed, tells how many frames were committed. A log that was never synced is not
 * meant: the index counts a frame only after that.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const headerBytes = 32;
const frameHeadBytes = 24;
/** Two copies of its header, and how many frames are in the database already. */
const indexBytes = 100;

/** The losses of a log. */
export interface Loss {
  /** Committed frames; 0 = none, or nothing is known. */
  readonly frames: number;
  /** The log would put older pages over newer ones that the database has. */
  readonly isBehind: boolean;
}

/** Only before this process opens the database: a first reader makes the index anew, from what it can read. */
export function lossOf(database: string): Loss {
  const none = { frames: 0, isBehind: false };
  const index = indexOf(database);
  const isKnown =
    index.length === indexBytes &&
    index[12] === 1 &&
    index.subarray(0, 48).equals(index.subarray(48, 96));
  if (!isKnown) return none;
  const log = bytesOf(`${database}-wal`);
  const committed = index.readUInt32LE(16);
  const moved = index.readUInt32LE(96);
  const sound = soundFrames(log);
  // The index may be of another age than the log: after a power cut the index may be older.
  if (sound !== null && !index.subarray(32, 40).equals(log.subarray(16, 24))) return none;
  const left = sound ?? 0;
  // Somebody writes meanwhile.
  if (left >= committed || !index.equals(indexOf(database))) return none;
  return { frames: Math.max(0, committed - Math.max(left, moved)), isBehind: left < moved };
}

const indexOf = (database: string): Buffer => bytesOf(`${database}-shm`).subarray(0, indexBytes);

/** `lossMark` is the file that notes lost changes, for `status`. */
export const lossMark = (database: string): string =>
  join(dirname(database), "backups", "changes-lost");

/** Notes what the log lost, once, with the time. */
export function noteLoss(database: string, nowMs: number): Loss {
  const loss = lossOf(database);
  if (loss.frames > 0) {
    mkdirSync(dirname(lossMark(database)), { recursive: true, mode: 0o700 });
    writeFileSync(lossMark(database), `${nowMs}\n`, { mode: 0o600 });
  }
  return loss;
}

/** Frames up to the first damaged one; null = the header is damaged, or there is none. */
function soundFrames(log: Buffer): number | null {
  if (log.length < headerBytes) return null;
  const isBig = (log[3] ?? 0) % 2 === 1;
  let sum = summed(log.subarray(0, 24), [0, 0], isBig);
  if (log.readUInt32BE(0) >>> 1 !== 0x1b_bf_83_41 || !isSum(log, 24, sum)) return null;
  const frameBytes = frameHeadBytes + log.readUInt32BE(8);
  let frames = 0;
  for (let at = headerBytes; at + frameBytes <= log.length; at += frameBytes) {
    sum = summed(log.subarray(at, at + 8), sum, isBig);
    sum = summed(log.subarray(at + frameHeadBytes, at + frameBytes), sum, isBig);
    const isOfLog = log.subarray(at + 8, at + 16).equals(log.subarray(16, 24));
    if (!isOfLog || !isSum(log, at + 16, sum)) break;
    frames += 1;
  }
  return frames;
}

type Sum = readonly [number, number];

const isSum = (bytes: Buffer, at: number, [one, two]: Sum): boolean =>
  bytes.readUInt32BE(at) === one && bytes.readUInt32BE(at + 4) === two;

/** SQLite's checksum of a log, carried on. */
function summed(bytes: Buffer, [first, second]: Sum, isBig: boolean): Sum {
  let one = first;
  let two = second;
  for (let at = 0; at < bytes.length; at += 8) {
    one = (one + (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + two) >>> 0;
    two = (two + (isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + one) >>> 0;
  }
  return [one, two];
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0); // Absent, as after a clean end.
  }
}
