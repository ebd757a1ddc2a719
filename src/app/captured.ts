/** Whether the user lets anything be kept of a folder, now. */
import { exclusionFor, isHookSwitchedOff, isPaused } from "#capture";
import { isHeadlessEnv, type HomePaths, type Settings } from "#domain";
import type { Clock } from "#kit";

interface Switches {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly paths: HomePaths;
  readonly settings: { readonly current: () => Settings };
}

/** False where the folder is excluded as a whole. */
export function isCaptured(
  { env, settings }: Omit<Switches, "clock" | "paths">,
  cwd: string,
): boolean {
  return !exclusionFor(cwd, { settings: settings.current(), env })(".");
}

/** Why nothing of a folder is kept now, in words; null = it is. `folder` null: none is known. */
export function whyNotCaptured(switches: Switches, folder: string | null): string | null {
  if (isHookSwitchedOff(switches.env)) return "memory is switched off here (CONTINUITY_OFF)";
  if (isPaused(switches.paths, switches.clock.nowMs())) return "memory is paused";
  if (isHeadlessEnv(switches.env) && switches.settings.current().capture.headless === "off")
    return "a program runs this session, and capture.headless is off";
  if (folder !== null && !isCaptured(switches, folder))
    return "this folder is excluded from memory";
  return null;
}
