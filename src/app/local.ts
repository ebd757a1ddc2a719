/**
 * Runs commands in this process: reading from a read-only store when no daemon runs, starting one,
 * being one, and everything that concerns files of this machine. Loaded by the commands that need
 * it; a command that the daemon answers does not.
 */
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { CliFailure, type FlushReport, loadDemo, type Local, terminal } from "#cli";
import {
  connectDaemon,
  ensureDaemon,
  archiveStanding,
  runDaemon,
  stopDaemon,
  type DaemonClient,
} from "#daemon";
import { homePaths, type HomePaths, type Context } from "#domain";
import { msPerMinute, systemClock, systemRandom, writeFaultIn } from "#kit";
import { runBackgroundTask, settledPath, writeFault } from "#keep";
import { saidEndOf } from "#language";
import { compileHotCode } from "./compiling.ts";
import type { Place } from "./context.ts";
import { explainOpenError } from "./fault.ts";
import { openBrowser } from "./viewer-access.ts";
import { createConfigPort } from "./config.ts";
import { appOf } from "./direct.ts";
import { createSetup } from "./setup.ts";
import { createKeep } from "./keep.ts";
import { createTeam } from "./team-hub.ts";
import { createSync, runSyncTask } from "./sync.ts";

/** `doctor --fix` waits this long for the spool to empty. */
const flushMs = 30_000;

export interface LocalRuns extends Local {
  readonly startedDaemon: () => Promise<DaemonClient>;
  readonly runBackgroundTask: (task: string) => Promise<number>;
}

/** Loads what is behind the rarer commands when they run. */
export function createLocal(line: Place): LocalRuns {
  compileHotCode();
  const { env, paths, clock } = line;
  const own = appOf(line);
  const app = { ...own, clock };
  const program = programOf(line);
  const binary = program === null ? null : settledPath(program, paths.root);
  const config = createConfigPort(paths, env);
  const daemon = () => startedDaemon(line, app);
  const setup = createSetup({
    paths,
    env,
    cwd: line.cwd,
    version: line.version,
    binary,
    program,
    port: () => app.settings.current().server.port,
  });
  return {
    config,
    setup,
    saidEnd: async (text, nowMs) => saidEndOf(text, nowMs),
    doctor: async (options) => {
      const { createDoctor } = await import("./doctor.ts");
      const flushForDoctor = () => flush(line, app, flushMs);
      return createDoctor({ app, cwd: line.cwd, binary, setup, flush: flushForDoctor })(options);
    },
    serve: (options) => serve(own, options),
    openBrowser: (url) => openBrowser(url, env, paths),
    keep: createKeep(app, daemon),
    importFrom: async (ask, onProgress) => {
      const { importFrom } = await import("./import.ts");
      return importFrom({ ...app, daemon, cwd: line.cwd }, ask, onProgress);
    },
    flush: (timeoutMs) => flush(line, app, timeoutMs),
    team: createTeam(systemRandom),
    teamHub: async () => (await import("./team-hub.ts")).createTeamHub(app, daemon),
    sync: createSync(app, daemon),
    runDemo: () => demo(line),
    startedDaemon: daemon,
    runBackgroundTask: async (task) => {
      if (task === "sync") return runSyncTask(app);
      const standingIn = archiveStanding();
      return runBackgroundTask({ ...own, standingIn }, task);
    },
  };
}

/** Path of the running program; null from source, where there is none that could be installed. */
const programOf = (line: Place): string | null =>
  line.command.length === 1 ? (line.command[0] ?? null) : null;

/** Starts the daemon; names a home or a database first that it could only fail on. */
async function startedDaemon(line: Place, app: Context): Promise<DaemonClient> {
  const { demandDatabase } = await import("./direct.ts");
  demandHome(app.paths);
  demandDatabase(app);
  // The daemon's life is told by the system's clock, whatever the command's own is.
  const started = await ensureDaemon({ ...app, clock: systemClock }, line.command);
  if (started.ok) return started.value;
  const { error } = started;
  if (error.type === "daemon.failed")
    throw new CliFailure(
      "the daemon ended as soon as it was started",
      "run `continuity serve` to see why",
    );
  throw new CliFailure(
    `the daemon did not answer within ${error.afterMs / 1_000} s`,
    "run `continuity status --log` to see why",
  );
}

function demandHome(paths: HomePaths): void {
  try {
    mkdirSync(paths.root, { recursive: true, mode: 0o700 });
    accessSync(paths.root, constants.W_OK);
  } catch (error) {
    const { place, why, next } = writeFaultIn(paths.root, error);
    throw new CliFailure(
      `${place} cannot be written: ${why}`,
      `${next}, or set CONTINUITY_HOME to another folder`,
    );
  }
}

/** Tries a file: one that the system allows may still not fit. */
function demandDisk(paths: HomePaths): void {
  const fault = writeFault(paths.root);
  if (fault === null) return;
  throw new CliFailure(
    `${paths.root} cannot be written, so nothing new can be taken in: ${fault}`,
    "free some disk space, then run `continuity flush` again",
  );
}

async function serve(
  app: Context,
  options: { readonly port: number | null; readonly idleExitMinutes: number | "never" | null },
): Promise<number> {
  const { openApp } = await import("./daemon.ts");
  const { server } = app.settings.current();
  const minutes = options.idleExitMinutes ?? server.idleExitMinutes ?? "never";
  const outcome = await runDaemon(app, {
    port: options.port ?? server.port,
    idleExitMs: minutes === "never" ? null : minutes * msPerMinute,
    openApp: (control) => {
      const opened = openApp(app, control);
      if (opened.ok) return opened.value;
      const { message, next } = explainOpenError(opened.error, app.paths);
      throw new Error(next === undefined ? message : `${message}; ${next}`);
    },
    onStopSignal: (stop) => {
      process.on("SIGTERM", () => stop("SIGTERM"));
      process.on("SIGINT", () => stop("SIGINT"));
    },
  });
  if (outcome.type === "stopped") return 0;
  const line =
    outcome.type === "already-running"
      ? `a daemon runs already${outcome.pid === null ? "" : ` (pid ${outcome.pid})`}`
      : `the daemon cannot start: ${outcome.detail}`;
  process.stderr.write(`error: ${line}\n`);
  return 1;
}

async function flush(line: Place, app: Context, timeoutMs: number): Promise<FlushReport> {
  const { paths } = app;
  if (!existsSync(paths.root)) return { done: true, left: 0 };
  demandHome(paths);
  demandDisk(paths);
  const client = (await connectDaemon(paths)) ?? (await startedDaemon(line, app));
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const leftMs = Math.max(0, endMs - performance.now());
    const response = await client.fetch("/api/flush", {
      method: "POST",
      body: JSON.stringify({ timeoutMs: Math.min(leftMs, flushCallMs) }),
    });
    const report = (await response.json()) as { readonly done: boolean; readonly left: number };
    if (report.done || leftMs <= flushCallMs || !response.ok) return report;
  }
}

/** The runtime ends a request that nobody answers for five minutes. */
const flushCallMs = 120_000;

async function demo(line: Place): Promise<number> {
  const { runDemo } = await loadDemo();
  return runDemo({
    self: line.command,
    env: line.env,
    print: (text) => terminal(line.env).out(`${text}\n`),
    stop: async (home) => void (await stopDaemon(homePaths(home))),
  });
}
