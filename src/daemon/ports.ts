/** Declares the worker's ports to the application: the state of the home, work in processes of their own. */
import type { BackgroundTask } from "#domain";

export interface Fault {
  /** The same for as long as the same thing is broken. */
  readonly id: string;
  /** The fault and the next step. */
  readonly line: string;
}

/** Runs a task in a process of its own; rejects with what went wrong, in words. */
export type BackgroundWork = (task: BackgroundTask) => Promise<string>;

/**
 * Boundaries between durable steps, at which a crash is tried in tests: `leased`, `answered` (nothing stored yet),
 * `stored` (the reply is), `applied` (not committed yet), `committed`.
 */
export type Step = "leased" | "answered" | "stored" | "applied" | "committed";
