/**
 * What the command line is made of: the daemon's socket for whoever needs it, this process on a read-only store
 * otherwise, and the real terminal, files and editor. Loaded for every command but `hook`.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  opendirSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runCli, type CliDeps, type CliError, type Connection } from "#cli";
import { createLive, createServer } from "#server";
import { connectDaemon, ensureDaemon, runDaemon, stopDaemon, type DaemonClient } from "#daemon";
import { projectOf } from "#capture";
import { runDemo } from "#cli/demo";
import { newestGoodBackup } from "#store";
import { homelessLine, homePaths, homeRoot, type HomePaths } from "#domain";
import {
  createFileLog,
  err,
  msPerMinute,
  ok,
  parseNow,
  systemClock,
  systemRandom,
  type Clock,
  type Result,
} from "#kit";
import type { AppDeps, Reader } from "./context.ts";
import { openApp, openReader, serviceOver } from "./daemon.ts";
import { explainOpenError, explainStorageFault } from "./errors.ts";
import { writeFault } from "./disk.ts";
import { openBrowser } from "./ports/browser.ts";
import { createConfigPort } from "./ports/config.ts";
import { createSettingsSource } from "./settings.ts";
import { createSetup } from "./ports/setup.ts";
import { backgroundWord, runBackgroundTask } from "./background.ts";
import { createKeep } from "./ports/keep.ts";
import { applyNet } from "./net.ts";
import { createServicePort } from "./ports/user-service.ts";
import { terminal } from "./ports/terminal.ts";
import { createLatestRelease } from "./ports/upgrade.ts";

export interface CommandLine {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** The program and its first arguments, to start itself with. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly hook: (args: readonly string[]) => Promise<number>;
  readonly statusLine: () => Promise<number>;
}

/** The exit status of a command that cannot be understood where it stands. */
const misuse = 2;

/** How long `doctor --fix` waits for what lies in the spool. */
const flushMs = 30_000;

/** Runs one command; resolves to the exit status. */
export async function runCommandLine(line: CommandLine): Promise<number> {
  const found = realPaths(line.env);
  if (found !== null) return runIn(appOf(line, found), line);
  process.stderr.write(`error: ${homelessLine(line.env)}\n`);
  return misuse;
}

async function runIn(app: AppDeps, line: CommandLine): Promise<number> {
  const [word, task = ""] = line.argv;
  if (word === backgroundWord) return runBackgroundTask(app, task);
  const { paths, settings } = app;
  const clock = commandClock(line.env);
  const setup = createSetup({
    paths,
    env: line.env,
    cwd: line.cwd,
    binary: binaryOf(line),
    port: () => settings.current().server.port,
  });
  return runCli({
    argv: line.argv,
    env: line.env,
    version: line.version,
    clock,
    io: terminal(line.env),
    connect: (need) => connect(line, { ...app, clock }, need),
    project: () => projectOf(line.cwd),
    config: createConfigPort(paths, line.env),
    setup,
    doctor: async (options) => {
      const { createDoctor } = await import("./doctor.ts");
      const flushed = () => flush(line, app, flushMs);
      const binary = binaryOf(line);
      const asked = { app: { ...app, clock }, cwd: line.cwd, binary, setup, flush: flushed };
      return createDoctor(asked)(options);
    },
    serve: (options) => serve(app, options),
    openBrowser: (url) => openBrowser(url, line.env, paths),
    hook: line.hook,
    statusLine: line.statusLine,
    mcp: (options) => speakMcp(line, { ...app, clock }, options),
    service: createServicePort({
      env: line.env,
      binary: binaryOf(line),
      platform: process.platform,
    }),
    keep: createKeep({ ...app, clock, start: () => startedDaemon(line, app) }),
    importFrom: async (ask, onProgress) => {
      const { importFrom } = await import("./ports/import.ts");
      const daemon = async (): Promise<Result<DaemonClient, CliError>> => startedDaemon(line, app);
      const config = createConfigPort(paths, line.env);
      return importFrom({ ...app, clock, daemon, config, cwd: line.cwd }, ask, onProgress);
    },
    flush: (timeoutMs) => flush(line, app, timeoutMs),
    latestRelease: createLatestRelease({ env: line.env, binary: binaryOf(line) }),
    runDemo: () => demo(line),
  });
}

function appOf(line: CommandLine, paths: HomePaths): AppDeps {
  const settings = createSettingsSource(paths, line.env);
  const { log, net } = settings.current();
  applyNet(net, process.env);
  return {
    paths,
    env: line.env,
    clock: systemClock,
    log: createFileLog({ dir: paths.logs, level: log.level, clock: systemClock }),
    random: systemRandom,
    version: line.version,
    settings,
    command: line.command,
  };
}

async function speakMcp(
  line: CommandLine,
  app: AppDeps,
  { readOnly, folder }: Parameters<CliDeps["mcp"]>[0],
): Promise<number> {
  const { serveMcp } = await import("./ports/mcp.ts");
  return serveMcp({
    ...app,
    connect: (need) => connect(line, app, need),
    // The client names the project's folder; it may have been started from another one.
    folder: resolve(line.cwd, folder ?? (line.env["CLAUDE_PROJECT_DIR"] || ".")),
    scope: readOnly ? "read" : "write",
    write: terminal(line.env).out,
  });
}

/** The home as it really lies; symlinks resolved once it exists. Null when no home folder is known. */
function realPaths(env: CommandLine["env"]): HomePaths | null {
  const named = homeRoot(env);
  if (named === null) return null;
  const root = resolve(named);
  return homePaths(existsSync(root) ? realpathSync(root) : root);
}

