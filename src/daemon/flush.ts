/** Waits until everything accepted so far has been processed. */
export interface FlushReport {
  readonly done: boolean;
  /** Events in the spool and requests not yet committed, plus due or running jobs. Zero when done. */
  readonly left: number;
}

export interface FlushDeps {
  readonly drain: () => Promise<unknown>;
  /** Events that are not committed yet. */
  readonly waiting: () => number;
  /** Makes due what waits for a quiet moment. */
  readonly runDueNow: () => void;
  /** Works once; 0 = more is due now. */
  readonly work: () => Promise<number | null>;
  readonly pendingJobs: () => number;
  /** Monotonic, ms. */
  readonly elapsedMs: () => number;
}

const pauseMs = 20;

/** Resolves when nothing is left or the time is up. Jobs that are planned for later do not count. */
export async function flush(deps: FlushDeps, timeoutMs: number): Promise<FlushReport> {
  const endMs = deps.elapsedMs() + timeoutMs;
  for (;;) {
    const next = await within(endMs - deps.elapsedMs(), async () => {
      await deps.drain();
      deps.runDueNow();
      return deps.work();
    });
    const isDone = next !== "late" && next !== 0 && deps.waiting() === 0;
    if (isDone && deps.pendingJobs() === 0) return { done: true, left: 0 };
    if (deps.elapsedMs() >= endMs)
      return { done: false, left: Math.max(1, deps.waiting() + deps.pendingJobs()) };
    // Something that cannot go in now, or a job that another call runs: look again shortly.
    if (next !== 0) await Bun.sleep(pauseMs);
  }
}

async function within<Value>(ms: number, work: () => Promise<Value>): Promise<Value | "late"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), Math.max(0, ms));
  });
  const result = await Promise.race([work(), late]);
  clearTimeout(timer);
  return result;
}
