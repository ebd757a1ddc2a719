/** How the command line reaches the daemon: find it, make sure it is ours, start it, stop it. */
import { err, ok, type ClockDep, type Result } from "#kit";
import type { HomePaths } from "#domain";
import {
  areStartsHeldOff,
  clearStartMark,
  daemonTarget,
  isOlderVersion,
  startDaemon,
  type DaemonTarget,
} from "#capture";
import { readLock } from "./lock.ts";
import { isAlive } from "./process-identity.ts";

export interface DaemonClient {
  readonly version: string;
  /** `fetch` for paths of the daemon such as `/api/health`, through its socket. Rejects when the daemon is gone. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Asks it to leave; resolves once it has heard. */
  readonly stop: () => Promise<void>;
}

const healthMs = 1_000;

/** The running daemon of this home, or null when none answers. Proves ownership before it sends anything. */
export async function connectDaemon(paths: HomePaths): Promise<DaemonClient | null> {
  const target = await daemonTarget(paths, healthMs);
  if (target.type !== "target") return null;
  const call = caller(target);
  try {
    const response = await call("/api/health", { signal: AbortSignal.timeout(healthMs) });
    const health: unknown = await response.json();
    if (typeof health !== "object" || health === null || !("version" in health)) return null;
    return {
      version: String(health.version),
      fetch: call,
      stop: async () => {
        await call("/api/daemon/stop", {
          method: "POST",
          signal: AbortSignal.timeout(healthMs),
        }).catch(() => undefined); // Gone already is as good.
      },
    };
  } catch {
    return null; // No daemon there, or another program that does not speak our protocol.
  }
}

function caller({ origin, init: base }: DaemonTarget): DaemonClient["fetch"] {
  return async (path, init = {}) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(base.headers)) headers.set(name, value);
    const unix = base.unix === undefined ? {} : { unix: base.unix };
    return fetch(`${origin}${path}`, { ...init, ...unix, headers });
  };
}

export interface EnsureDeps extends ClockDep {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The program and its first arguments, to which `serve --autostarted` is added. */
  readonly command: readonly string[];
  readonly version: string;
}

export type EnsureError =
  | { readonly type: "daemon.unreachable"; readonly afterMs: number }
  /** It was started and ended at once; in the foreground it says why. */
  | { readonly type: "daemon.failed" };

const pollMs = 20;
const startMsDefault = 10_000;

/**
 * The running daemon, started if need be (also with autostart off: a person asked). An older one is replaced, but used
 * when it will not leave.
 */
export async function ensureDaemon(
  deps: EnsureDeps,
  timeoutMs = startMsDefault,
): Promise<Result<DaemonClient, EnsureError>> {
  const { paths, env, command, clock } = deps;
  const endMs = performance.now() + timeoutMs;
  let last: DaemonClient | null = null;
  // What keeps hooks from trying again need not keep a person, who may just have mended it.
  if (areStartsHeldOff(paths, clock.nowMs())) clearStartMark(paths);
  for (;;) {
    last = await connectDaemon(deps.paths);
    if (last !== null && !isOlderVersion(last.version, deps.version)) return ok(last);
    if (performance.now() >= endMs) break;
    if (last === null && areStartsHeldOff(paths, clock.nowMs()))
      return err({ type: "daemon.failed" });
    startDaemon({ paths, env, command, nowMs: clock.nowMs() });
    await Bun.sleep(pollMs);
  }
  return last === null ? err({ type: "daemon.unreachable", afterMs: timeoutMs }) : ok(last);
}

export type StopOutcome = "stopped" | "not-running" | "still-running";

/**
 * Stops the daemon of this home: asks, then SIGTERM, then SIGKILL (which loses nothing: what was accepted is on disk).
 * For `uninstall` and `restore`, which must not share the database with it.
 */
export async function stopDaemon(paths: HomePaths, timeoutMs = 5_000): Promise<StopOutcome> {
  const holder = readLock(paths);
  if (holder === null || !isAlive(holder)) return "not-running";
  const client = await connectDaemon(paths);
  const steps: readonly (() => unknown)[] = [
    async () => client?.stop(),
    () => signal(holder.pid, "SIGTERM"),
    () => signal(holder.pid, "SIGKILL"),
  ];
  for (const step of steps) {
    await step();
    const endMs = performance.now() + timeoutMs / steps.length;
    while (performance.now() < endMs) {
      if (!isAlive(holder)) return "stopped";
      await Bun.sleep(pollMs);
    }
  }
  return isAlive(holder) ? "still-running" : "stopped";
}

function signal(pid: number, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself.
  }
}
