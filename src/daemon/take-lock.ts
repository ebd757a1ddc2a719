/** Getting to be the daemon: beside one that runs, one that is older, and one that is just starting or leaving. */
import type { LogDep } from "#kit";
import type { HomePaths } from "#domain";
import { isOlderVersion } from "#capture";
import { connectDaemon } from "./client.ts";
import { acquireLock, type DaemonLock } from "./lock.ts";
import { ownIdentity } from "./process-identity.ts";

export interface TakeLockDeps extends LogDep {
  readonly paths: HomePaths;
  readonly version: string;
}

export type TakenLock =
  | { readonly type: "locked"; readonly lock: DaemonLock }
  | { readonly type: "already-running"; readonly pid: number | null }
  | { readonly type: "failed"; readonly detail: string };

const handOverMsMax = 10_000;
const startingMsMax = 3_000;
const pollMs = 25;

/**
 * Takes the lock. An older daemon is asked to leave and waited for; one that does not answer may be starting or
 * leaving, which a short wait tells.
 */
export async function takeLock(deps: TakeLockDeps): Promise<TakenLock> {
  const self = ownIdentity();
  let endMs = performance.now() + startingMsMax;
  let asked = false;
  for (;;) {
    const lock = acquireLock(deps.paths, self);
    if (lock.ok) return { type: "locked", lock: lock.value };
    if (lock.error.type === "lock.unavailable")
      return {
        type: "failed",
        detail:
          `${lock.error.path} cannot be locked (${lock.error.detail}); check that its folder is ` +
          "writable and has free space; if no daemon is running, remove it",
      };
    const answer = asked ? "none" : await askRunning(deps);
    if (answer === "stays" || performance.now() >= endMs)
      return { type: "already-running", pid: lock.error.by?.pid ?? null };
    if (answer === "leaves") {
      asked = true;
      endMs = performance.now() + handOverMsMax;
    }
    await Bun.sleep(pollMs);
  }
}

/** Asks a daemon that is older than this program to leave. */
async function askRunning(deps: TakeLockDeps): Promise<"stays" | "leaves" | "none"> {
  const running = await connectDaemon(deps.paths);
  if (running === null) return "none";
  if (!isOlderVersion(running.version, deps.version)) return "stays";
  deps.log.write("info", "daemon.takes-over", { from: running.version, to: deps.version });
  await running.stop();
  return "leaves";
}
