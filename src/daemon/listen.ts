/** The two listeners of the daemon: a Unix socket for hooks and the command line, loopback TCP for people. */
import { chmodSync, rmSync } from "node:fs";
import { loopbackHost } from "#domain";
import type { LogDep } from "#kit";

export interface Listener {
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
export function listenOnSocket(path: string, handler: Handler): Listener {
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
export function listenOnTcp(deps: LogDep, wanted: number, handler: Handler): TcpListener | null {
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
