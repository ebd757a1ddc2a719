/** Upkeep, as people see it. */

export interface UpkeepRun {
  /** `decay`, `backup`, … */
  readonly task: string;
  /** When it ended, epoch ms. */
  readonly atMs: number;
  readonly tookMs: number;
  readonly outcome: "done" | "failed";
  /** What came of it, or why it failed; never what is remembered. */
  readonly note: string;
}

/** What of upkeep runs in a process of its own. */
export type BackgroundTask = "check" | "backup" | "archive" | "sync";

/** First argument with which the program starts itself for one background task. */
export const backgroundWord = "upkeep-task";

/** Events that wait for the daemon. */
export interface SpoolSize {
  readonly files: number;
  readonly bytes: number;
  /** When the event that waits longest was left, epoch ms; null = none waits. */
  readonly oldestMs: number | null;
}

/** Traces of a clock that ran ahead, or of one that is behind now. */
export interface FutureDates {
  /** Records that are dated later. */
  readonly records: number;
  readonly latestMs: number | null;
  /** Hook events among them, by arrival, and those before. */
  readonly events: number;
  readonly pastEvents: number;
  readonly lastPastMs: number | null;
}

/** Dates in the future, found and mended. */
export interface DateUpkeep {
  /** What is dated after a time that should be the latest. */
  readonly futureDates: (afterMs: number) => FutureDates;
  /** Dates those earlier by one span, so that the latest is `nowMs`; returns how many. */
  readonly repairFutureDates: (nowMs: number) => number;
}
