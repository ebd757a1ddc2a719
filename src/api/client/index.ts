/**
 * The typed client of the HTTP API: paths, parameters and answers are those of the server's own routes, so that a route
 * that changes breaks its callers when they are compiled. Knows no transport: whoever calls brings a `fetch`. The
 * server is seen as a type only.
 */
export { createClient } from "./client.ts";
export type { Client, Send } from "./client.ts";

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
