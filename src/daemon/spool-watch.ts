/** Notices when a hook left something in the spool while the daemon was slow, or when the home folder is gone. */
import { existsSync, watch } from "node:fs";
import type { HomePaths } from "#domain";

export interface SpoolWatch {
  readonly start: (stop: (reason: string) => void) => void;
  readonly stop: () => void;
}

const pollMs = 2_000;

/** The reason to leave that is written nowhere: there is no place left for it. */
export const homeIsGone = "home is gone";

/**
 * Drains when something appears in the spool. The system's notice is quick but not promised everywhere, so the folder
 * is also looked at every two seconds. A home that was deleted ends the daemon: it could not be reached any more.
 */
export function createSpoolWatch(paths: HomePaths, drain: () => Promise<number>): SpoolWatch {
  const endings: (() => void)[] = [];
  let draining = false;
  const drainOnce = async (): Promise<void> => {
    if (draining) return;
    draining = true;
    await drain();
    draining = false;
  };
  return {
    start: (stop) => {
      const timer = setInterval(() => {
        if (existsSync(paths.lock)) void drainOnce();
        else stop(homeIsGone);
      }, pollMs);
      endings.push(() => clearInterval(timer), noticeNewFiles(paths.spool, drainOnce));
      void drainOnce();
    },
    stop: () => {
      for (const end of endings.splice(0)) end();
    },
  };
}

/** Calls back for new events; returns how to end it. */
function noticeNewFiles(folder: string, notice: () => Promise<void>): () => void {
  try {
    const watcher = watch(folder, (_, name) => {
      if (name?.endsWith(".json") === true) void notice();
    });
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined; // No notices on this file system: the timer alone will do.
  }
}
