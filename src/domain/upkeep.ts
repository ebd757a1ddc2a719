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
