/**
 * What commands get: the daemon's socket and the real terminal, as light as a hook. What a command does in this process
 * instead (src/app/local.ts) is loaded by the command that does it.
 */
import { resolve } from "node:path";
import type { CliDeps, CliError, Connection, McpOptions } from "#cli";
import { connectDaemon } from "#daemon";
import { backgroundWord } from "#keep";
import { projectOf } from "#capture";
import { assert, ok, systemRandom, type Result } from "#kit";
import type { Place } from "./context.ts";
import type { Local } from "./local.ts";
import { terminal } from "./ports/terminal.ts";

/** Commands that use files of this machine through ports that answer at once: what is behind them is loaded before. */
const localCommands: ReadonlySet<string | undefined> = new Set([
  "archive",
  "backup",
  "config",
  "export",
  "forget",
  "install",
  "llm",
  "restore",
  "service",
  "sync",
  "ui",
]);

/** Runs one command by a table's `run`; resolves to the exit status. */
export async function runIn(
  place: Place,
  run: (deps: CliDeps) => Promise<number>,
): Promise<number> {
  let loaded: Local | null = null;
  const local = async (): Promise<Local> => {
    if (loaded !== null) return loaded;
    const { createLocal } = await import("./local.ts");
    return (loaded ??= createLocal(place));
  };
  const ready = (): Local => {
    assert(loaded !== null, "a command that uses ports of this machine is one of `localCommands`");
    return loaded;
  };
  const [word, task = ""] = place.argv;
  if (word === backgroundWord) return (await local()).runBackgroundTask(task);
  if (localCommands.has(word)) await local();
  const connect = (need: "read" | "write") => connectIn(place, local, need);
  return run({
    argv: place.argv,
    env: place.env,
    version: place.version,
    clock: place.clock,
    io: terminal(place.env),
    connect,
    project: () => projectOf(place.cwd),
    get config() {
      return ready().config;
    },
    get service() {
      return ready().service;
    },
    get keep() {
      return ready().keep;
    },
    get sync() {
      return ready().sync;
    },
    openBrowser: (url) => ready().openBrowser(url),
    setup: {
      install: async (options) => (await local()).setup.install(options),
      uninstall: async (options) => (await local()).setup.uninstall(options),
    },
    doctor: async (options) => (await local()).doctor(options),
    serve: async (options) => (await local()).serve(options),
    hook: place.hook,
    statusLine: place.statusLine,
    mcp: (options) => speakMcp(place, connect, options),
    importFrom: async (ask, onProgress) => (await local()).importFrom(ask, onProgress),
    flush: async (timeoutMs) => (await local()).flush(timeoutMs),
    latestRelease: async () => (await local()).latestRelease(),
    runDemo: async () => (await local()).runDemo(),
  });
}

async function speakMcp(
  place: Place,
  connect: CliDeps["connect"],
  { readOnly, folder }: McpOptions,
): Promise<number> {
  const [{ serveMcp }, { createSettingsSource }] = await Promise.all([
    import("./ports/mcp.ts"),
    import("./settings.ts"),
  ]);
  return serveMcp({
    ...place,
    settings: createSettingsSource(place.paths, place.env),
    random: systemRandom,
    connect,
    // The client names the project's folder; it may have been started from another one.
    folder: resolve(place.cwd, folder ?? (place.env["CLAUDE_PROJECT_DIR"] || ".")),
    scope: readOnly ? "read" : "write",
    write: terminal(place.env).out,
  });
}

async function connectIn(
  { paths }: Place,
  local: () => Promise<Local>,
  need: "read" | "write",
): Promise<Result<Connection, CliError>> {
  const running = await connectDaemon(paths);
  if (running !== null) return ok(viaDaemon(running.fetch));
  const here = await local();
  if (need === "read") return here.direct();
  const started = await here.startedDaemon();
  return started.ok ? ok(viaDaemon(started.value.fetch)) : started;
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
