/**
 * Failures on their way out: the one table from error types to statuses and sentences. Handlers throw `HttpFailure`,
 * so that the typed client sees success bodies only; nothing internal is ever part of an answer.
 */
import { messageOf, type ServiceError } from "../service/errors.ts";
import type { Result } from "#kit";

/** A fault of the database's file or disk, put into words by the store. */
export interface StorageFault {
  readonly type: "store.corrupt" | "store.unavailable";
  readonly message: string;
}

const statusByType = {
  "request.invalid": 400,
  "cursor.invalid": 400,
  "memory.uri-invalid": 400,
  "project.unknown": 400,
  "moment.unknown": 400,
  "config.unknown-key": 400,
  "config.value": 400,
  "project.ambiguous": 400,
  "project.same": 400,
  "project.no-merge": 400,
  "code.no-repository": 400,
  "auth.required": 401,
  "auth.code": 401,
  "auth.host": 403,
  "auth.person": 403,
  "auth.socket-only": 403,
  "config.locked": 403,
  "auth.origin": 403,
  "memory.not-found": 404,
  "undo.nothing": 404,
  "undo.no-step": 404,
  "as-of.future": 422,
  "as-of.not-learnt": 404,
  "as-of.of-team": 409,
  "revision.not-found": 404,
  "review.not-found": 404,
  "guard.not-found": 404,
  "guard.unclear": 422,
  "viewer.missing": 404,
  "session.not-found": 404,
  "injection.not-found": 404,
  "session.ambiguous": 409,
  "memory.ambiguous": 409,
  "route.not-found": 404,
  "memory.is-directory": 409,
  "memory.pending": 409,
  "memory.category-fixed": 409,
  "config.unreadable": 409,
  "memory.changed": 412,
  "request.too-large": 413,
  "request.not-json": 415,
  "memory.empty": 422,
  "memory.only-id": 422,
  "memory.only-secret": 422,
  "memory.private": 422,
  "memory.forgotten": 422,
  "session.headless": 422,
  "session.private": 422,
  "turn.none": 422,
  "turn.stays": 422,
  "auth.too-many": 429,
  "server.internal": 500,
  "store.corrupt": 500,
  "feed.full": 503,
  "hook.unavailable": 503,
  "ui.no-port": 503,
  "service.read-only": 503,
  "store.unavailable": 503,
} as const;

/** Every type of a refusal: the service's, the store's, and what only a request can meet. */
type ErrorType = keyof typeof statusByType;

/** An expected failure that ends a request. */
export class HttpFailure extends Error {
  readonly type: ErrorType;
  readonly retryAfterSeconds: number | null;

  constructor(type: ErrorType, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.type = type;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get status(): (typeof statusByType)[ErrorType] {
    return statusByType[this.type];
  }

  get body() {
    return { error: { type: this.type, message: this.message } };
  }
}

/**
 * `faultOf` gives the part of an unexpected error that a log may hold: its kind and code. Messages
 * may quote what somebody wrote.
 */
export const faultOf = (error: unknown): { readonly error: string; readonly code: string } => ({
  error: error instanceof Error ? error.name : typeof error,
  code: error instanceof Error && "code" in error ? String(error.code) : "",
});

/** The value of a result; a failure becomes the request's answer. */
export function demand<Value>(result: Result<Value, ServiceError>): Value {
  if (result.ok) return result.value;
  throw new HttpFailure(result.error.type, messageOf(result.error));
}
