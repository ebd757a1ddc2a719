/** A route of the API as data: `routes.ts` lists them, everything else is made from that list. */
import type { z } from "zod";
import type { HookReply, ImportOutcome, KnownSession } from "#domain";
import type { Forms } from "./forms.ts";

/** Routes by method and path: `GET /api/nodes`. */
export type RouteSpecs = Readonly<
  Record<`${"GET" | "POST" | "PATCH" | "DELETE"} /${string}`, RouteSpec>
>;

export interface RouteSpec {
  readonly summary: string;
  /** The parts of the path that begin with a colon. */
  readonly param?: z.ZodType<object>;
  readonly query?: z.ZodType<object>;
  readonly body?: z.ZodType<object>;
  /** The body may be another JSON document too: `body` is described, and the handler reads what came. */
  readonly takesOther?: true;
  readonly answer: keyof Forms | keyof OtherAnswers;
  /** MIME type of the answer, when it is not JSON. */
  readonly type?: string;
  /** True if a command that an agent runs is refused. */
  readonly needsPerson?: true;
  /** Needs no token. */
  readonly isOpen?: true;
}

/** Answers without a form: those of hooks, which the client's contract says, and what only our own processes ask. */
export interface OtherAnswers {
  readonly HookReply: HookReply | readonly HookReply[] | HookAnswer;
  readonly "{outcomes: ImportOutcome[], tookMs}": {
    readonly outcomes: readonly ImportOutcome[];
    readonly tookMs: number;
  };
  readonly "{sessions: KnownSession[]}": { readonly sessions: readonly KnownSession[] };
  readonly PeerAnswer: Readonly<Record<string, unknown>>;
  readonly "OpenAPI 3.1": Readonly<Record<string, unknown>>;
  readonly HTML: string;
  readonly "the file": string;
}

/** The part of an answer that the client reads: nothing, lines for the user, or context for the model. */
export interface HookAnswer {
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: {
    readonly hookEventName: string;
    readonly additionalContext: string;
  };
}
