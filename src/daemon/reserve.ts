/** Room on the disk that is given up for the spool when there is no other: what hooks hand over then is not lost. */
import { randomBytes } from "node:crypto";
import { existsSync, renameSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { reserveFile } from "#capture";
import type { HomePaths } from "#domain";

/** Room for some hundred events, and for the log that the database needs to take them in. */
const reserveBytes = 8 * 1_024 * 1_024;
/** Where less is free, the reserve would only make things worse. */
const freeBytesLeast = 100_000_000;

/** Lays the reserve down, or lays it down again once there is room. Never throws. */
export function keepReserve(paths: HomePaths): void {
  const file = reserveFile(paths);
  const temporary = `${file}.new`;
  try {
    if (existsSync(file)) return;
    const { bavail, bsize } = statfsSync(paths.spool);
    if (bavail * bsize < freeBytesLeast) return;
    // Nothing that a file system could store in less room than it takes.
    writeFileSync(temporary, randomBytes(reserveBytes), { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // Not ours to write, or the system does not tell what is free; the next tidying tries again.
    rmSync(temporary, { force: true });
  }
}
