/** What hooks noted of events that could be kept nowhere (capture/lost.ts), in words for status and doctor. */
import { existsSync, readFileSync, statSync, truncateSync } from "node:fs";
import { lostNoteBytesMax, lostNoteHead, lostNotePath } from "#capture";
import type { HomePaths } from "#domain";
import { isoTime, msPerDay } from "#kit";

/** How long a loss is told of. */
const toldMs = 7 * msPerDay;

/** What to do about a loss. */
export const lostFix =
  "free some disk space and repeat what should be remembered; `continuity doctor --fix` clears this message";

/** Says what was lost in the last seven days, when, and why; null when nothing was, or the message was cleared. */
export function lostEvents(paths: HomePaths, nowMs: number): string | null {
  const text = existsSync(lostNotePath(paths)) ? readFileSync(lostNotePath(paths), "utf8") : "";
  const all = [...text.matchAll(/^(\d{1,15}) (\w+) (\w+)$/gm)].map(([, at, hook, why]) => ({
    atMs: Number(at),
    hook,
    why: why ?? "",
  }));
  const lost = all.filter(({ atMs }) => nowMs - atMs <= toldMs);
  const [first] = lost;
  const last = lost.at(-1);
  if (first === undefined || last === undefined) return null;
  const prompts = lost.filter(({ hook }) => hook === "submit").length;
  const others = lost.length - prompts;
  const what = [
    ...(prompts === 0 ? [] : [counted(prompts, "prompt")]),
    ...(others === 0 ? [] : [counted(others, prompts === 0 ? "event" : "other event")]),
  ].join(" and ");
  const isFilled = text.length + lineCharsMax > lostNoteBytesMax;
  const when =
    minuteOf(first.atMs) === minuteOf(last.atMs)
      ? `at ${minuteOf(last.atMs)}`
      : `between ${minuteOf(first.atMs)} and ${minuteOf(last.atMs)}`;
  const were = lost.length === 1 ? "was" : "were";
  return `${isFilled ? "at least " : ""}${what} ${were} lost ${when}: ${reasonOf(last.why)}`;
}

/** The longest line that a hook adds. */
const lineCharsMax = 32;

/** Removes what was noted, and keeps the note itself. */
export function clearLost(paths: HomePaths): void {
  const size = statSync(lostNotePath(paths), { throwIfNoEntry: false })?.size ?? 0;
  if (size > lostNoteHead.length) truncateSync(lostNotePath(paths), lostNoteHead.length);
}

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

/** In UTC, as everywhere in the doctor's report. */
const minuteOf = (ms: number): string => `${isoTime(ms).slice(0, 16)}Z`;

const reasonOf = (why: string): string =>
  why === "ENOSPC" || why === "EDQUOT"
    ? "the disk was full"
    : why === "full"
      ? "the spool was full"
      : `the home folder could not be written (${why})`;
