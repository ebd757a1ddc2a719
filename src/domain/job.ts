/** Durable jobs: leased, idempotent by key, retried with backoff, parked after three failures. */

/**
 * Kinds that ask a model. They form a lane of their own: per session in order among themselves, and no local job waits
 * for them.
 */
export const modelJobKinds = [
  "session", // digest and memories of a stretch of a session
] as const;

type ModelJobKind = (typeof modelJobKinds)[number];

export type JobKind =
  | "turn" // keep what was said in one closed turn
  | "checkpoint" // structured summary of a session
  | "transcript" // read a transcript from its offset
  | "quiet" // a session fell silent: what a model is asked then
  | "embed" // vectors for nodes that have none
  | "notes" // read the note files of an agent
  | "upkeep" // decay refresh, expiry, housekeeping
  | ModelJobKind;

export type JobLane = "local" | "model";

export interface Job {
  readonly id: number;
  readonly key: string;
  readonly kind: JobKind;
  readonly sessionId: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly state: "queued" | "leased" | "done" | "skipped";
  readonly attempt: number;
  readonly runAfterMs: number;
  readonly leaseEndsAtMs: number | null;
  /** The model's reply, stored before it is acted on. */
  readonly reply: string | null;
  readonly reason: string | null;
  readonly createdAt: number;
}

export interface JobDraft {
  readonly key: string;
  readonly kind: JobKind;
  readonly sessionId: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly runAfterMs: number;
}
