/**
 * Schedules upkeep: each task once a day, the most overdue first, one slice at a time, and never
 * within a few seconds of a hook. What takes longer than a slice runs in a process of its own. A
 * task that is cut short by the end of the daemon begins again the next time: each is idempotent.
 * The last run of each is kept in the store.
 */
import type { Store, UpkeepRun } from "#domain";
import type { WorkerContext } from "../context.ts";
import {
  assert,
  msPerDay,
  msPerHour,
  msPerMinute,
  msPerSecond,
  errorMessage,
  recordOf,
  parseJson,
} from "#kit";

export interface UpkeepTask {
  readonly name: string;
  readonly everyMs: number;
  /** The delay of its first run after the first start of a home; 0 = at once. */
  readonly firstAfterMs: number;
  /** Due before its time, asked now and then. */
  readonly isDueEarly?: () => boolean;
  /** One slice for each step, of some milliseconds; returns what is noted. Or a promise, for work elsewhere. */
  readonly run: () => Generator<void, string> | Promise<string>;
}

export type Upkeep = ReturnType<typeof createUpkeep>;

/** A hook is seldom alone: while a prompt is worked on they come every few seconds. */
const quietMs = 3 * msPerSecond;
/** An import that was broken off is run again within minutes; until then its memories are not all there. */
const holdMs = 5 * msPerMinute;
/** After a failure the task waits this long, not a day. */
const retryMs = msPerHour;
const earlyLookMs = 60 * msPerSecond;

interface Running {
  readonly task: UpkeepTask;
  readonly startedMs: number;
  /** Null: it runs elsewhere. */
  readonly slices: Generator<void, string> | null;
}

type Schedule = Pick<WorkerContext, "clock" | "log" | "onDue" | "store">;
type Outcome = Omit<UpkeepRun, "task" | "atMs" | "tookMs">;

export function createUpkeep(
  deps: Schedule,
  tasks: readonly UpkeepTask[],
  elapsedMs: () => number,
) {
  const { clock } = deps;
  let quietFromMs = Number.NEGATIVE_INFINITY;
  let lastLookMs = Number.NEGATIVE_INFINITY;
  let running: Running | null = null;
  let stopped = false;

  const end = (outcome: Outcome): void => {
    if (running !== null && !stopped) noteRun(deps, running, { ...outcome, endMs: elapsedMs() });
    running = null;
  };
  const begin = (task: UpkeepTask): void => {
    const startedMs = elapsedMs();
    const work = task.run();
    running = { task, startedMs, slices: work instanceof Promise ? null : work };
    if (work instanceof Promise) void outcomeOf(work).then(end).finally(deps.onDue);
  };
  const wait = (ms: number): void => {
    quietFromMs = later(quietFromMs, clock.nowMs(), ms);
  };
  const slice = (slices: Generator<void, string>): void => {
    try {
      const { done, value } = slices.next();
      if (done === true) end({ outcome: "done", note: value });
    } catch (error) {
      end({ outcome: "failed", note: errorMessage(error) });
    }
  };
  return {
    /** Does one slice if something is due. Returns in how many ms to come back; 0 = there is more to do. */
    step: (): number => {
      if (stopped) return msPerDay;
      const nowMs = clock.nowMs();
      const waitMs = quietFromMs - nowMs;
      // Longer than anything waits: the clock has jumped back.
      if (waitMs > 0 && waitMs <= holdMs) return waitMs;
      if (running !== null && running.slices === null) return msPerHour;
      if (running === null) {
        const isLookDue = nowMs - lastLookMs >= earlyLookMs || nowMs < lastLookMs;
        if (isLookDue) lastLookMs = nowMs;
        const next = nextTask(deps.store, tasks, { nowMs, isLookDue });
        if (next.inMs > 0) return next.inMs;
        begin(next.task);
      }
      if (running?.slices) slice(running.slices);
      return 0;
    },
    /** A hook came: what is under way waits. */
    touch: (): void => wait(quietMs),
    /** A batch of an import came: everything waits until it has been over for a while. */
    hold: (): void => wait(holdMs),
    isBusy: (): boolean => running !== null,
    stop: (): void => {
      stopped = true;
      running?.slices?.return("");
    },
  };
}

const outcomeOf = async (work: Promise<string>): Promise<Outcome> =>
  work.then(
    (note) => ({ outcome: "done", note }),
    (error: unknown) => ({ outcome: "failed", note: errorMessage(error) }),
  );

/** The later of two ends of waiting; one from before the clock jumped back does not count. */
const later = (beforeMs: number, nowMs: number, waitMs: number): number =>
  beforeMs - nowMs <= holdMs ? Math.max(beforeMs, nowMs + waitMs) : nowMs + waitMs;

function noteRun(
  { clock, log, store }: Schedule,
  { task: { name: task }, startedMs }: Running,
  { outcome, note, endMs }: Outcome & { readonly endMs: number },
): void {
  const tookMs = Math.round(endMs - startedMs);
  const run: UpkeepRun = { task, atMs: clock.nowMs(), tookMs, outcome, note };
  store.admin.setMeta("upkeep.state", JSON.stringify({ ...upkeepState(store), [task]: run }));
  log.write(outcome === "done" ? "info" : "warn", "upkeep", {
    task,
    outcome,
    note,
    took_ms: tookMs,
  });
}

/** The most overdue task, or the one that is due next. */
function nextTask(
  store: Store,
  tasks: readonly UpkeepTask[],
  { nowMs, isLookDue }: { readonly nowMs: number; readonly isLookDue: boolean },
): { readonly task: UpkeepTask; readonly inMs: number } {
  const state = upkeepState(store);
  const firstMs = firstStart(store, nowMs);
  const [next] = tasks
    .map((task) => {
      const last = state[task.name] ?? null;
      const isEarly = isLookDue && (task.isDueEarly?.() ?? false);
      return {
        task,
        inMs: isEarly ? 0 : Math.max(0, dueMs(task, last, { firstMs, nowMs }) - nowMs),
      };
    })
    .toSorted((a, b) => a.inMs - b.inMs);
  assert(next !== undefined, "there are tasks");
  return next;
}

function dueMs(
  task: UpkeepTask,
  last: UpkeepRun | null,
  { firstMs, nowMs }: { readonly firstMs: number; readonly nowMs: number },
): number {
  if (last === null) return firstMs + task.firstAfterMs;
  // A clock that jumped back must not postpone upkeep for ever.
  if (last.atMs > nowMs) return nowMs;
  return last.atMs + (last.outcome === "failed" ? Math.min(retryMs, task.everyMs) : task.everyMs);
}

/** `firstStart` gives the time at which a daemon first looked after this home. */
function firstStart({ admin }: Store, nowMs: number): number {
  const known = Number(admin.getMeta("upkeep.first") ?? Number.NaN);
  if (Number.isFinite(known) && known <= nowMs) return known;
  admin.setMeta("upkeep.first", `${nowMs}`);
  return nowMs;
}

type State = Readonly<Record<string, UpkeepRun>>;

/** The last runs by task. Anything unreadable counts as never run. */
export function upkeepState({ admin }: Store): State {
  return recordOf(parseJson(admin.getMeta("upkeep.state") ?? "")) as State;
}
