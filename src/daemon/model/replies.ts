/**
 * What a model said to one job. A reply is stored with the job before it is acted on, so that a job that runs again
 * reads it there; what a question was based on and may have changed since is stored beside it.
 */
import { type KnownSlot, type PromptOf, requestOf, type SessionReply } from "#models";
import type { Job, Llm, LlmError, Session, Turn } from "#domain";
import { err, ok, type Result } from "#kit";
import { type Json, record } from "../intake/payload.ts";
import type { WorkerContext } from "../context.ts";

/** What a model made of a stretch of a session. */
export interface Reading {
  readonly job: Job;
  readonly session: Session;
  readonly turns: readonly Turn[];
  readonly known: readonly KnownSlot[];
  readonly reply: SessionReply;
}

interface Replies {
  /** The stored answer to this step's question, or a new one. `step` tells the questions of one job apart. */
  readonly ask: <Input, Output>(
    step: string,
    prompt: PromptOf<Input, Output>,
    input: Input,
  ) => Promise<Result<Output, LlmError>>;
  /** Texts that a question is based on: made once, and the same again when the job is repeated after an answer. */
  readonly note: (name: string, make: () => readonly string[]) => readonly string[];
}

/** A model may take minutes, and waits for its turn before that; renewed before each question. */
export const leaseMs = 15 * 60_000;

export function createReplies(deps: WorkerContext, job: Job, llm: Llm): Replies {
  let stored = readStored(job.reply);
  const save = (step: string, raw: unknown): void => {
    deps.onStep("answered", job.kind);
    stored = { ...stored, replies: { ...stored.replies, [step]: raw } };
    deps.store.jobs.saveReply(job.id, JSON.stringify(stored));
    deps.onStep("stored", job.kind);
  };
  const ask: Replies["ask"] = async (step, prompt, input) => {
    if (Object.hasOwn(stored.replies, step)) {
      const again = prompt.parse(stored.replies[step], input);
      return again.ok ? again : err(unusable(again.error));
    }
    deps.store.jobs.renew(job.id, deps.clock.nowMs() + leaseMs);
    let raw: unknown = null;
    const request = requestOf(prompt, input, job.sessionId);
    const answered = await llm.structured({
      ...request,
      parse: (reply) => {
        raw = reply;
        return request.parse(reply);
      },
    });
    if (!answered.ok) return answered;
    save(step, raw);
    return ok(answered.value.value);
  };
  return {
    note: (name, make) => {
      const known = textsOf(stored.notes[name]);
      if (known !== null) return known;
      const made = make();
      stored = { ...stored, notes: { ...stored.notes, [name]: made } };
      return made;
    },
    ask,
  };
}

interface Stored {
  readonly notes: Json;
  readonly replies: Json;
}

function readStored(reply: string | null): Stored {
  const whole = reply === null ? {} : record(parsed(reply));
  return { notes: record(whole["notes"]), replies: record(whole["replies"]) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // Written by another version: asked anew.
  }
}

const textsOf = (value: unknown): readonly string[] | null =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : null;

/** A stored reply that does not fit: what it was about was forgotten since. */
const unusable = (detail: string): LlmError => ({
  type: "llm.unreadable",
  detail: `the stored reply no longer fits: ${detail}`,
  excerpt: "",
});

// A job over a stretch of a session, and what comes of the answer.

/** Applies an answer; runs inside the transaction that completes the job. */
export type Refinement = () => void;

export interface Refining {
  readonly job: Job;
  readonly session: Session;
  readonly replies: Replies;
}

interface Stretch {
  /** First and last turn. */
  readonly from: number;
  readonly to: number;
}

export const stretchOf = ({ payload }: Job): Stretch => ({
  from: Number(payload["from"] ?? 0),
  to: Number(payload["to"] ?? 0),
});

/** Event time of the occasion that a job was planned on, epoch ms. */
export const atMsOf = ({ payload }: Job, session: Session): number =>
  Number(payload["atMs"] ?? session.lastEventAt);

export const hasWords = ({ prompt, answer }: Turn): boolean => prompt !== "" || answer !== null;
