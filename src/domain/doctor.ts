/** The findings of doctor, link by link of the chain from the client to the memory. */

export interface Check {
  /** Stable, for programs. */
  readonly id: string;
  /** `skipped`: could not be looked at, or has no meaning here. */
  readonly state: "ok" | "warning" | "failed" | "skipped";
  /** The finding, in one line. */
  readonly detail: string;
  /** The next step, in one line; null when nothing is. */
  readonly fix: string | null;
  /** The repair that `--fix` may make; null when that is for a person. */
  readonly remedy: Remedy | null;
}

/** Repairs that lose nothing. */
export type Remedy =
  /** Put our hooks into the settings anew. */
  | { readonly type: "install" }
  | {
      readonly type: "modes";
      readonly changes: readonly { readonly path: string; readonly mode: number }[];
    }
  /** End a daemon that does not answer; what it did not take waits in the spool. */
  | { readonly type: "stop-daemon" }
  /** Start a daemon, which takes in what waits. */
  | { readonly type: "flush" }
  /** Clear the message about events that were lost. */
  | { readonly type: "clear-lost" };

/** Fields of `doctor --json`. */
export interface DoctorReport {
  /** False when something is red. */
  readonly ok: boolean;
  readonly version: string;
  readonly checks: readonly Check[];
  /** The repairs that `--fix` made. */
  readonly fixed: readonly string[];
}
