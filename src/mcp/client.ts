/**
 * The way to the API: a typed client whose answers are all successes; failures are thrown as one sentence for the
 * model. Must not know any tool.
 */
import { createCaller, type Client } from "#api";
import { type Clock, msPerMinute, type Result } from "#kit";

export type { Client } from "#api";

// The outside of the MCP server. Everything arrives as a function, so that tests run it without a process.

/** Says in one sentence why there is no way to the memories, and what to do about it. */
interface McpFailure {
  readonly message: string;
  readonly next?: string;
}

/** A way to the API. */
interface McpConnection {
  readonly fetch: (request: Request) => Promise<Response>;
}

/** `read` leaves out the tools that change something. */
export type McpScope = "read" | "write";

export interface McpDeps {
  readonly clock: Clock;
  /** `write` starts a daemon when none runs; `read` may answer from a store without a daemon. */
  readonly connect: (need: "read" | "write") => Promise<Result<McpConnection, McpFailure>>;
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
  const openDirect = async (): Promise<McpConnection> => unwrap(await deps.connect("read"));
  return {
    write: async () => clientOver(deps, unwrap(await deps.connect("write"))),
    read: async () => {
      if (past !== null && deps.clock.nowMs() < past.untilMs)
        return clientOver(deps, await past.direct);
      const daemon = await deps.connect("write");
      if (daemon.ok) return clientOver(deps, daemon.value);
      past = {
        untilMs: deps.clock.nowMs() + retryAfterMs,
        direct: past?.direct.catch(openDirect) ?? openDirect(),
      };
      return clientOver(deps, await past.direct);
    },
  };
}

function unwrap<Value>(result: Result<Value, McpFailure>): Value {
  if (result.ok) return result.value;
  const { message, next } = result.error;
  throw new ToolFailure(next === undefined ? message : `${message}; ${next}`);
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
