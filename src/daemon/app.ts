/** What the daemon needs from the application, and what the application may ask of the daemon. */
import type { HookEnvelope, HookReply } from "#domain";
import type { Rest } from "./rest.ts";

export interface DaemonApp {
  /** Commits a batch of events together; replies in order. Rejects when nothing of it was committed. */
  readonly accept: (
    envelopes: readonly HookEnvelope[],
    via: "socket" | "spool" | "http",
  ) => Promise<readonly HookReply[]>;
  /** Every other HTTP request. The socket is trusted by file ownership, TCP is not. */
  readonly fetch: (request: Request, transport: "socket" | "tcp") => Response | Promise<Response>;
  /**
   * Runs due jobs until none is due or the slice is used up. Resolves to when to call next, in ms: 0 = there is more to
   * do now, null = nothing is waiting.
   */
  readonly work: () => Promise<number | null>;
  /** False while a viewer or an MCP server is connected, or a job runs. */
  readonly isIdle: () => boolean;
  /** Jobs that are due or running, for `flush` to tell what is left. */
  readonly pendingJobs?: () => number;
  /** Makes due what waits for a quiet moment: `flush` wants everything done. */
  readonly runDueNow?: () => void;
  /** Nobody has asked anything for a while: gives back memory that can be filled again. */
  readonly rest?: (how: Rest) => void;
  readonly close: () => void | Promise<void>;
}

export interface DaemonControl {
  /** Something became due: do not wait for the timer. */
  readonly wakeWorker: () => void;
  /** Leaves cleanly, as on SIGTERM. */
  readonly stop: (reason: string) => void;
  /** The TCP port, once it listens; null before that and when none was free. */
  readonly port: () => number | null;
}