/** CONTINUITY_NOW is the clock of one command. */
function commandClock(env: CommandLine["env"]): Clock {
  const nowMs = parseNow(env["CONTINUITY_NOW"]);
  return nowMs === null ? systemClock : { nowMs: () => nowMs };
}

/** The program as hooks should call it; running from source there is none that could be installed. */
const binaryOf = (line: CommandLine): string | null =>
  line.command.length === 1 ? (line.command[0] ?? null) : null;

async function connect(
  line: CommandLine,
  app: AppDeps,
  need: "read" | "write",
): Promise<Result<Connection, CliError>> {
  const running = await connectDaemon(app.paths);
  if (running !== null) return ok(viaDaemon(running.fetch));
  if (need === "read") return direct(app);
  const started = await startedDaemon(line, app);
  return started.ok ? ok(viaDaemon(started.value.fetch)) : started;
}

/** Starts the daemon; names a home or a database first that it could only fail on. */
async function startedDaemon(
  line: CommandLine,
  app: AppDeps,
): Promise<Result<DaemonClient, CliError>> {
  const failure = checkHome(app.paths) ?? checkDatabase(app);
  if (failure !== null) return err(failure);
  // The daemon's life is told by the system's clock, whatever the command's own is.
  const started = await ensureDaemon({ ...app, clock: systemClock, command: line.command });
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
    next: "run `continuity logs` to see why",
  });
}

const viaDaemon = (call: (path: string, init?: RequestInit) => Promise<Response>): Connection => ({
  mode: "daemon",
  fetch: async (request) => {
    const { pathname, search } = new URL(request.url);
    const body = request.method === "GET" ? {} : { body: await request.arrayBuffer() };
    return call(`${pathname}${search}`, {
      method: request.method,
      headers: request.headers,
      ...body,
    });
  },
});

/** Reads run in this process on a read-only store when no daemon lives. */
function direct(app: AppDeps): Result<Connection, CliError> {
  const reader = openReader(app, "readonly");
  if (!reader.ok && reader.error.type === "store.missing") {
    const hidden = checkReadable(app.paths);
    return hidden === null ? onNothing(app) : err(hidden);
  }
  if (!reader.ok) return err(explainOpenError(reader.error, app.paths));
  return ok(inProcess(app, reader.value));
}

/** Before the first event there is no database: the answers are those of an empty one, and the home stays untouched. */
function onNothing(app: AppDeps): Result<Connection, CliError> {
  const folder = mkdtempSync(join(tmpdir(), "continuity-empty-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const reader = openReader(
    { ...app, paths: { ...app.paths, database: join(folder, "continuity.db") } },
    "readwrite",
  );
  return reader.ok
    ? ok(inProcess(app, reader.value))
    : err(explainOpenError(reader.error, app.paths));
}

function inProcess(app: AppDeps, reader: Reader): Connection {
  const service = serviceOver(app, reader, null);
  const server = createServer({
    service,
    live: createLive(service),
    viewer: null,
    clock: app.clock,
    log: app.log,
    port: () => null,
    random: app.random,
    token: () => null,
    rotateToken: () => false,
    explain: (error) => explainStorageFault(error, app.paths),
    accept: () => Promise.reject(new Error("a read-only process accepts no events")),
    acceptAll: () => Promise.reject(new Error("a read-only process accepts no events")),
    toEnvelopes: () => [],
  });
  return {
    mode: "direct",
    fetch: async (request) => server.fetch(request, { transport: "socket" }),
  };
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

/** What the system allows may still not fit. */
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

/** A home that cannot be looked into is not an empty one. */
function checkReadable(paths: HomePaths): CliError | null {
  try {
    opendirSync(paths.root).closeSync();
    return null;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    return {
      type: "home.unavailable",
      message: `${paths.root} cannot be read: ${error instanceof Error ? error.message : "unknown"}`,
      next: "set CONTINUITY_HOME to a folder of your own",
    };
  }
}

/** Names a corrupt or newer database before a daemon is started that could only fail on it. */
function checkDatabase(app: AppDeps): CliError | null {
  if (!existsSync(app.paths.database)) return null;
  const reader = openReader(app, "readonly");
  if (reader.ok) {
    reader.value.store[Symbol.dispose]();
    return null;
  }
  const { type } = reader.error;
  const isMendable = type === "store.corrupt" && newestGoodBackup(app.paths.backups) !== null;
  const isForDaemon = type === "store.outdated" || type === "store.missing" || isMendable;
  return isForDaemon ? null : explainOpenError(reader.error, app.paths);
}

async function serve(
  app: AppDeps,
  options: { readonly port: number | null; readonly idleExitMinutes: number | "never" | null },
): Promise<number> {
  const { server } = app.settings.current();
  const minutes = options.idleExitMinutes ?? server.idleExitMinutes ?? "never";
  const outcome = await runDaemon(
    {
      ...app,
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
    },
    {
      port: options.port ?? server.port,
      idleExitMs: minutes === "never" ? null : minutes * msPerMinute,
    },
  );
  if (outcome.type === "stopped") return 0;
  const line =
    outcome.type === "already-running"
      ? `a daemon runs already${outcome.pid === null ? "" : ` (pid ${outcome.pid})`}`
      : `the daemon cannot start: ${outcome.detail}`;
  process.stderr.write(`error: ${line}\n`);
  return 1;
}

async function flush(
  line: CommandLine,
  app: AppDeps,
  timeoutMs: number,
): ReturnType<CliDeps["flush"]> {
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

const demo = (line: CommandLine): Promise<number> =>
  runDemo({
    self: line.command,
    env: line.env,
    print: (text) => terminal(line.env).out(`${text}\n`),
    stop: async (home) => void (await stopDaemon(homePaths(home))),
  });
