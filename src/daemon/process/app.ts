/** Declares what the daemon needs from the application, and what the application may ask of the daemon. */
import type { Context, HookEnvelope, HookReply } from "#domain";
import { type Clock, msPerMinute, msPerSecond } from "#kit";

export type DaemonContext = Omit<Context, "settings" | "command">;

/** Channel of an event: the Unix socket, loopback TCP, or files that hooks left while no daemon ran. */
export type Via = "socket" | "spool" | "http";

/** Accepts a batch of events together; replies in order. Rejects when nothing of it was committed. */
export type Accept = (
  envelopes: readonly HookEnvelope[],
  via: Via,
) => Promise<readonly HookReply[]>;

/** Something that is done around every commit of events, whichever way they came (see accept.ts). */
export interface AcceptStep {
  /** Runs before the commit; the commit waits for it, and a failure keeps the events from being committed. */
  readonly before?: (envelopes: readonly HookEnvelope[], via: Via) => void | Promise<void> | null;
  /** Returns the replies after the commit, perhaps changed. */
  readonly after?: (
    envelopes: readonly HookEnvelope[],
    replies: readonly HookReply[],
  ) => readonly HookReply[];
  /** Called with the error of a batch that could not be committed. */
  readonly failed?: (error: unknown) => void;
}

export interface DaemonApp {
  /** Commits a batch of events in one transaction; replies in order. Throws when nothing of it was committed. */
  readonly commit: (
    envelopes: readonly HookEnvelope[],
    via: Via,
  ) => readonly HookReply[] | Promise<readonly HookReply[]>;
  /** Notes that the client has the answers to these events. */
  readonly delivered: (keys: readonly string[]) => void;
  /** Steps around each commit, in the order in which they run. */
  readonly steps: readonly AcceptStep[];
  /** True when a prompt orders that nothing of its turn is remembered. */
  readonly leavesNoRecord: (prompt: string) => boolean;
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
  readonly pendingJobs: () => number;
  /** Makes due what waits for a quiet moment: `flush` wants everything done. */
  readonly runDueNow: () => void;
  /** Nobody has asked anything for a while: gives back memory that can be filled again. */
  readonly rest: (how: Rest) => void;
  readonly close: () => void | Promise<void>;
}

export interface DaemonControl {
  /** Takes events that came by other ways than the hook route of the socket; resolves after the commit. */
  readonly take: (
    envelopes: readonly HookEnvelope[],
    via: "socket" | "http",
  ) => Promise<readonly HookReply[]>;
  /** Something became due: do not wait for the timer. */
  readonly wakeWorker: () => void;
  /** Leaves cleanly, as on SIGTERM. */
  readonly stop: (reason: string) => void;
  /** The TCP port, once it listens; null before that and when none was free. */
  readonly port: () => number | null;
}

// A daemon that nobody asks anything gives memory back: after some quiet seconds what was only needed to answer, and
// after ten minutes everything that can be read again.

/** `quiet`: the next answer must not be slower for it. `asleep`: it may take some ten milliseconds longer. */
export type Rest = "quiet" | "asleep";

export const restLimits = { quietMs: 10 * msPerSecond, asleepMs: 10 * msPerMinute } as const;

export function createRestWatch(clock: Clock, rest: (how: Rest) => void) {
  let lastMs = clock.nowMs();
  let rested: Rest | null = null;
  return {
    /** An event, a request or work came. */
    touch: (): void => {
      lastMs = clock.nowMs();
      rested = null;
    },
    /** Looks how long nothing came, and rests where it is time; each rest once until something comes. */
    look: (): void => {
      const sinceMs = clock.nowMs() - lastMs;
      const how =
        sinceMs >= restLimits.asleepMs ? "asleep" : sinceMs >= restLimits.quietMs ? "quiet" : null;
      if (how === null || how === rested) return;
      rested = how;
      rest(how);
    },
  };
}
