/**
 * The way to the API: a typed client whose answers are all successes; failures are thrown as one sentence for the
 * model. Must not know any tool.
 */
import { createCaller, type Client } from "#api";
import { type Clock, msPerMinute } from "#kit";

export type { Client } from "#api";

// The outside of the MCP server. Everything arrives as a function, so that tests run it without a process.

/** A way to the API. */
interface McpConnection {
  readonly fetch: (request: Request) => Promise<Response>;
}

/** `read` leaves out the tools that change something. */
export type McpScope = "read" | "write";

export interface McpDeps {
  readonly clock: Clock;
  /**
   * `write` starts a daemon when none runs; `read` may answer from a store without a daemon. Throws an error with
   * `message` and `next` when there is no way.
   */
  readonly connect: (need: "read" | "write") => Promise<McpConnection>;
  /** Key of the project that the client works in; null outside projects. */
  readonly project: () => string | null;
  /** Gives the reason why nothing may be kept of what happens here, now (excluded, paused); null = it may. */
  readonly whyNotKept: () => string | null;
  /** The client's session, where it says so; null when it is not known. */
  readonly session: string | null;
  readonly scope: McpScope;
  /** This program as a shell can call it, whatever its PATH. */
  readonly program: string;
  readonly version: string;
}

/** A tool's answer instead of a result. */
export class ToolFailure extends Error {}

/** A daemon that takes longer than this has hung: the model is told rather than kept waiting. */
const answerMsMax = 30_000;
/** The time for which reads go past a daemon that could not be had, before it is tried again. */
const retryAfterMs = msPerMinute;

export interface Clients {
  /** For reading: through the daemon, which counts uses; where none can be had, from the store itself. */
  readonly read: () => Promise<Client>;
  /** For writing: through the daemon, or a `ToolFailure` that says why not. */
  readonly write: () => Promise<Client>;
}

/** Clients for both needs. A daemon that left meanwhile is started again by the next call. */
export function createClients(deps: McpDeps): Clients {
  let past: { readonly untilMs: number; readonly direct: Promise<McpConnection> } | null = null;
  // Opened once: it holds the database and the vectors.
  const openDirect = (): Promise<McpConnection> => deps.connect("read").catch(told);
  return {
    write: async () => clientOver(deps, await deps.connect("write").catch(told)),
    read: async () => {
      if (past !== null && deps.clock.nowMs() < past.untilMs)
        return clientOver(deps, await past.direct);
      const daemon = await deps.connect("write").catch(noWay);
      if (daemon !== null) return clientOver(deps, daemon);
      past = {
        untilMs: deps.clock.nowMs() + retryAfterMs,
        direct: past?.direct.catch(openDirect) ?? openDirect(),
      };
      return clientOver(deps, await past.direct);
    },
  };
}

/** True for an error that says why there is no way, by its shape; anything else is a bug. */
const isNoWay = (error: unknown): error is Error & { readonly next: string | null } =>
  error instanceof Error && "next" in error;

function noWay(error: unknown): null {
  if (isNoWay(error)) return null;
  throw error;
}

function told(error: unknown): never {
  if (!isNoWay(error)) throw error;
  const { message, next } = error;
  throw new ToolFailure(next === null ? message : `${message}; ${next}`);
}

const clientOver = ({ clock }: McpDeps, connection: McpConnection): Client =>
  createCaller({
    fetch: (request) => answerOf(connection, request),
    nowMs: clock.nowMs,
    // Another program at the other end has no sentence for the model.
    thrown: (failure, status) =>
      new ToolFailure(failure?.message ?? `the daemon answered with status ${status}`),
  });

async function answerOf(connection: McpConnection, request: Request): Promise<Response> {
  const gone = "the daemon did not answer; `continuity status` says how it is";
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new ToolFailure(gone)), answerMsMax);
  try {
    return await Promise.race([connection.fetch(request), late.promise]);
  } catch {
    throw new ToolFailure(gone);
  } finally {
    clearTimeout(timer);
  }
}
