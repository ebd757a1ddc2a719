/** The daemon's place, for commands that must write the database themselves. */
import { stopDaemon } from "./client.ts";
import { takeLock, type TakeLockDeps } from "./take-lock.ts";

/** Tries at getting the daemon's place: a hook may start one between its end and our lock. */
const lockTriesMax = 5;

/** Stops the daemon and takes its lock; null when it stays. Release it. */
export async function holdLock(
  deps: TakeLockDeps,
): Promise<{ readonly release: () => void } | null> {
  for (let attempt = 0; attempt < lockTriesMax; attempt += 1) {
    await stopDaemon(deps.paths);
    const taken = await takeLock(deps);
    if (taken.type === "locked") return taken.lock;
  }
  return null;
}
