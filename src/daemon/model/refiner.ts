/**
 * Runs the jobs that ask a model, beside the worker's slices: calls are awaited here and nowhere else, and what comes
 * of them is applied in one transaction with the job's completion.
 *
 * Sessions run side by side, each in order, but for the one question about each, which come one after the other; how
 * many calls are under way at once is the model port's business. When there is no answer to be had, the local form
 * stands.
 */
import { isNews, type Job, type LlmError, type Store } from "#domain";
import { dayStart, localDate, unreachable, letOthersIn } from "#kit";
import { isBackfillSpent } from "./plan.ts";
import { createReplies, leaseMs } from "./replies.ts";
import { digest } from "./digest.ts";
import type { WorkerContext } from "../context.ts";

export type Refiner = ReturnType<typeof createRefiner>;

/** More than there are calls at a time: jobs wait for their calls without holding the others up. */
const jobsMax = 8;
/** Pause when a provider turns us away without saying for how long. */
const rateLimitedMs = 60_000;

export function createRefiner(deps: WorkerContext) {
  const under = new Map<number, Promise<void>>();
  let stopped = false;
  const run = async (job: Job): Promise<void> => {
    try {
      // Putting a question together takes milliseconds; hooks that wait go first, and between two of them.
      await letOthersIn();
      if (!stopped) await refine(deps, job, () => stopped);
    } catch (error) {
      if (!stopped) giveBack(deps, job, String(error));
    } finally {
      under.delete(job.id);
      if (!stopped) deps.onDue();
    }
  };
  return {
    /** Starts what is due. Returns at once. */
    start: (): void => {
      if (stopped) return;
      while (under.size < jobsMax) {
        const job = deps.store.jobs.lease(deps.clock.nowMs(), leaseMs, "model");
        // A lease that ran out under a call that is still awaited is not a second job.
        if (job === null || under.has(job.id)) return;
        under.set(job.id, run(job));
      }
    },
    settled: async (): Promise<void> => {
      while (under.size > 0) await Promise.allSettled(under.values());
    },
    /** Leaves jobs under way as they are, for the next process; the store is not touched any more. */
    stop: (): void => {
      stopped = true;
    },
  };
}

async function refine(deps: WorkerContext, job: Job, isStopped: () => boolean): Promise<void> {
  const { store } = deps;
  deps.onStep("leased", job.kind);
  const llm = deps.llm();
  const session = job.sessionId === null ? null : store.sessions.byId(job.sessionId);
  // Chosen when the job was planned, and no longer: the local form stands.
  if (llm === null || session === null) return store.jobs.complete(job.id);
  const nowMs = deps.clock.nowMs();
  if (job.payload["backfill"] === true && isBackfillSpent(store, deps.settings(), nowMs))
    return store.jobs.postpone(
      job.id,
      "imported sessions wait for tomorrow's budget",
      tomorrowMs(nowMs),
    );
  const replies = createReplies(deps, job, llm);
  const refined = await digest(deps, { job, session, replies });
  if (isStopped()) return;
  if (!refined.ok) return setBack(deps, job, refined.error);
  store.transaction(() => {
    refined.value();
    deps.onStep("applied", job.kind);
    store.jobs.complete(job.id);
  });
  deps.onStep("committed", job.kind);
}

/** Budgets are counted by the user's day. */
const tomorrowMs = (nowMs: number): number => dayStart(nowMs, null, 1);

/** `setBack` puts off or ends a job whose question was not answered. */
function setBack(deps: WorkerContext, job: Job, error: LlmError): void {
  const { store } = deps;
  const nowMs = deps.clock.nowMs();
  switch (error.type) {
    case "llm.none":
      deps.log.write("info", "model.none", { key: job.key });
      return store.jobs.complete(job.id);
    case "llm.budget":
      return waitForBudget(deps, job, error);
    case "llm.breaker-open":
      return store.jobs.postpone(job.id, error.type, Math.max(nowMs + 1, error.untilMs));
    case "llm.rate-limited":
      return store.jobs.postpone(job.id, error.type, nowMs + (error.retryAfterMs ?? rateLimitedMs));
    case "llm.timeout":
    case "llm.unauthorised":
    case "llm.unavailable":
    case "llm.refused":
    case "llm.unreadable":
      return giveBack(deps, job, `${error.type}: ${detailOf(error)}`);
    default:
      return unreachable(error);
  }
}

/** A session's budget does not grow, and neither does nothing; else tomorrow has a budget of its own. */
function waitForBudget(
  deps: WorkerContext,
  job: Job,
  error: LlmError & { readonly type: "llm.budget" },
): void {
  sayBudget(deps, error);
  if (error.scope === "session" || error.limit === 0) return deps.store.jobs.complete(job.id);
  deps.store.jobs.postpone(job.id, error.type, tomorrowMs(deps.clock.nowMs()));
}

const detailOf = (
  error: Extract<LlmError, { readonly detail: string } | { readonly afterMs: number }>,
): string => ("detail" in error ? error.detail : `no answer within ${error.afterMs} ms`);

/** One of three failures; after the third the job is parked and the local form stands. */
function giveBack(deps: WorkerContext, job: Job, reason: string): void {
  deps.log.write("warn", "model.failed", { key: job.key, reason: reason.slice(0, 200) });
  deps.store.jobs.fail(job.id, reason, deps.clock.nowMs());
}

/** The limit that stopped a question today, in words; null when none did. */
export function spentBudget({ admin }: Store, nowMs: number): "day" | "session" | null {
  const [day, scope] = (admin.getMeta("model.budget-said") ?? "").split(" ");
  if (day !== localDate(nowMs)) return null;
  return scope === "day" || scope === "session" ? scope : null;
}

/** Once a day and scope: the rest of the day would say the same. */
function sayBudget(
  { clock, log, store }: WorkerContext,
  error: LlmError & { readonly type: "llm.budget" },
): void {
  const said = `${localDate(clock.nowMs())} ${error.scope}`;
  if (isNews(store.admin, "model.budget-said", said))
    log.write("warn", "model.budget", { scope: error.scope, limit: error.limit });
}
