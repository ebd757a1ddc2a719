/**
 * The daemon's life: lock, application, listeners, work, and a clean end. The outermost frame of `continuity serve`.
 */
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import {
  clearStartMark,
  fitsSocketPath,
  holdOffStarts,
  parseRecord,
  socketFolderName,
} from "#hooks";
import { type DaemonRecord, type HomePaths, loopbackHost } from "#domain";
import { errorMessage, type Log, msPerMinute, readText, writeWhole } from "#kit";
import type { DaemonApp, DaemonContext, DaemonControl } from "./app.ts";
import { createParts, homeIsGone, type Parts } from "./parts.ts";
import { ownIdentity } from "./lock.ts";
import { socketHandler, tcpHandler } from "./routes.ts";
import { takeLock } from "./client.ts";

export interface DaemonOptions {
  /** Wanted TCP port; 0 = any. */
  readonly port: number;
  /** Null = never leave. */
  readonly idleExitMs: number | null;
  /** Called once the lock is held: only then may the database be migrated. */
  readonly openApp: (control: DaemonControl) => DaemonApp | Promise<DaemonApp>;
  /** Calls back on SIGTERM and SIGINT. */
  readonly onStopSignal: (stop: (reason: string) => void) => void;
}

export type DaemonOutcome =
  | { readonly type: "stopped"; readonly reason: string }
  | { readonly type: "already-running"; readonly pid: number | null }
  | { readonly type: "failed"; readonly detail: string };

/** Runs until it is told to stop, has been idle for long enough, or cannot start. */
export async function runDaemon(
  context: DaemonContext,
  options: DaemonOptions,
): Promise<DaemonOutcome> {
  const { clock, log, paths } = context;
  const taken = await takeLock(context);
  if (taken.type !== "locked") {
    // When several hooks began before there was a daemon, a late one started us in vain.
    if (taken.type === "already-running") clearStartMark(paths);
    return taken;
  }
  try {
    return { type: "stopped", reason: await serve(context, options) };
  } catch (error) {
    const detail = errorMessage(error);
    log.write("error", "daemon.failed", { error: detail });
    holdOffStarts(paths, clock.nowMs() + msPerMinute);
    return { type: "failed", detail };
  } finally {
    taken.lock.release();
  }
}

/** Everything between lock and release; resolves to the reason for leaving. */
async function serve(context: DaemonContext, options: DaemonOptions): Promise<string> {
  const { paths, log, version } = context;
  mkdirSync(paths.spool, { recursive: true, mode: 0o700 });
  const ending = Promise.withResolvers<string>();
  const stop = (reason: string): void => ending.resolve(reason);
  let running: { readonly parts: Parts; readonly tcp: TcpListener | null } | null = null;
  const app = await options.openApp({
    take: async (envelopes, via) =>
      running === null
        ? Promise.reject(new Error("the daemon does not listen yet"))
        : running.parts.intake.take(envelopes, via),
    wakeWorker: () => running?.parts.work.wakeWorker(),
    stop,
    port: () => running?.tcp?.port ?? null,
  });
  const parts = createParts(context, app, { stop, idleExitMs: options.idleExitMs });
  const { socket, tcp, record } = listen(parts, options.port);
  running = { parts, tcp };
  writeWhole(paths.daemonJson, `${JSON.stringify(record)}\n`);
  clearStartMark(paths);
  log.write("info", "daemon.started", { version, port: record.port });
  options.onStopSignal(stop);
  parts.spoolWatch.start(stop);
  parts.work.wakeWorker();
  const reason = await ending.promise;
  if (reason !== homeIsGone) log.write("info", "daemon.stopping", { reason });
  await shutDown(parts, [socket, tcp]);
  return reason;
}

interface Listeners {
  readonly socket: Listener | null;
  readonly tcp: TcpListener | null;
  readonly record: DaemonRecord;
}

function listen(parts: Parts, port: number): Listeners {
  const { env, log, paths, version } = parts.context;
  const path = chooseSocketPath(paths, env);
  if (path === null) log.write("error", "daemon.no-socket");
  const socket = path === null ? null : listenOnSocket(path, socketHandler(parts));
  const tcp = listenOnTcp({ log }, port, tcpHandler(parts));
  const record = {
    ...ownIdentity(),
    version,
    port: tcp?.port ?? null,
    socket: path ?? paths.socket,
  };
  return { socket, tcp, record };
}

/** A commit takes milliseconds; a model call may take a minute and is not waited for. */
const commitMsMax = 3_000;
const workMsMax = 1_000;
/** Model calls are ended, and their processes with them. */
const closeMsMax = 3_000;

async function shutDown(parts: Parts, listeners: readonly (Listener | null)[]): Promise<void> {
  const workEnds = parts.work.stop();
  for (const listener of listeners) listener?.close();
  await Promise.race([parts.settle(), Bun.sleep(commitMsMax)]);
  // Answers that are on their way out get a moment to leave.
  await Bun.sleep(10);
  for (const listener of listeners) listener?.cut();
  await Promise.race([workEnds, Bun.sleep(workMsMax)]);
  await Promise.race([parts.app.close(), Bun.sleep(closeMsMax)]);
  removeRecord(parts.context.paths, process.pid);
}

