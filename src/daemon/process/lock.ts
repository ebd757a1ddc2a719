/**
 * One daemon per home.
 *
 * Two layers, since each alone has a hole. `daemon.mutex` is a SQLite file whose exclusive lock the daemon holds while
 * it lives: the system releases it with the process, however that ends, and no two processes can hold it. `daemon.lock`
 * says who holds it (pid and start time), for people, for clients, and for the case that the mutex file was deleted
 * under a running daemon. Liveness decides, never age.
 */
import { Database } from "bun:sqlite";
import { chmodSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import {
  err,
  errorCode,
  errorMessage,
  ok,
  parseJson,
  readText,
  recordOf,
  type Result,
  writeWhole,
} from "#kit";
import type { HomePaths } from "#domain";

export interface DaemonLock {
  /** Lets the next daemon in. To be called last: after the socket and daemon.json are gone. */
  readonly release: () => void;
}

export type LockError =
  | { readonly type: "lock.held"; readonly by: ProcessIdentity | null }
  /** `path` cannot be used; `detail` is the system's reason. */
  | { readonly type: "lock.unavailable"; readonly path: string; readonly detail: string };

const mutexPath = (paths: HomePaths): string => `${paths.root}/daemon.mutex`;

/** Takes the lock, or says at once who has it. Creates the home folder (0700) when it is missing. */
export function acquireLock(
  paths: HomePaths,
  self: ProcessIdentity,
): Result<DaemonLock, LockError> {
  const mutex = holdMutex(paths);
  if (!mutex.ok) return mutex;
  const holder = readLock(paths);
  if (holder !== null && holder.pid !== self.pid && isAlive(holder)) {
    mutex.value.close();
    return err({ type: "lock.held", by: holder });
  }
  try {
    writeWhole(paths.lock, `${JSON.stringify({ ...self, home: realHome(paths) })}\n`);
  } catch (error) {
    mutex.value.close();
    return err(unavailable(paths.lock, error));
  }
  return ok({
    release: () => {
      if (readLock(paths)?.pid === self.pid) rmSync(paths.lock, { force: true });
      mutex.value.close();
    },
  });
}

/**
 * The process that the lock file names; null when it is missing, garbage, or came with a home that was copied while its
 * daemon ran.
 * That it lives is not checked.
 */
export function readLock(paths: HomePaths): ProcessIdentity | null {
  const { pid, startedAt, home } = recordOf(parseJson(readText(paths.lock) ?? ""));
  const isCopied = home !== undefined && home !== realHome(paths);
  return typeof pid === "number" && typeof startedAt === "string" && !isCopied
    ? { pid, startedAt }
    : null;
}

const realHome = ({ root }: HomePaths): string => realpathSync.native(root);

function holdMutex(paths: HomePaths): Result<Database, LockError> {
  try {
    mkdirSync(paths.root, { recursive: true, mode: 0o700 });
    chmodSync(paths.root, 0o700);
    return ok(lockExclusively(mutexPath(paths)));
  } catch (error) {
    const code = errorCode(error);
    if (code.startsWith("SQLITE_BUSY")) return err({ type: "lock.held", by: readLock(paths) });
    if (code !== "SQLITE_NOTADB" && code !== "SQLITE_CORRUPT")
      return err(unavailable(mutexPath(paths), error));
    return replaceMutex(paths);
  }
}

/** The mutex file was overwritten. A lock cannot be held on garbage, and `daemon.lock` still guards. */
function replaceMutex(paths: HomePaths): Result<Database, LockError> {
  try {
    rmSync(mutexPath(paths), { force: true });
    return ok(lockExclusively(mutexPath(paths)));
  } catch (error) {
    return err(unavailable(mutexPath(paths), error));
  }
}

const unavailable = (path: string, error: unknown): LockError => ({
  type: "lock.unavailable",
  path,
  detail: errorMessage(error),
});

/** Throws SQLITE_BUSY when another process holds it. Nothing is ever written to the file. */
function lockExclusively(path: string): Database {
  const mutex = new Database(path, { create: true });
  try {
    chmodSync(path, 0o600);
    mutex.run("PRAGMA busy_timeout = 0");
    // Nothing is written, so nothing needs a journal file beside it.
    mutex.run("PRAGMA journal_mode = MEMORY");
    mutex.run("BEGIN EXCLUSIVE");
    return mutex;
  } catch (error) {
    mutex.close();
    throw error;
  }
}

// Identifies a process beyond its pid. A pid alone is not enough: it may be recycled, or belong to a
// process that is dead and not yet reaped. Pid and start time together name one process of this boot.

export interface ProcessIdentity {
  readonly pid: number;
  /** Start time as the system tells it; opaque, only compared. Empty where the system does not tell. */
  readonly startedAt: string;
}

export const ownIdentity = (): ProcessIdentity => ({
  pid: process.pid,
  startedAt: startTimeOf(process.pid) ?? "",
});

/** True while this very process runs; a zombie does not. */
export const isAlive = (identity: ProcessIdentity): boolean =>
  Number.isInteger(identity.pid) &&
  identity.pid > 0 &&
  startTimeOf(identity.pid) === identity.startedAt;

/** The start time of a running process; null when there is none, or only its unreaped remains. */
export function startTimeOf(pid: number): string | null {
  if (process.platform === "linux") return startTimeFromProc(pid);
  return process.platform === "win32" ? startTimeUnknown(pid) : startTimeFromPs(pid);
}

/** Field 22 of /proc/PID/stat, in ticks since boot; the boot's own id makes it unique across restarts. */
function startTimeFromProc(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`) ?? "";
  // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "Z"] = fields;
  const ticks = fields[19];
  if (ticks === undefined || state === "Z" || state === "X") return null;
  return `${(readText("/proc/sys/kernel/random/boot_id") ?? "").slice(0, 8)}:${ticks}`;
}

/** macOS: the state and start time that `ps` prints, in seconds. */
function startTimeFromPs(pid: number): string | null {
  const { stdout } = Bun.spawnSync(["ps", "-o", "stat=,lstart=", "-p", String(pid)], {
    env: { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [state = "", ...started] = stdout.toString().trim().split(/\s+/);
  return state === "" || state.startsWith("Z") ? null : started.join(" ");
}

/** Windows tells no start time without a native call: there only the pid counts. */
function startTimeUnknown(pid: number): string | null {
  try {
    process.kill(pid, 0);
    return "";
  } catch {
    return null;
  }
}
