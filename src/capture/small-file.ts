/** Reading small files whose absence is an answer. Not for the hook path: it loads node:fs. */
import { existsSync, readFileSync } from "node:fs";
import type { HomePaths } from "#domain";

/** A small file's text, or null when it cannot be read. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null; // Absent or unreadable: for every caller the same as not being there.
  }
}

// The pause switch: a file in the home folder, so that hooks can ask it while the daemon is away.

/** Written by `continuity pause`: epoch ms until when nothing is captured; empty = until `pause --off`. */
export const pauseFile = (paths: HomePaths): string => `${paths.root}/paused`;

/** One failed `stat` when nothing is paused. An unreadable time counts as paused: the wish was clear. */
export function isPaused(paths: HomePaths, nowMs: number): boolean {
  const file = pauseFile(paths);
  if (!existsSync(file)) return false;
  const until = readText(file)?.trim() ?? "";
  return !/^\d+$/.test(until) || nowMs < Number(until);
}
