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
