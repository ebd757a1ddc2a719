/** Calls `work` when something is due and not otherwise; never twice at once. */
import type { LogDep } from "#kit";
import type { DaemonApp } from "./app.ts";

export interface WorkLoop {
  /** Something may be due: look soon. */
  readonly wakeWorker: () => void;
  /** Works once, after what is running. Resolves to what `work` says is next, in ms; null = nothing waits. */
  readonly runOnce: () => Promise<number | null>;
  /** No further calls; resolves when the running one is over. */
  readonly stop: () => Promise<void>;
}

const retryMs = 5_000;
/** The longest a timer can wait is 2^31 ms; a look every hour is cheap. */
const timerMsMax = 3_600_000;

export function createWorkLoop(
  deps: LogDep & { readonly work: DaemonApp["work"]; readonly onWorked: () => void },
): WorkLoop {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let running: Promise<number | null> = Promise.resolve(null);
  let stopped = false;
  const plan = (ms: number | null): void => {
    if (timer !== null) clearTimeout(timer);
    timer =
      ms === null || stopped ? null : setTimeout(() => void runOnce(), Math.min(ms, timerMsMax));
  };
  const workSafely = async (): Promise<number | null> => {
    if (stopped) return null;
    try {
      const next = await deps.work();
      if (next === 0) deps.onWorked();
      return next;
    } catch (error) {
      deps.log.write("error", "work.failed", {
        error: error instanceof Error ? error.message : "unknown",
      });
      return retryMs;
    }
  };
  const runOnce = async (): Promise<number | null> => {
    const mine = running.then(workSafely);
    running = mine;
    const next = await mine;
    if (running === mine) plan(next);
    return next;
  };
  return {
    wakeWorker: () => plan(0),
    runOnce,
    stop: async () => {
      stopped = true;
      plan(null);
      await running;
    },
  };
}
