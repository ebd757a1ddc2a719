/** What the model's half of the worker needs, and the steps at which a crash is tried in tests. */
import type { Job, Llm, Session, Settings, Turn, PrivacyGate } from "#domain";
import type { KnownSlot, SessionReply } from "#prompts";
import type { RememberDeps } from "../remember.ts";
import type { Log, Clock } from "#kit";

/**
 * Boundaries between durable steps: `leased`, `answered` (nothing stored yet), `stored` (the reply is), `applied` (not
 * committed yet), `committed`.
 */
type Step = "leased" | "answered" | "stored" | "applied" | "committed";

export interface StepDep {
  /** Told at each boundary, with the kind of the job; nothing in the product listens. */
  readonly onStep: (step: Step, kind: string) => void;
}

export interface ModelDeps extends RememberDeps, StepDep {
  readonly clock: Clock;
  readonly gate: PrivacyGate;
  readonly log: Log;
  /** Null when no model is chosen. */
  readonly llm: () => Llm | null;
  readonly settings: () => Settings;
}

/** What a model made of a stretch of a session. */
export interface Reading {
  readonly job: Job;
  readonly session: Session;
  readonly turns: readonly Turn[];
  readonly known: readonly KnownSlot[];
  readonly reply: SessionReply;
}
