/**
 * Stores the replies of a model, one for a job. A reply is stored with the job before it is acted
 * on, so that a job that runs again reads it there; what a question was based on and may have
 * changed since is stored beside it.
 */
import {
  type KnownSlot,
  requestOf,
  type SessionInput,
  sessionPrompt,
  type SessionReply,
} from "#models";
import type { Job, Llm, LlmError, Session, Turn } from "#domain";
import { err, ok, type Result, recordOf, parseJson } from "#kit";
import type { Stretch } from "./plan.ts";
import type { WorkerContext } from "../context.ts";

/** The memories that a model made of a stretch of a session. */
export interface Reading {
  readonly job: Job;
  readonly session: Session;
  readonly turns: readonly Turn[];
  readonly known: readonly KnownSlot[];
  readonly reply: SessionReply;
}

/** A model may take minutes, and waits for its turn before that; renewed before each question. */
export const leaseMs = 15 * 60_000;

/** Known memories that a question showed, and its answer. */
interface Stored {
  readonly known?: readonly KnownSlot[];
  readonly reply?: unknown;
}

export function createReplies(deps: WorkerContext, job: Job, llm: Llm) {
  // Written below; what another version wrote is asked anew.
  let stored: Stored = recordOf(parseJson(job.reply ?? ""));
  const save = (reply: unknown): void => {
    deps.onStep("answered", job.kind);
    stored = { ...stored, reply };
    deps.store.jobs.saveReply(job.id, JSON.stringify(stored));
    deps.onStep("stored", job.kind);
  };
  const ask = async (input: SessionInput): Promise<Result<SessionReply, LlmError>> => {
    if (stored.reply !== undefined) {
      const again = sessionPrompt.parse(stored.reply, input);
      if (again.ok) return again;
      // Forgotten since: something that it was about.
      const detail = `the stored reply no longer fits: ${again.error}`;
      return err({ type: "llm.unreadable", detail });
    }
    deps.store.jobs.renew(job.id, deps.clock.nowMs() + leaseMs);
    let raw: unknown = null;
    const request = requestOf(sessionPrompt, input, job.sessionId);
    const answered = await llm.structured({
      ...request,
      parse: (reply) => {
        raw = reply;
        return request.parse(reply);
      },
    });
    if (!answered.ok) return answered;
    save(raw);
    return ok(answered.value.value);
  };
  return {
    /** Memories that the question shows as known: made once, and the same when the job is repeated after an answer. */
    known: (make: () => readonly KnownSlot[]): readonly KnownSlot[] => {
      const known = stored.known ?? make();
      stored = { ...stored, known };
      return known;
    },
    /** The stored answer to the job's question, or a new one. */
    ask,
  };
}

// A job over a stretch of a session, and what comes of the answer.

/** Applies an answer; runs inside the transaction that completes the job. */
export type Refinement = () => void;

export interface Refining {
  readonly job: Job;
  readonly session: Session;
  readonly replies: ReturnType<typeof createReplies>;
}

export const stretchOf = ({ payload }: Job): Stretch => ({
  from: Number(payload["from"] ?? 0),
  to: Number(payload["to"] ?? 0),
});

/** Event time of the occasion that a job was planned on, epoch ms. */
export const atMsOf = ({ payload }: Job, session: Session): number =>
  Number(payload["atMs"] ?? session.lastEventAt);

export const hasWords = ({ prompt, answer }: Turn): boolean => prompt !== "" || answer !== null;
