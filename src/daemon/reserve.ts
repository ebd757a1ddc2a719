/**
 * What is laid down while the disk has room: a reserve that is given up for the spool when there is no other, so that
 * what hooks hand over then is not lost, and the note of what is lost all the same.
 */
import { randomBytes } from "node:crypto";
import { renameSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { lostNoteHead, lostNotePath, reserveFile } from "#capture";
import type { HomePaths } from "#domain";

/** Room for some hundred events, and for the log that the database needs to take them in. */
const reserveBytesMax = 8 * 1_024 * 1_024;
/** Less holds too few events to be worth its place. */
const reserveBytesMin = 256 * 1_024;
/** Of what is free: on a small disk the reserve must not be what fills it. */
const reserveShare = 1 / 8;

/** Lays both down, or lays down again what was given up once there is room. Never throws. */
export function keepReserve(paths: HomePaths): void {
  try {
    if (sizeOf(lostNotePath(paths)) === 0)
      writeFileSync(lostNotePath(paths), lostNoteHead, { mode: 0o600 });
  } catch {
    // Not ours to write, or no room; the next tidying tries again.
  }
  const temporary = `${reserveFile(paths)}.new`;
  try {
    const size = sizeOf(reserveFile(paths));
    const { bavail, bsize } = statfsSync(paths.spool);
    const wanted = Math.min(reserveBytesMax, Math.floor((bavail * bsize + size) * reserveShare));
    // What is free changes all the time; only a reserve that was given up, or grew too small, is laid anew.
    if (wanted < reserveBytesMin || size >= wanted / 2) return;
    // Nothing that a file system could store in less room than it takes.
    writeFileSync(temporary, randomBytes(wanted), { mode: 0o600 });
    renameSync(temporary, reserveFile(paths));
  } catch {
    // As above, or the system does not tell what is free.
    rmSync(temporary, { force: true });
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
