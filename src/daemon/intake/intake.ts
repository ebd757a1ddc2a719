/**
 * Hook requests, by socket and TCP, on their way to one commit. Requests that arrive in the same turn of the event
 * loop are accepted together: one fsync instead of many.
 *
 * Events in the spool go first. The hooks of one session run one after the other, so an event in the spool is
 * older than any that comes through socket or TCP after it.
 */
import type { HomePaths, HookEnvelope, HookReply } from "#domain";
import {
  clearPrivateTurn,
  isOfPause,
  markOffTheRecord,
  markPrivateTurn,
  mayBePrivate,
  sweepPrivateMarks,
  turnStanding,
  withoutPrompt,
  withoutWords,
} from "#hooks";
import { retracts } from "#memory";
import type { Accept, DaemonApp, Via } from "../process/app.ts";
import { type Clock, type Log, errorMessage } from "#kit";

interface Request {
  readonly envelopes: readonly HookEnvelope[];
  readonly via: Via;
  readonly answer: (replies: readonly HookReply[]) => void;
  readonly refuse: (error: unknown) => void;
}

const requestsPerCommitMax = 256;

export function createIntake(
  log: Log,
  accept: Accept,
  drain: () => Promise<unknown>,
  serial: Serial,
) {
  const queue: Request[] = [];
  let scheduled = false;
  /** False when several requests failed together: one of them may be to blame. */
  const commit = async (requests: readonly Request[], via: Via): Promise<boolean> => {
    try {
      const replies = await accept(
        requests.flatMap(({ envelopes }) => envelopes),
        via,
      );
      let at = 0;
      for (const { envelopes, answer } of requests) {
        answer(replies.slice(at, at + envelopes.length));
        at += envelopes.length;
      }
    } catch (error) {
      if (requests.length > 1) return false;
      log.write("error", "hook.not-accepted", { error: errorMessage(error) });
      for (const { refuse } of requests) refuse(error);
    }
    return true;
  };
  const commitNext = async (): Promise<void> => {
    await drain();
    // Taken after the drain: whatever came meanwhile rides along.
    const [first] = queue;
    if (first === undefined) return;
    const others = queue.findIndex(({ via }) => via !== first.via);
    const count = others < 0 ? requestsPerCommitMax : Math.min(others, requestsPerCommitMax);
    const requests = queue.splice(0, count);
    if (await commit(requests, first.via)) return;
    for (const request of requests) await commit([request], request.via);
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(async () => {
      scheduled = false;
      await serial.run(commitNext);
      if (queue.length > 0) schedule();
    });
  };
  return {
    /** Resolves after the commit; rejects when the events could not be accepted (the hook then spools them). */
    take: (
      envelopes: readonly HookEnvelope[],
      via: Exclude<Via, "spool">,
    ): Promise<readonly HookReply[]> =>
      new Promise((answer, refuse) => {
        queue.push({ envelopes, via, answer, refuse });
        schedule();
      }),
    waiting: (): number => queue.length,
  };
}

// Runs asynchronous work one after the other, so that no two commits overlap.

type Serial = ReturnType<typeof createSerial>;

export function createSerial() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Resolves or rejects as `work` does; a failure does not stop what waits behind it. */
    run: <Value>(work: () => Promise<Value>): Promise<Value> => {
      const mine = last.then(work, work);
      last = mine.catch(() => undefined);
      return mine;
    },
    /** Resolves when everything that was asked for so far is over. */
    settled: async (): Promise<void> => void (await last),
  };
}

// Keeps what was typed in private, or off the record, out of what follows in the same turn: its answer, its tools,
// its subagents, and a later summary of the session. Marks on disk make it hold across a restart.

export type PrivateTurnGuard = ReturnType<typeof createPrivateTurnGuard>;

/** Returns the event as it may be committed, or null. Call for every event, in the order of events. */
export function createPrivateTurnGuard(
  paths: HomePaths,
  leavesNoRecord: DaemonApp["leavesNoRecord"],
  clock: Clock,
) {
  sweepPrivateMarks(paths, clock.nowMs());
  const guardPrompt = (envelope: HookEnvelope): HookEnvelope => {
    const { prompt, prompt_id: id } = envelope.payload;
    const isOrdered = typeof prompt === "string" && leavesNoRecord(prompt);
    const isOff =
      isOrdered ||
      envelope.payload["off_the_record"] === true ||
      (typeof id === "string" && turnStanding(paths, envelope) === "off the record");
    if (isOff) {
      markOffTheRecord(paths, envelope, clock.nowMs());
      return isOrdered && retracts(prompt) ? asRetraction(envelope) : withoutPrompt(envelope);
    }
    (mayBePrivate(envelope) ? markPrivateTurn : clearPrivateTurn)(paths, envelope);
    return envelope;
  };
  return (envelope: HookEnvelope, via: Via): HookEnvelope | null => {
    // The hook has applied the marks before it spooled; without ids a later prompt may have changed them since.
    if (via === "spool") return isTakenBack(paths, envelope) ? null : envelope;
    if (isOfPause(paths, envelope, clock.nowMs())) return null;
    const isPrompt = envelope.hook === "submit" && typeof envelope.payload["agent_id"] !== "string";
    if (isPrompt) return guardPrompt(envelope);
    const standing = turnStanding(paths, envelope);
    if (standing === "off the record" || standing === "paused") return null;
    return standing === "private" ? withoutWords(envelope) : envelope;
  };
}

/** True for what was spooled before a courier had read the order in its turn's long prompt. */
const isTakenBack = (paths: HomePaths, envelope: HookEnvelope): boolean =>
  typeof envelope.payload["prompt_id"] === "string" &&
  envelope.payload["off_the_record"] !== true &&
  turnStanding(paths, envelope) === "off the record";

/** "Forget what I said about X, it was confidential": its order is carried out, and then its turn goes. */
const asRetraction = (envelope: HookEnvelope): HookEnvelope => ({
  ...envelope,
  payload: { ...envelope.payload, retracts: true },
});
