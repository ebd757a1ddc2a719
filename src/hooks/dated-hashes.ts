/**
 * Files of hashes that lapse. A line is a hash and the day on which it was added, which it keeps when another session
 * takes it on. Hooks and the daemon append, so that of two writers neither loses lines; the daemon alone rewrites.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { msPerDay, readText, writeWhole } from "#kit";

/** Day of each hash, counted from 1970; the one that was added last comes last. */
type DatedHashes = ReadonlyMap<string, number>;

/** Hashes are kept so long … */
const daysMax = 90;
/** … and of this age they are no longer given to another session. */
const inheritedDaysMax = 30;

const dayOf = (ms: number): number => Math.floor(ms / msPerDay);

/** The hashes of a file; none where there is no file. */
export const hashesIn = (file: string): DatedHashes => parsed(readText(file) ?? "");

/** A line without a day counts as lapsed. */
function parsed(text: string): DatedHashes {
  const hashes = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [hash = "", day = "0"] = line.split(" ");
    if (hash === "") continue;
    hashes.delete(hash);
    hashes.set(hash, Number(day));
  }
  return hashes;
}

const linesOf = (hashes: Iterable<readonly [string, number]>): string =>
  [...hashes].map(([hash, day]) => `${hash} ${day}\n`).join("");

/** Adds hashes as of today. Throws when the file cannot be written. */
export function addHashes(file: string, hashes: readonly string[], nowMs: number): void {
  const known = hashesIn(file);
  const today = dayOf(nowMs);
  const fresh = [...new Set(hashes)].filter((hash) => known.get(hash) !== today);
  append(file, linesOf(fresh.map((hash) => [hash, today])));
}

/** Adds the latest hashes of the other files with this ending, each with its own day, as far as there is room. */
export function inheritHashes(
  file: string,
  { suffix, max, nowMs }: { readonly suffix: string; readonly max: number; readonly nowMs: number },
): void {
  const own = hashesIn(file);
  const others = recentHashes(file.slice(0, file.lastIndexOf("/")), suffix, nowMs)
    .filter(([hash]) => !own.has(hash))
    .toSorted(([, one], [, other]) => one - other);
  const room = Math.max(0, max - own.size);
  append(file, linesOf(others.slice(Math.max(0, others.length - room))));
}

function recentHashes(
  folder: string,
  suffix: string,
  nowMs: number,
): readonly (readonly [string, number])[] {
  if (!existsSync(folder)) return [];
  const all = new Map<string, number>();
  for (const name of readdirSync(folder).filter((one) => one.endsWith(suffix)))
    for (const [hash, day] of hashesIn(`${folder}/${name}`))
      all.set(hash, Math.max(day, all.get(hash) ?? 0));
  return [...all].filter(([, day]) => dayOf(nowMs) - day < inheritedDaysMax);
}

function append(file: string, lines: string): void {
  if (lines !== "") appendFileSync(file, lines, { mode: 0o600 });
}

/** Removes what has lapsed and all but the latest `max` hashes, and the file when nothing is left. */
export function compactHashes(
  file: string,
  { max, nowMs }: { readonly max: number; readonly nowMs: number },
): void {
  const before = openSync(file, "r");
  try {
    const text = readFileSync(before, "utf8");
    const living = [...parsed(text)].filter(([, day]) => dayOf(nowMs) - day <= daysMax);
    const kept = linesOf(living.slice(-max));
    if (kept === text) return;
    // In one step: another process that reads meanwhile must not find half of the lines.
    writeWhole(file, kept);
    // Lines that another process appended to the former file meanwhile.
    append(file, readFileSync(before, "utf8"));
    if (readText(file) === "") rmSync(file, { force: true });
  } finally {
    closeSync(before);
  }
}
