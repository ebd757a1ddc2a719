/**
 * The way to the API: a typed client whose answers are all successes; failures are thrown as one sentence for the
 * model. Must not know any tool.
 */
import { createCaller, type Client } from "#api";
import { msPerMinute, type Result } from "#kit";
import type { McpConnection, McpDeps, McpFailure } from "./deps.ts";

export type { Client } from "#api";

/** What a tool answers instead of a result. */
export class ToolFailure extends Error {}

/** A daemon that takes longer than this has hung: the model is told rather than kept waiting. */
const answerMsMax = 30_000;
/** How long reads go past a daemon that could not be had, before it is tried again. */
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
