/** Hybrid logical clock: the wall clock where it moves on, a counter where it does not. Pure. */
import type { Stamp } from "#domain";

const msChars = 9;
const countChars = 4;
/** Epoch ms with nine digits of base 36: the year 5188. */
const msMax = 36 ** msChars - 1;
const countMax = 36 ** countChars - 1;

const stampPattern = /^[0-9a-z]{9}\.[0-9a-z]{4}\.[0-9a-f]{8}$/;

export const isStamp = (text: string): boolean => stampPattern.test(text);

const stampAt = (ms: number, count: number, device: string): Stamp =>
  `${ms.toString(36).padStart(msChars, "0")}.${count.toString(36).padStart(countChars, "0")}.${device}`;

/** Epoch ms of a stamp. */
export const msOf = (stamp: Stamp): number => Number.parseInt(stamp.slice(0, msChars), 36);

/**
 * A stamp of this device, after everything that is known of the matter (`known`: the latest stamps; empty = none). The
 * time is the statement's own unless something known is later, as it is when another device's clock runs ahead.
 */
export function nextStamp(atMs: number, known: readonly Stamp[], device: string): Stamp {
  const at = Math.min(Math.max(0, Math.floor(atMs)), msMax);
  const latest = known.reduce((a, b) => (a > b ? a : b), "");
  if (latest === "") return stampAt(at, 0, device);
  const ms = msOf(latest);
  if (at > ms) return stampAt(at, 0, device);
  const count = Number.parseInt(latest.slice(msChars + 1, msChars + 1 + countChars), 36) + 1;
  return count > countMax ? stampAt(ms + 1, 0, device) : stampAt(ms, count, device);
}
