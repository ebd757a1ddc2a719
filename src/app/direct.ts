/** Reading in this process, on a read-only store: for commands that ask while no daemon runs. */
import { existsSync, mkdtempSync, opendirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CliFailure, type Connection, failureOf } from "#cli";
import { createLive, createServer } from "#api/server";
import { newestGoodBackup } from "#store";
import type { HomePaths, Settings, Context } from "#domain";
import { createFileLog, systemClock, systemRandom, errorMessage, errorCode } from "#kit";
import type { Place, Reader } from "./context.ts";
import { openReader, serviceOver } from "./reading.ts";
import { explainOpenError, explainStorageFault, valueOf } from "./fault.ts";
import { createSettingsSource } from "./settings.ts";

/** Opens the store read-only and answers in this process, at the time of the command. */
export function readDirectly(line: Place): Connection {
  const app = { ...appOf(line), clock: line.clock };
  const reader = openReader(app, "readonly");
  if (!reader.ok && reader.error.type === "store.missing") {
    demandReadable(app.paths);
    return onNothing(app);
  }
  return inProcess(app, valueOf(app, reader));
}

/** Before the first event there is no database: the answers are those of an empty one, and the home stays untouched. */
function onNothing(app: Context): Connection {
  const folder = mkdtempSync(join(tmpdir(), "continuity-empty-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const reader = openReader(
    { ...app, paths: { ...app.paths, database: join(folder, "continuity.db"), model: folder } },
    "readwrite",
  );
  return inProcess(app, valueOf(app, reader));
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
    delivered: () => undefined,
  });
  return { fetch: async (request) => server.fetch(request, { transport: "socket" }) };
}

/** A home that cannot be looked into is not an empty one. */
function demandReadable(paths: HomePaths): void {
  try {
    opendirSync(paths.root).closeSync();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw new CliFailure(
      `${paths.root} cannot be read: ${errorMessage(error)}`,
      "set CONTINUITY_HOME to a folder of your own",
    );
  }
}

/** Names a corrupt or newer database before a daemon is started that could only fail on it. */
export function demandDatabase(app: Context): void {
  if (!existsSync(app.paths.database)) return;
  const reader = openReader(app, "readonly");
  if (reader.ok) {
    reader.value.store[Symbol.dispose]();
    return;
  }
  const { type } = reader.error;
  const isMendable = type === "store.corrupt" && newestGoodBackup(app.paths.backups) !== null;
  const isForDaemon = type === "store.outdated" || type === "store.missing" || isMendable;
  if (!isForDaemon) throw failureOf(explainOpenError(reader.error, app.paths));
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
