/**
 * The way to the API: a typed client whose answers are all successes; failures are thrown as one sentence for the
 * model. Must not know any tool.
 */
import { hc } from "hono/client";
import { nowHeader } from "#domain";
import { msPerMinute, type Result } from "#kit";
import type { Api } from "#api";
import type { McpConnection, McpDeps, McpFailure } from "./deps.ts";

export type Client = ReturnType<typeof hc<Api>>["api"];

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

function clientOver({ clock }: McpDeps, connection: McpConnection): Client {
  const send = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = input instanceof Request ? input : new Request(input.toString(), init);
    request.headers.set("content-type", "application/json");
    request.headers.set(nowHeader, `${clock.nowMs()}`);
    const response = await answerOf(connection, request);
    if (response.ok) return response;
    throw new ToolFailure(sentenceIn(await response.text(), response.status));
  };
  const fetch = Object.assign(send, { preconnect: () => undefined });
  return hc<Api>("http://localhost", { fetch }).api;
}

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

/** The API's own sentence; another program at the other end has none. */
function sentenceIn(text: string, status: number): string {
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly message?: unknown } };
    if (typeof error?.message === "string") return error.message;
  } catch {
    // Not JSON: JSON.parse is what throws here.
  }
  return `the daemon answered with status ${status}`;
}
