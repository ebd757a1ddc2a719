/**
 * The typed client of the HTTP API: paths, parameters and answers are those of the server's own routes, so that a route
 * that changes breaks its callers when they are compiled. Knows no transport: whoever calls brings a `fetch`. The server is
 * seen as a type only.
 */
import { hc } from "hono/client";
import type { Api } from "#server";

/** `client.nodes.$get({ query: { uri } })`, and so on for every route below `/api`. */
export type Client = ReturnType<typeof hc<Api>>["api"];

/** As the platform's `fetch`, over whatever line there is to the daemon. */
export type Send = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Builds the client over a line. `origin` is where the line leads: it matters to a browser alone. */
export const createClient = (send: Send, origin = "http://localhost"): Client =>
  // Bun's type of fetch has one more function, which nobody here calls.
  hc<Api>(origin, { fetch: Object.assign(send, { preconnect: () => undefined }) }).api;

/** Why the API refused or failed: a type for programs, a line for people. */
export interface ApiFailure {
  readonly type: string;
  readonly message: string;
}

/** The failure in an answer's text; null when it is none of ours: something else answers there. */
export function failureIn(text: string): ApiFailure | null {
  try {
    const { error } = JSON.parse(text) as { error?: { type?: unknown; message?: unknown } };
    return typeof error?.type === "string" && typeof error.message === "string"
      ? { type: error.type, message: error.message }
      : null;
  } catch {
    return null; // JSON.parse is the only thing here that throws.
  }
}

export { isRecordUri, recordAt } from "./record.ts";
export type { SessionRecord } from "./record.ts";
