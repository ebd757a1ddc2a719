/** One link of the chain, and how it stands. */

export interface Check {
  /** Stable, for programs. */
  readonly id: string;
  /** `skipped`: could not be looked at, or has no meaning here. */
  readonly state: "ok" | "warning" | "failed" | "skipped";
  /** What was found, in one line. */
  readonly detail: string;
  /** What to do, in one line; null when nothing is. */
  readonly fix: string | null;
  /** What `--fix` may do about it; null when that is for a person. */
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
  /** Date earlier what a clock that ran ahead dated later than now; a backup is made first. */
  | { readonly type: "future-dates" }
  /** Clear the message about events that were lost. */
  | { readonly type: "clear-lost" };

export const fine = (id: string, detail: string): Check => ({
  id,
  state: "ok",
  detail,
  fix: null,
  remedy: null,
});

export const skipped = (id: string, detail: string): Check => ({
  ...fine(id, detail),
  state: "skipped",
});

interface Wrong {
  readonly detail: string;
  readonly fix: string;
  readonly remedy?: Remedy;
}

/** Something does not work. */
export const failed = (id: string, { detail, fix, remedy }: Wrong): Check => ({
  id,
  state: "failed",
  detail,
  fix,
  remedy: remedy ?? null,
});

/** It works, and something about it deserves a look. */
export const warned = (id: string, wrong: Wrong): Check => ({
  ...failed(id, wrong),
  state: "warning",
});

/** `1 event`, `2 events`. */
export const counted = (count: number, one: string): string =>
  `${count} ${count === 1 ? one : `${one}s`}`;
