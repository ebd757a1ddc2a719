/** The pause switch: a file in the home folder, so that hooks can ask it while the daemon is away. */
import { existsSync } from "node:fs";
import type { HomePaths } from "#domain";
import { readText } from "./small-file.ts";

/** Written by `continuity pause`: epoch ms until when nothing is captured; empty = until `pause --off`. */
export const pauseFile = (paths: HomePaths): string => `${paths.root}/paused`;

/** One failed `stat` when nothing is paused. An unreadable time counts as paused: the wish was clear. */
export function isPaused(paths: HomePaths, nowMs: number): boolean {
  const file = pauseFile(paths);
  if (!existsSync(file)) return false;
  const until = readText(file)?.trim() ?? "";
  return !/^\d+$/.test(until) || nowMs < Number(until);
}
