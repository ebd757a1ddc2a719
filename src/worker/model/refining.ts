/** A job over a stretch of a session, and what comes of the answer. */
import type { Job, Session, Turn } from "#domain";
import type { Replies } from "./replies.ts";

/** Applies an answer; runs inside the transaction that completes the job. */
export type Refinement = () => void;

export interface Refining {
  readonly job: Job;
  readonly session: Session;
  readonly replies: Replies;
}

export interface Stretch {
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