/** Removes the record if it is still ours: a successor may have written its own. */
function removeRecord(paths: HomePaths, pid: number): void {
  if (parseRecord(readText(paths.daemonJson) ?? "")?.pid === pid)
    rmSync(paths.daemonJson, { force: true });
}

/** A path that can be bound; null when no place is private enough. Creates the folder it needs. */
function chooseSocketPath(
  paths: HomePaths,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  if (fitsSocketPath(paths.socket)) return paths.socket;
  for (const base of [env["XDG_RUNTIME_DIR"], tmpdir(), "/tmp"]) {
    if (base === undefined || base === "") continue;
    const folder = privateFolder(`${base}/${socketFolderName(paths)}`);
    if (folder !== null && fitsSocketPath(`${folder}/daemon.sock`)) return `${folder}/daemon.sock`;
  }
  return null;
}

/** The folder itself when it is ours alone; a random sibling when another program took the name first. */
function privateFolder(wanted: string): string | null {
  if (!fitsSocketPath(`${wanted}-123456/daemon.sock`)) return null;
  try {
    mkdirSync(wanted, { recursive: true, mode: 0o700 });
    const stat = lstatSync(wanted);
    const isPrivate = stat.isDirectory() && (stat.mode & 0o077) === 0;
    const isOurs = process.getuid === undefined || stat.uid === process.getuid();
    return isPrivate && isOurs ? wanted : mkdtempSync(`${wanted}-`);
  } catch {
    return null; // Not writable: the next place may be.
  }
}

// The two listeners of the daemon: a Unix socket for hooks and the command line, loopback TCP for people.

interface Listener {
  /** Stops accepting; requests in flight are answered. */
  readonly close: () => void;
  /** Cuts what is still connected, such as a viewer's event stream. */
  readonly cut: () => void;
}

export interface TcpListener extends Listener {
  readonly port: number;
}

type Handler = (request: Request) => Response | Promise<Response>;

/** A hook's payload is slimmed, but a prompt may be long. */
const socketBodyBytesMax = 64 * 1_024 * 1_024;
/** The server room has its own, smaller limits; this one bounds memory before they apply. */
const tcpBodyBytesMax = 4 * 1_024 * 1_024;
const portsTried = 10;

/**
 * The last resort for a handler that threw. Without it the runtime answers strangers with a page of source and stack
 * (tried: a request without Host).
 */
const quiet = {
  development: false,
  error: (): Response => new Response(null, { status: 500 }),
} as const;

/**
 * Listens on a Unix socket of mode 0600. A socket file that is there already is a dead daemon's: the caller holds the
 * lock. Throws when the path cannot be bound.
 */
function listenOnSocket(path: string, handler: Handler): Listener {
  rmSync(path, { force: true });
  const options: Bun.Serve.Options<undefined> = {
    unix: path,
    fetch: handler,
    ...quiet,
    maxRequestBodySize: socketBodyBytesMax,
  };
  // `flush` waits for jobs, and an event stream for events. The limit applies to sockets too (tried: 10 s by default),
  // but the types know it for TCP only.
  Object.assign(options, { idleTimeout: 0 });
  const server = Bun.serve(options);
  chmodSync(path, 0o600);
  return {
    // The file goes first, so that a new hook spools instead of waiting in vain.
    close: () => {
      rmSync(path, { force: true });
      void server.stop();
    },
    cut: () => void server.stop(true),
  };
}

/**
 * Listens on loopback, on the wanted port or the next free of ten; port 0 takes any. Null when none is free: hooks and
 * the command line do not need it.
 */
export function listenOnTcp(
  deps: { readonly log: Log },
  wanted: number,
  handler: Handler,
): TcpListener | null {
  const ports = wanted === 0 ? [0] : Array.from({ length: portsTried }, (_, at) => wanted + at);
  for (const port of ports.filter((candidate) => candidate <= 65_535)) {
    const listener = tryTcp(port, handler);
    if (listener === null) continue;
    if (wanted !== 0 && port !== wanted)
      deps.log.write("warn", "daemon.port-taken", { wanted, used: port });
    return listener;
  }
  deps.log.write("warn", "daemon.no-port", { wanted, tried: portsTried });
  return null;
}

function tryTcp(port: number, handler: Handler): TcpListener | null {
  try {
    const server = Bun.serve({
      hostname: loopbackHost,
      port,
      fetch: handler,
      ...quiet,
      // Outside development the runtime shares a port with any other program that shares it (tried): two daemons of two
      // homes had one port, and each got the other's requests.
      reusePort: false,
      // The longest there is: event streams send heartbeats.
      idleTimeout: 255,
      maxRequestBodySize: tcpBodyBytesMax,
    });
    return {
      port: server.port ?? port,
      close: () => void server.stop(),
      cut: () => void server.stop(true),
    };
  } catch {
    return null; // Taken, or not allowed.
  }
}
