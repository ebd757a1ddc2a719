/** Events that have waited for a daemon for longer than one takes to start. Loaded only when there is none. */
import { readdirSync, statSync } from "node:fs";
import type { HomePaths } from "#domain";
import { msPerMinute, systemClock } from "#kit";

/** `waitingEvents` counts the events in the spool; 0 where there is no spool. */
export function waitingEvents(paths: HomePaths): number {
  try {
    const beforeMs = systemClock.nowMs() - msPerMinute;
    return readdirSync(paths.spool)
      .filter((name) => name.endsWith(".json"))
      .filter((name) => statSync(`${paths.spool}/${name}`).ctimeMs < beforeMs).length;
  } catch {
    return 0; // No spool yet, or a file that was taken in meanwhile.
  }
}
