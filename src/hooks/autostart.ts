/**
 * Starts the daemon in the background.
 *
 * A hook's environment holds API keys and the client's messaging token, and a project's settings can put anything into
 * it; the daemon gets what is on a list and nothing else. What decides where texts go (provider, proxies, certificates)
 * is on none: that is config.toml's to say. A hundred hooks may call this at once: one of them starts a process, the
 * others leave it alone. That only saves processes; that there is one daemon is the lock's doing.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import type { HomePaths } from "#domain";
import { listedVariables, readText } from "#kit";
import { captureLimits } from "./limits.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface StartInput {
  readonly paths: HomePaths;
  readonly env: Env;
  /** The program and its first arguments, to which `serve --autostarted` is added. */
  readonly command: readonly string[];
  /** System clock, epoch ms. */
  readonly nowMs: number;
}

export type StartOutcome = "started" | "being-started" | "failed";

/** Beside those of every process. */
const inherited: ReadonlySet<string> = new Set([
  // Variables that say how the process runs, not what it does with texts.
  "CONTINUITY_PORT",
  "CONTINUITY_IDLE_EXIT",
  "CONTINUITY_LOG_LEVEL",
]);

/**
 * `daemonEnvironment` gives the daemon's part of an environment. `home` replaces CONTINUITY_HOME,
 * which may lead there through a link.
 */
export function daemonEnvironment(env: Env, home: string): Record<string, string> {
  return { ...listedVariables(env, inherited), CONTINUITY_HOME: home };
}

/**
 * Tells the runtime of a daemon how much memory to reckon with: its collector lets garbage grow with that. Reckoning
 * with the machine's, 64 sessions at once took a daemon with 50 MB of objects to 360 MB within 15,000 events; with this
 * it stays at 160 and takes in no fewer events a second.
 */
const daemonRuntime = { BUN_JSC_forceRAMSize: String(160 * 1024 * 1024) } as const;

/** Starts `serve --autostarted` detached, unless another hook did so a moment ago. Never throws. */
export function startDaemon(input: StartInput): StartOutcome {
  const [program, ...rest] = input.command;
  if (program === undefined) return "failed";
  try {
    mkdirSync(input.paths.root, { recursive: true, mode: 0o700 });
    if (!claimStart(input.paths, input.nowMs)) return "being-started";
    const child = Bun.spawn([program, ...rest, "serve", "--autostarted"], {
      // Never the project folder: it may be deleted, unmounted or hostile.
      cwd: input.paths.root,
      env: { ...daemonEnvironment(input.env, input.paths.root), ...daemonRuntime },
      stdio: ["ignore", "ignore", "ignore"],
      detached: true,
    });
    child.unref();
    return "started";
  } catch {
    return "failed"; // No such program, no such folder: the event is in the spool and waits.
  }
}

const startMark = (paths: HomePaths): string => `${paths.root}/daemon.starting`;

/**
 * True for the one who may start. The mark holds the time until which others wait; it is short, so a mark whose
 * writer died costs seconds. Two processes may both find it expired: then two daemons start and the lock keeps one.
 */
function claimStart(paths: HomePaths, nowMs: number): boolean {
  const mark = startMark(paths);
  if (createMark(mark, nowMs)) return true;
  const untilMs = Number(readText(mark) ?? 0);
  const valid = nowMs < untilMs && untilMs - nowMs <= holdOffMsMax;
  if (valid) return false;
  rmSync(mark, { force: true });
  return createMark(mark, nowMs);
}

function createMark(path: string, nowMs: number): boolean {
  try {
    const file = openSync(path, "wx", 0o600);
    writeSync(file, String(nowMs + captureLimits.startAttemptMs));
    closeSync(file);
    return true;
  } catch {
    return false; // Taken.
  }
}

/**
 * True while somebody waits for the start: a daemon that comes up late, after it was stopped or its home removed, is
 * wanted by nobody.
 */
export const isStartAwaited = (paths: HomePaths): boolean => existsSync(startMark(paths));

/** The daemon is up: the next hook that finds none may start one at once. Never throws. */
export function clearStartMark(paths: HomePaths): void {
  try {
    rmSync(startMark(paths), { force: true });
  } catch {
    // A home on a read-only disk, or one that is a file: nobody could set a mark either.
  }
}

/** The longest that a daemon which cannot start keeps hooks from trying again. */
const holdOffMsMax = 120_000;

/**
 * A daemon that cannot open its database asks hooks to wait; otherwise each of them would start it anew. Never throws:
 * where no mark can be written, that is what happens.
 */
export function holdOffStarts(paths: HomePaths, untilMs: number): void {
  const mark = startMark(paths);
  try {
    rmSync(mark, { force: true });
    writeFileSync(mark, String(untilMs), { mode: 0o600 });
  } catch {
    // Disk full, or a home that is not ours to write.
  }
}

/** True when the last start failed a moment ago, for longer than a start that is under way would be waited for. */
export function areStartsHeldOff(paths: HomePaths, nowMs: number): boolean {
  const leftMs = Number(readText(startMark(paths)) ?? 0) - nowMs;
  return leftMs > captureLimits.startAttemptMs && leftMs <= holdOffMsMax;
}
