/** Reasons for a hook to do nothing at all. */
import { existsSync } from "node:fs";
import type { HomePaths } from "#domain";
import { readText } from "./socket.ts";

type Env = Readonly<Record<string, string | undefined>>;

const isOn = (value: string | undefined): boolean => value === "1" || value === "true";

/** CONTINUITY_INTERNAL: our own model process. CONTINUITY_OFF: the user's wish for this shell. */
export const isSwitchedOff = (env: Env): boolean =>
  isOn(env["CONTINUITY_INTERNAL"]) || isOn(env["CONTINUITY_OFF"]);

/** Written by `continuity pause`: epoch ms until when nothing is captured; empty = until `resume`. */
export const pauseFile = (paths: HomePaths): string => `${paths.root}/paused`;

/** One failed `stat` when nothing is paused. An unreadable time counts as paused: the wish was clear. */
export function isPaused(paths: HomePaths, nowMs: number): boolean {
  const file = pauseFile(paths);
  if (!existsSync(file)) return false;
  const until = readText(file)?.trim() ?? "";
  return !/^\d+$/.test(until) || nowMs < Number(until);
}
