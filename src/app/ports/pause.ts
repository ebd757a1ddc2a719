/** The pause switch as a file in the home folder, because a hook asks with one failed `stat` when nothing is paused. */
import { rmSync, writeFileSync, readFileSync } from "node:fs";
import { isPaused, pauseFile } from "#capture";
import type { HomePaths } from "#domain";
import type { PauseDep } from "#service";

export function createPauseFile(paths: HomePaths): PauseDep["pause"] {
  const file = pauseFile(paths);
  return {
    state: (nowMs) => {
      if (!isPaused(paths, nowMs)) return { paused: false, until: null };
      return { paused: true, until: untilOf(file) };
    },
    pause: (untilMs) => writeFileSync(file, untilMs === null ? "" : `${untilMs}`, { mode: 0o600 }),
    resume: () => rmSync(file, { force: true }),
  };
}

function untilOf(file: string): number | null {
  try {
    const text = readFileSync(file, "utf8").trim();
    return /^\d+$/.test(text) ? Number(text) : null;
  } catch {
    return null; // Resumed in this very moment.
  }
}
