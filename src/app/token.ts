/** The bearer token of this home: 256 random bits in a 0600 file, made once. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { HomePaths } from "#domain";
import type { Random } from "#kit";

const tokenChars = 64;

export function ensureToken(paths: HomePaths, random: Random): void {
  try {
    writeFileSync(paths.token, `${random.hex(tokenChars)}\n`, { mode: 0o600, flag: "wx" });
  } catch {
    // There is one already; a home that cannot be written shows itself when the database is opened.
  }
}

/** Puts a new token in the place of the old one, which holds no longer. False when it cannot be written. */
export function rotateToken(paths: HomePaths, random: Random): boolean {
  const next = `${paths.token}.new`;
  try {
    // A file that an interrupted rotation left could have another mode.
    rmSync(next, { force: true });
    writeFileSync(next, `${random.hex(tokenChars)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(next, paths.token);
    return true;
  } catch {
    return false;
  }
}

export function readToken(paths: HomePaths): string | null {
  try {
    return readFileSync(paths.token, "utf8").trim() || null;
  } catch {
    return null; // No token yet: nobody gets in over TCP.
  }
}
