/**
 * What the MCP server needs from the outside. Everything arrives as a function, so that tests run it without a
 * process.
 */
import type { Result, Clock } from "#kit";

/** Why there is no way to the memories, in one sentence, and what to do about it. */
export interface McpFailure {
  readonly message: string;
  readonly next?: string;
}

/** A way to the API. */
export interface McpConnection {
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
  /** Why nothing may be kept of what happens here, now (excluded, paused); null = it may. */
  readonly whyNotKept: () => string | null;
  /** The client's session, where it says so; null when it is not known. */
  readonly session: string | null;
  readonly scope: McpScope;
  /** This program as a shell can call it, whatever its PATH. */
  readonly program: string;
  readonly version: string;
}
