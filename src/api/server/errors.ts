/**
 * Failures on their way out: the one table from error types to statuses and sentences. Handlers throw `HttpFailure`,
 * so that the typed client sees success bodies only; nothing internal is ever part of an answer.
 */
import type { ServiceError } from "../service/errors.ts";
import type { Result } from "#kit";

export interface ErrorBody {
  readonly error: { readonly type: string; readonly message: string };
}

/** What the database says of its file or its disk, put into words by whoever knows the database. */
export interface StorageFault {
  readonly type: "store.corrupt" | "store.unavailable";
  readonly message: string;
}

type RequestErrorType =
  | "request.invalid"
  | "request.too-large"
  | "request.not-json"
  | "auth.host"
  | "auth.origin"
  | "auth.required"
  | "auth.too-many"
  | "auth.code"
  | "auth.person"
  | "auth.socket-only"
  | "feed.full"
  | "route.not-found"
  | "ui.no-port"
  | "viewer.missing"
  | "hook.unavailable"
  | StorageFault["type"]
  | "server.internal";

type ErrorType = ServiceError["type"] | RequestErrorType;

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
  "memory.only-secret": 422,
  "memory.private": 422,
  "memory.forgotten": 422,
  "session.headless": 422,
  "session.private": 422,
  "auth.too-many": 429,
  "server.internal": 500,
  "store.corrupt": 500,
  "feed.full": 503,
  "hook.unavailable": 503,
  "ui.no-port": 503,
  "service.read-only": 503,
  "store.unavailable": 503,
} as const satisfies Record<ErrorType, number>;

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

  get body(): ErrorBody {
    return { error: { type: this.type, message: this.message } };
  }
}

/** What a log may say of an unexpected error: its kind and code. Messages may quote what somebody wrote. */
export const faultOf = (error: unknown): { readonly error: string; readonly code: string } => ({
  error: error instanceof Error ? error.name : typeof error,
  code: error instanceof Error && "code" in error ? String(error.code) : "",
});

/** The value of a result; a failure becomes the request's answer. */
export function demand<Value>(result: Result<Value, ServiceError>): Value {
  if (result.ok) return result.value;
  throw new HttpFailure(result.error.type, messageOf(result.error));
}

type Told<Type extends ServiceError["type"]> = Extract<ServiceError, { readonly type: Type }>;

/** One sentence for people, with what to do next where there is something. */
const messages: {
  readonly [Type in ServiceError["type"]]: (error: Told<Type>) => string;
} = {
  "memory.not-found": (error) => `No memory at ${error.uri}.`,
  "memory.ambiguous": (error) => `${error.uri} is ambiguous: ${error.candidates.join(", ")}.`,
  "memory.is-directory": (error) =>
    `${error.uri} is a directory; name the memories in it one by one.`,
  "memory.uri-invalid": (error) =>
    `${error.uri} is not a place in the memory tree; it should look like mem://user/profile/name.`,
  "memory.empty": () => "There is no text to remember.",
  "memory.only-secret": () =>
    "Nothing was stored: without the secret, which is never kept, the text says nothing. Say what it is for, or " +
    "name words that are no secret in `privacy.allow`.",
  "memory.private": () => "The whole text is private, so nothing was stored.",
  "memory.forgotten": () => "The user deleted this; only the user can add it again.",
  "memory.changed": (error) => `${error.uri} has changed since; read it again.`,
  "memory.pending": (error) => `${error.uri} is pending review; accept or reject it first.`,
  "memory.category-fixed": (error) => `${error.uri} cannot be moved to another category.`,
  "undo.nothing": () => "There is no change to undo.",
  "undo.no-step": ({ id }) =>
    `No change has the number ${id}; \`continuity undo --list\` shows them.`,
  "as-of.future": () => "That time has not come yet; name one in the past.",
  "as-of.of-team": ({ uri }) => `${uri} is a team's; its members decide what it says.`,
  "as-of.not-learnt": (error) => `${error.uri} had not been learnt then.`,
  "code.no-repository": ({ folder }) => `${folder} is in no git repository.`,
  "revision.not-found": (error) => `${error.uri} has no such revision to go back to or compare.`,
  "review.not-found": (error) => `No pending memory with the id ${error.id}.`,
  "guard.not-found": (error) => `No guard with the number ${error.id}.`,
  "guard.unclear": () =>
    "These words forbid nothing that can be seen in a command or a path; " +
    "name a command or a folder, such as never run `git push`.",
  "moment.unknown": (error) => `Unknown time, memory or turn: ${error.around}.`,
  "config.unknown-key": (error) => error.message,
  "config.value": (error) => error.message,
  "config.unreadable": (error) => error.message,
  "config.locked": (error) =>
    `${error.key} can be changed in the file and with \`continuity config set\` only.`,
  "injection.not-found": (error) => `No injection ${error.id}.`,
  "session.headless": () =>
    "Nothing was stored: a program runs this session, where only /remember makes a memory (capture.headless).",
  "session.private": () =>
    "Nothing was stored: the user's prompt is private, or is not to be remembered, and so is this turn.",
  "session.not-found": (error) => `No session ${error.sessionId}.`,
  "session.ambiguous": (error) =>
    `Several sessions begin with ${error.sessionId}: ${error.candidates.join(", ")}.`,
  "project.unknown": (error) => `No project named ${error.project}.`,
  "project.ambiguous": (error) => `${error.project} is ambiguous; use the key of the project.`,
  "project.same": (error) => `${error.project} is that project already.`,
  "project.no-merge": () => "No joining of projects is left to take apart.",
  "cursor.invalid": () => "Invalid cursor; start again without it.",
  "service.read-only": () => "The database is open read-only; writing needs the daemon.",
};

const messageOf = (error: ServiceError): string =>
  // The table has a line for each type and takes what that type holds; a union cannot say so.
  (messages[error.type] as (error: ServiceError) => string)(error);
