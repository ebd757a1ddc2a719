/**
 * Where an API key comes from: a file of its own in the home folder, else the variable that the user's configuration
 * names. Never a project's files, and never the environment of a hook: a project shapes that, so the daemon does not
 * inherit keys from it. A daemon that a person starts (`continuity serve`, a user service) sees their variables;
 * for one that a hook started, the file is what works.
 *
 * The file is `keys/<provider>`, mode 0600, one line. One that others could read or have written is refused, not
 * skipped: falling back to another key would spend money without a word.
 */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { err, ok } from "#kit";
import type { Result } from "#kit";

export interface KeyPlace {
  /** $CONTINUITY_HOME. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly provider: string;
  /** Name of the variable; empty = none. */
  readonly variable: string;
}

export interface Key {
  readonly value: string;
  /** For people: where it was found. */
  readonly source: string;
}

const keyCharsMax = 1_000;

/** Null when there is none; an error, in words, when there is one that must not be used. */
export function findKey(place: KeyPlace): Result<Key | null, string> {
  const file = join(place.home, "keys", place.provider);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found !== undefined) return readKeyFile(file, found);
  const value = place.variable === "" ? "" : (place.env[place.variable]?.trim() ?? "");
  if (value === "") return ok(null);
  return isKey(value)
    ? ok({ value, source: `$${place.variable}` })
    : err(`$${place.variable} holds no key`);
}

/** What to do about a key that is missing. */
export const missingKey = (place: KeyPlace): string =>
  `no key: put it into ${join(place.home, "keys", place.provider)}, mode 0600${
    place.variable === "" ? "" : ` (hooks do not pass on $${place.variable})`
  }`;

type Found = NonNullable<ReturnType<typeof lstatSync>>;

function readKeyFile(file: string, found: Found): Result<Key, string> {
  if (!found.isFile()) return err(`${file} is not a regular file`);
  if (process.getuid !== undefined && Number(found.uid) !== process.getuid())
    return err(`${file} is owned by another user`);
  // Windows has no such bits; the profile folder is private there.
  if (process.platform !== "win32" && (Number(found.mode) & 0o077) !== 0)
    return err(`${file} can be read by others; run chmod 600 on it`);
  if (Number(found.size) > keyCharsMax) return err(`${file} holds no key`);
  const value = textOf(file).trim();
  return isKey(value) ? ok({ value, source: file }) : err(`${file} holds no key`);
}

/** Empty when it went away or cannot be read. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** One word of printable characters: what fits into a header. */
const isKey = (value: string): boolean =>
  value.length > 0 && value.length <= keyCharsMax && /^[\x21-\x7e]+$/.test(value);
