/**
 * Builds the ports of the commands: the daemon's socket and the real terminal, as light as a hook.
 * What a command does in this process instead (src/app/local.ts) is loaded by the command that does
 * it.
 */
import { resolve } from "node:path";
import type { CliDeps, CliError, Connection, McpOptions } from "#cli";
import { connectDaemon } from "#daemon";
import { backgroundWord } from "#domain";
import { loadOpening, type Rest } from "#mcp";
import { folderAt, projectOf } from "#hooks";
import { assert, ok, type Result } from "#kit";
import type { Place } from "./context.ts";
import type { Local } from "./local.ts";
import { terminal } from "#cli";

/** Commands that use files of this machine through ports that answer at once: what is behind them is loaded before. */
const localCommands: ReadonlySet<string | undefined> = new Set([
  "archive",
  "backup",
  "config",
  "export",
  "forget",
  "install",
  "restore",
  "promote",
  "service",
  "sync",
  "team",
  "uninstall",
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
  if (localCommands.has(word) || place.argv.includes("--test-model")) await local();
  const connect = (need: "read" | "write") => connectIn(place, local, need);
  return run({
    argv: place.argv,
    env: place.env,
    version: place.version,
    clock: place.clock,
    io: terminal(place.env),
    connect,
    project: () => projectOf(place.cwd),
    folderAt: (path) => folderAt(place.cwd, path),
    saidEnd: async (text, nowMs) => (await local()).saidEnd(text, nowMs),
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
    teamHub: async () => (await local()).teamHub(),
    instructions: async () => (await local()).instructions(),
    get team() {
      return ready().team;
    },
    openBrowser: (url) => ready().openBrowser(url),
    get setup() {
      return ready().setup;
    },
    doctor: async (options) => (await local()).doctor(options),
    serve: async (options) => (await local()).serve(options),
    hook: place.hook,
    statusLine: place.statusLine,
    mcp: (options) => speakMcp(place, connect, options),
    importFrom: async (ask, onProgress) => (await local()).importFrom(ask, onProgress),
    flush: async (timeoutMs) => (await local()).flush(timeoutMs),
    runDemo: async () => (await local()).runDemo(),
  });
}

async function speakMcp(
  place: Place,
  connect: CliDeps["connect"],
  { readOnly, folder }: McpOptions,
): Promise<number> {
  const scope = readOnly ? "read" : "write";
  const rest = await opened(terminal(place.env).out, scope);
  if (rest === null) return 0;
  const [{ serveMcp }, { createSettingsSource }] = await Promise.all([
    import("./mcp.ts"),
    import("./settings.ts"),
  ]);
  return serveMcp({
    ...place,
    settings: createSettingsSource(place.paths, place.env),
    connect,
    // The client names the project's folder; it may have been started from another one.
    folder: resolve(place.cwd, folder ?? (place.env["CLAUDE_PROJECT_DIR"] || ".")),
    scope,
    ...rest,
  });
}

/** `opened` gives the rest of a connection's opening; all of it where the build wrote out no answers. */
async function opened(
  write: (text: string) => void,
  scope: "read" | "write",
): Promise<Rest | null> {
  const [{ openings }, { answerOpening, linesOf }] = await Promise.all([
    import("./mcp-openings.ts"),
    loadOpening(),
  ]);
  const input = linesOf(Bun.stdin.stream());
  return openings === null ? { input, write } : answerOpening(input, write, openings[scope]);
}

async function connectIn(
  place: Place,
  local: () => Promise<Local>,
  need: "read" | "write",
): Promise<Result<Connection, CliError>> {
  const running = await connectDaemon(place.paths);
  if (running !== null) return ok(viaDaemon(running.fetch));
  if (need === "read") {
    const { readDirectly } = await import("./direct.ts");
    return readDirectly(place);
  }
  const here = await local();
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
