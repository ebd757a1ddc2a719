/** Durable jobs: leased, idempotent by key, retried with backoff, parked after three failures. */
import type { SmallFacts } from "./meta.ts";
import type { MemoryNode } from "./node.ts";

/**
 * The kind that asks a model, for digest and memories of a stretch of a session. It has a lane of its own: per session
 * in order, and no local job waits for it.
 */
export const modelJobKind = "session";

export type JobKind =
  | "turn" // keep what was said in one closed turn
  | "checkpoint" // structured summary of a session
  | "transcript" // read a transcript from its offset
  | "quiet" // a session fell silent: what a model is asked then
  | "notes" // read the note files of an agent
  | typeof modelJobKind;

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

// Upkeep, as people see it.

export interface UpkeepRun {
  /** `decay`, `backup`, … */
  readonly task: string;
  /** The time of its end, epoch ms. */
  readonly atMs: number;
  readonly tookMs: number;
  readonly outcome: "done" | "failed";
  /** The outcome, or the reason why it failed; never what is remembered. */
  readonly note: string;
}

/** The upkeep tasks that run in a process of their own. */
export type BackgroundTask = "check" | "backup" | "archive" | "sync";

/** First argument with which the program starts itself for one background task. */
export const backgroundWord = "upkeep-task";

/** Events that wait for the daemon. */
export interface SpoolSize {
  readonly files: number;
  readonly bytes: number;
  /** The time at which the event that waits longest was left, epoch ms; null = none waits. */
  readonly oldestMs: number | null;
}

// Imported sessions that a model was asked to read, and those that still wait: told by `status` and the viewer.

export interface BackfillState {
  readonly total: number;
  readonly left: number;
  /** The time at which the run began. Epoch milliseconds. */
  readonly sinceMs: number;
}

/** The parts of the store that hold the state of a run. */
interface BackfillStore {
  readonly admin: SmallFacts;
  readonly jobs: { readonly backfillLeft: () => number };
}

/** Returns the state of the run; null when no session waits. */
export function backfillState({ admin, jobs }: BackfillStore): BackfillState | null {
  const left = jobs.backfillLeft();
  const [total = 0, sinceMs = 0] = (admin.getMeta("model.backfill") ?? "").split(" ").map(Number);
  return left === 0 ? null : { total: Math.max(left, total), left, sinceMs };
}

export const saveBackfill = (
  { admin }: BackfillStore,
  { total, sinceMs }: Omit<BackfillState, "left">,
): void => admin.setMeta("model.backfill", `${total} ${sinceMs}`);

// Describes a slice of consolidation (src/daemon/jobs/consolidate.ts).

/** Memories that were made one, or would be. */
export interface Consolidated {
  readonly type: "merge";
  readonly keep: MemoryNode;
  readonly parts: readonly MemoryNode[];
}

export interface ConsolidationAsk {
  /** Goes on after this id; 0 = from the beginning. */
  readonly afterId: number;
  /** Stops when this much time has gone by, in ms. */
  readonly sliceMs: number;
  /** False = only says what would be done. */
  readonly apply: boolean;
}

export interface ConsolidationSlice {
  readonly changes: readonly Consolidated[];
  readonly looked: number;
  /** Null = that was the last. */
  readonly nextId: number | null;
}
