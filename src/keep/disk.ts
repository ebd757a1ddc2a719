/** Tells whether the home's disk takes more: for status, flush and doctor. */
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder itself, or the nearest above it that exists. */
export function existingFolder(path: string): string {
  let place = path;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  return place;
}

const probeBytes = 16_384;

/**
 * `writeFault` gives the reason why a file cannot be written and synced there; null when it can.
 * What the system allows shows only when it is tried.
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
    return error instanceof Error ? error.message : "unknown";
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
