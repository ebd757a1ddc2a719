/**
 * Builds the ports of the commands: the daemon's socket and the real terminal, as light as a hook.
 * A command that works in this process instead loads src/app/local.ts.
 */
import { resolve } from "node:path";
import { type CliDeps, type Connection, type McpOptions, terminal } from "#cli";
import { connectDaemon } from "#daemon";
import { backgroundWord } from "#domain";
import { loadOpening, type Rest } from "#mcp";
import { folderAt, projectOf } from "#hooks";
import type { Place } from "./context.ts";
import type { LocalRuns } from "./local.ts";

/** Runs one command by a table's `run`; resolves to the exit status. */
export async function runIn(
  place: Place,
  run: (deps: CliDeps) => Promise<number>,
): Promise<number> {
  let loaded: LocalRuns | null = null;
  const local = async (): Promise<LocalRuns> => {
    const { createLocal } = await import("./local.ts");
    return (loaded ??= createLocal(place));
  };
  const [word, task = ""] = place.argv;
  if (word === backgroundWord) return (await local()).runBackgroundTask(task);
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
    isInstalled: async () => (await import("./installed.ts")).isInstalled(place),
    hook: place.hook,
    statusLine: place.statusLine,
    mcp: (options) => speakMcp(place, connect, options),
    local,
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
  local: () => Promise<LocalRuns>,
  need: "read" | "write",
): Promise<Connection> {
  const running = await connectDaemon(place.paths);
  if (running !== null) return viaDaemon(running.fetch);
  if (need === "read") {
    const { readDirectly } = await import("./direct.ts");
    return readDirectly(place);
  }
  return viaDaemon((await (await local()).startedDaemon()).fetch);
}

const viaDaemon = (call: (path: string, init?: RequestInit) => Promise<Response>): Connection => ({
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
