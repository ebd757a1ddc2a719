/** The bearer token of this home: 256 random bits in a 0600 file, made once. */
import { readFileSync, writeFileSync } from "node:fs";
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

export function readToken(paths: HomePaths): string | null {
  try {
    return readFileSync(paths.token, "utf8").trim() || null;
  } catch {
    return null; // No token yet: nobody gets in over TCP.
  }
}
