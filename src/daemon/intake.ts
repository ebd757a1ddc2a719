/**
 * Hook requests, by socket and TCP, on their way to one commit. Requests that arrive in the same turn of the event
 * loop are accepted together: one fsync instead of many.
 *
 * What waits in the spool goes first. The hooks of one session run one after the other, so an event in the spool is
 * older than any that comes through socket or TCP after it.
 */
import type { LogDep } from "#kit";
import type { HookEnvelope, HookReply } from "#domain";
import type { Accept, Via } from "./app.ts";
import type { Serial } from "./serial.ts";

export interface IntakeDeps extends LogDep {
  readonly accept: Accept;
  readonly drain: () => Promise<unknown>;
  readonly serial: Serial;
}

export interface Intake {
  /** Resolves after the commit; rejects when the events could not be accepted (the hook then spools them). */
  readonly take: (
    envelopes: readonly HookEnvelope[],
    via: Exclude<Via, "spool">,
  ) => Promise<readonly HookReply[]>;
  readonly waiting: () => number;
}

interface Request {
  readonly envelopes: readonly HookEnvelope[];
  readonly via: Via;
  readonly answer: (replies: readonly HookReply[]) => void;
  readonly refuse: (error: unknown) => void;
}

const requestsPerCommitMax = 256;

export function createIntake(deps: IntakeDeps): Intake {
  const queue: Request[] = [];
  let scheduled = false;
  const commitNext = async (): Promise<void> => {
    await deps.drain();
    // Taken after the drain: whatever came meanwhile rides along.
    const [first] = queue;
    if (first === undefined) return;
    const others = queue.findIndex(({ via }) => via !== first.via);
    const count = others < 0 ? requestsPerCommitMax : Math.min(others, requestsPerCommitMax);
    const requests = queue.splice(0, count);
    if (await commit(deps, requests, first.via)) return;
    for (const request of requests) await commitAlone(deps, request);
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(async () => {
      scheduled = false;
      await deps.serial.run(commitNext);
      if (queue.length > 0) schedule();
    });
  };
  return {
    take: (envelopes, via) =>
      new Promise((answer, refuse) => {
        queue.push({ envelopes, via, answer, refuse });
        schedule();
      }),
    waiting: () => queue.length,
  };
}

/** False when several requests failed together: one of them may be to blame. */
async function commit(deps: IntakeDeps, requests: readonly Request[], via: Via): Promise<boolean> {
  try {
    const replies = await deps.accept(
      requests.flatMap(({ envelopes }) => envelopes),
      via,
    );
    let at = 0;
    for (const { envelopes, answer } of requests) {
      answer(replies.slice(at, at + envelopes.length));
      at += envelopes.length;
    }
    return true;
  } catch (error) {
    if (requests.length > 1) return false;
    deps.log.write("error", "hook.not-accepted", {
      error: error instanceof Error ? error.message : "unknown",
    });
    for (const { refuse } of requests) refuse(error);
    return true;
  }
}

const commitAlone = async (deps: IntakeDeps, request: Request): Promise<boolean> =>
  commit(deps, [request], request.via);
