/** Reading in this process, on a read-only store: for commands that ask while no daemon runs. */
import { existsSync, mkdtempSync, opendirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CliError, Connection } from "#cli";
import { createLive, createServer } from "#api/server";
import { newestGoodBackup } from "#store";
import type { HomePaths, Settings, Context } from "#domain";
import { createFileLog, err, ok, type Result, systemClock, systemRandom } from "#kit";
import type { Place, Reader } from "./context.ts";
import { openReader, serviceOver } from "./reading.ts";
import { explainOpenError, explainStorageFault } from "./fault.ts";
import { createSettingsSource } from "./settings.ts";

/** Opens the store read-only and answers in this process, at the time of the command. */
export function readDirectly(line: Place): Result<Connection, CliError> {
  return direct({ ...appOf(line), clock: line.clock });
}

function direct(app: Context): Result<Connection, CliError> {
  const reader = openReader(app, "readonly");
  if (!reader.ok && reader.error.type === "store.missing") {
    const hidden = checkReadable(app.paths);
    return hidden === null ? onNothing(app) : err(hidden);
  }
  if (!reader.ok) return err(explainOpenError(reader.error, app.paths));
  return ok(inProcess(app, reader.value));
}

/** Before the first event there is no database: the answers are those of an empty one, and the home stays untouched. */
function onNothing(app: Context): Result<Connection, CliError> {
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

function inProcess(app: Context, reader: Reader): Connection {
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
    eventsIn: () => [],
    delivered: () => undefined,
  });
  return {
    mode: "direct",
    fetch: async (request) => server.fetch(request, { transport: "socket" }),
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
export function checkDatabase(app: Context): CliError | null {
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

/** Builds what every part of the application stands on: settings, log, network, the program itself. */
export function appOf(line: Place): Context {
  const { paths } = line;
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

/**
 * Puts proxy and certificates of config.toml where Bun and the Claude CLI look for them. They win over the variables;
 * what config.toml leaves open stays as it is.
 */
export function applyNet(
  { proxy, noProxy, caFile }: Settings["net"],
  env: Record<string, string | undefined>,
): void {
  const put = (names: readonly string[], value: string): void => {
    for (const name of names) if (value !== "") env[name] = value;
  };
  put(["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"], proxy);
  put(["NO_PROXY", "no_proxy"], noProxy.join(","));
  put(["NODE_EXTRA_CA_CERTS"], caFile);
}
