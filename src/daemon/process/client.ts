/** Reaches the daemon for the command line: find it, make sure it is ours, start it, stop it. */
import { err, ok, recordOf, type Result, textField } from "#kit";
import { type HomePaths, loopbackHost } from "#domain";
import {
  areStartsHeldOff,
  clearStartMark,
  daemonTarget,
  type DaemonTarget,
  isOlderVersion,
  startDaemon,
} from "#hooks";
import type { DaemonContext } from "./app.ts";
import { acquireLock, type DaemonLock, isAlive, ownIdentity, readLock } from "./lock.ts";

export interface DaemonClient {
  readonly version: string;
  /**
   * `fetch` for paths of the daemon such as `/api/health`, through its socket. A body that is text is JSON. Rejects
   * when the daemon is gone.
   */
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
    const version = textField(recordOf(await response.json()), "version");
    if (version === null) return null;
    return {
      version,
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
    if (typeof init.body === "string") headers.set("content-type", "application/json");
    for (const [name, value] of Object.entries(base.headers)) headers.set(name, value);
    const unix = base.unix === undefined ? {} : { unix: base.unix };
    return fetch(`${origin}${path}`, { ...init, ...unix, headers });
  };
}

export type EnsureError =
  | { readonly type: "daemon.unreachable"; readonly afterMs: number }
  /** It was started and ended at once; in the foreground it says why. */
  | { readonly type: "daemon.failed" };

const pollMs = 20;
const startMsDefault = 10_000;

/**
 * The running daemon, started if need be (also with autostart off: a person asked). An older one is replaced, but used
 * when it will not leave. `command`: the program and its first arguments, to which `serve --autostarted` is added.
 */
export async function ensureDaemon(
  { paths, env, clock, version }: Omit<DaemonContext, "log" | "random">,
  command: readonly string[],
  timeoutMs = startMsDefault,
): Promise<Result<DaemonClient, EnsureError>> {
  const endMs = performance.now() + timeoutMs;
  let last: DaemonClient | null = null;
  // A person may just have mended the fault that keeps hooks from trying again.
  if (areStartsHeldOff(paths, clock.nowMs())) clearStartMark(paths);
  for (;;) {
    last = await connectDaemon(paths);
    if (last !== null && !isOlderVersion(last.version, version)) return ok(last);
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
  // One that is being started finds that nobody waits for it.
  clearStartMark(paths);
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

const answerMs = 300;

/** One connection attempt, closed at once; nothing is sent. */
export async function isPortTaken(port: number): Promise<boolean> {
  const attempt = Bun.connect({
    hostname: loopbackHost,
    port,
    socket: { data: () => undefined, open: (socket) => void socket.end() },
  }).then(
    () => true,
    () => false,
  );
  return Promise.race([attempt, Bun.sleep(answerMs).then(() => false)]);
}

// Getting to be the daemon: beside one that runs, one that is older, and one that is just starting or leaving.

type TakenLock =
  | { readonly type: "locked"; readonly lock: DaemonLock }
  | { readonly type: "already-running"; readonly pid: number | null }
  | { readonly type: "failed"; readonly detail: string };

const handOverMsMax = 10_000;
const startingMsMax = 3_000;
const lockPollMs = 25;

/**
 * Takes the lock. An older daemon is asked to leave and waited for; one that does not answer may be starting or
 * leaving, which a short wait tells.
 */
export async function takeLock(context: DaemonContext): Promise<TakenLock> {
  const self = ownIdentity();
  let endMs = performance.now() + startingMsMax;
  let asked = false;
  for (;;) {
    const lock = acquireLock(context.paths, self);
    if (lock.ok) return { type: "locked", lock: lock.value };
    if (lock.error.type === "lock.unavailable")
      return {
        type: "failed",
        detail:
          `${lock.error.path} cannot be locked (${lock.error.detail}); check that its folder is ` +
          "writable and has free space; if no daemon is running, remove it",
      };
    const answer = asked ? "none" : await askRunning(context);
    if (answer === "stays" || performance.now() >= endMs)
      return { type: "already-running", pid: lock.error.by?.pid ?? null };
    if (answer === "leaves") {
      asked = true;
      endMs = performance.now() + handOverMsMax;
    }
    await Bun.sleep(lockPollMs);
  }
}

/** Asks a daemon that is older than this program to leave. */
async function askRunning(context: DaemonContext): Promise<"stays" | "leaves" | "none"> {
  const running = await connectDaemon(context.paths);
  if (running === null) return "none";
  if (!isOlderVersion(running.version, context.version)) return "stays";
  context.log.write("info", "daemon.takes-over", { from: running.version, to: context.version });
  await running.stop();
  return "leaves";
}

// The daemon's place, for commands that must write the database themselves.

/** Tries at getting the daemon's place: a hook may start one between its end and our lock. */
const lockTriesMax = 5;

/** Stops the daemon and takes its lock; null when it stays. Release it. */
export async function holdLock(
  context: DaemonContext,
): Promise<{ readonly release: () => void } | null> {
  for (let attempt = 0; attempt < lockTriesMax; attempt += 1) {
    await stopDaemon(context.paths);
    const taken = await takeLock(context);
    if (taken.type === "locked") return taken.lock;
  }
  return null;
}
