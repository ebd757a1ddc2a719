/**
 * Runs commands in this process: reading from a read-only store when no daemon runs, starting one,
 * being one, and everything that concerns files of this machine. Loaded by the commands that need
 * it; a command that the daemon answers does not.
 */
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { type CliDeps, type CliError, type FlushReport, loadDemo } from "#cli";
import {
  connectDaemon,
  ensureDaemon,
  archiveStanding,
  runDaemon,
  stopDaemon,
  type DaemonClient,
} from "#daemon";
import { homePaths, type HomePaths, type Context } from "#domain";
import { err, msPerMinute, ok, systemClock, systemRandom, type Result } from "#kit";
import { settledPath, writeFault } from "#keep";
import { compileHotCode } from "./compiling.ts";
import type { Place } from "./context.ts";
import { explainOpenError } from "./fault.ts";
import { openBrowser } from "./browser.ts";
import { createConfigPort } from "./config.ts";
import { appOf } from "./direct.ts";
import { createSetup } from "./setup.ts";
import { createKeep } from "./keep.ts";
import { createServicePort } from "./user-service.ts";
import { createTeam } from "./team-hub.ts";
import { createSync, runSyncTask } from "./sync.ts";
import { terminal } from "#cli";

/** `doctor --fix` waits this long for the spool to empty. */
const flushMs = 30_000;

/** The files and ports of this machine that commands find beside the daemon's socket. */
export interface Local extends Pick<
  CliDeps,
  | "config"
  | "doctor"
  | "flush"
  | "importFrom"
  | "keep"
  | "openBrowser"
  | "runDemo"
  | "saidEnd"
  | "serve"
  | "service"
  | "setup"
  | "sync"
  | "instructions"
  | "teamHub"
  | "team"
> {
  /** The daemon, started if need be. */
  readonly startedDaemon: () => Promise<Result<DaemonClient, CliError>>;
  readonly runBackgroundTask: (task: string) => Promise<number>;
}

/** Ports of commands that are rarely called: each is loaded when it is. */
const loadedLate = (line: Place, app: ReturnType<typeof appOf>) => ({
  saidEnd: async (text: string, nowMs: number) => {
    const { saidEndOf } = await import("#language");
    return saidEndOf(text, nowMs);
  },
  teamHub: async () => {
    const { createTeamHub } = await import("./team-hub.ts");
    const atNow = { ...app, clock: line.clock };
    return createTeamHub(atNow, () => startedDaemon(line, atNow));
  },
  instructions: async () => {
    const { createInstructions } = await import("./instructions.ts");
    return createInstructions(line.env);
  },
});

export function createLocal(line: Place): Local {
  compileHotCode();
  const { env, paths, clock } = line;
  const app = appOf(line);
  const atNow = { ...app, clock };
  const program = programOf(line);
  const binary = program === null ? null : settledPath(program, paths.root);
  const config = createConfigPort(paths, env);
  const flushed = (timeoutMs: number) => flush(line, app, timeoutMs);
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
    doctor: async (options) => {
      const { createDoctor } = await import("./doctor.ts");
      const flushForDoctor = () => flushed(flushMs);
      return createDoctor({ app: atNow, cwd: line.cwd, binary, setup, flush: flushForDoctor })(
        options,
      );
    },
    serve: (options) => serve(app, options),
    openBrowser: (url) => openBrowser(url, env, paths),
    service: createServicePort({ env, binary, platform: process.platform }),
    keep: createKeep(atNow, () => startedDaemon(line, atNow)),
    importFrom: async (ask, onProgress) => {
      const { importFrom } = await import("./import.ts");
      const daemon = () => startedDaemon(line, app);
      return importFrom({ ...atNow, daemon, config, cwd: line.cwd }, ask, onProgress);
    },
    flush: flushed,
    team: createTeam(systemRandom),
    sync: createSync(atNow, () => startedDaemon(line, atNow)),
    ...loadedLate(line, app),
    runDemo: () => demo(line),
    startedDaemon: () => startedDaemon(line, atNow),
    runBackgroundTask: async (task) => {
      if (task === "sync") return runSyncTask(atNow);
      const { runBackgroundTask } = await import("#keep");
      const standingIn = archiveStanding();
      return runBackgroundTask({ ...app, standingIn }, task);
    },
  };
}

/** Path of the running program; null from source, where there is none that could be installed. */
const programOf = (line: Place): string | null =>
  line.command.length === 1 ? (line.command[0] ?? null) : null;

/** Starts the daemon; names a home or a database first that it could only fail on. */
async function startedDaemon(line: Place, app: Context): Promise<Result<DaemonClient, CliError>> {
  const { checkDatabase } = await import("./direct.ts");
  const failure = checkHome(app.paths) ?? checkDatabase(app);
  if (failure !== null) return err(failure);
  // The daemon's life is told by the system's clock, whatever the command's own is.
  const started = await ensureDaemon({ ...app, clock: systemClock }, line.command);
  if (started.ok) return started;
  const { error } = started;
  if (error.type === "daemon.failed")
    return err({
      type: error.type,
      message: "the daemon ended as soon as it was started",
      next: "run `continuity serve` to see why",
    });
  return err({
    type: error.type,
    message: `the daemon did not answer within ${error.afterMs / 1_000} s`,
    next: "run `continuity status --log` to see why",
  });
}

function checkHome(paths: HomePaths): CliError | null {
  try {
    mkdirSync(paths.root, { recursive: true, mode: 0o700 });
    accessSync(paths.root, constants.W_OK);
    return null;
  } catch (error) {
    return {
      type: "home.unavailable",
      message: `${paths.root} cannot be written: ${error instanceof Error ? error.message : "unknown"}`,
      next: "set CONTINUITY_HOME to a folder that you may write",
    };
  }
}

/** A path that the system allows to write may still be full. */
function checkDisk(paths: HomePaths): CliError | null {
  const fault = writeFault(paths.root);
  return fault === null
    ? null
    : {
        type: "home.unavailable",
        message: `${paths.root} cannot be written, so nothing new can be taken in: ${fault}`,
        next: "free some disk space, then run `continuity flush` again",
      };
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

async function flush(
  line: Place,
  app: Context,
  timeoutMs: number,
): Promise<Result<FlushReport, CliError>> {
  const { paths } = app;
  if (!existsSync(paths.root)) return ok({ done: true, left: 0 });
  const failure = checkHome(paths) ?? checkDisk(paths);
  if (failure !== null) return err(failure);
  const running = await connectDaemon(paths);
  const connected = running === null ? await startedDaemon(line, app) : ok(running);
  if (!connected.ok) return connected;
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const leftMs = Math.max(0, endMs - performance.now());
    const response = await connected.value.fetch("/api/flush", {
      method: "POST",
      body: JSON.stringify({ timeoutMs: Math.min(leftMs, flushCallMs) }),
      headers: { "content-type": "application/json" },
    });
    const report = (await response.json()) as { readonly done: boolean; readonly left: number };
    if (report.done || leftMs <= flushCallMs || !response.ok) return ok(report);
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
