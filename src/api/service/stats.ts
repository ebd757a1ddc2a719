/** Figures: what there is, how it came, what was shown and used, what it cost and how long hooks waited. */
import {
  type Breakdown,
  type Figures,
  type LlmLedger,
  makers,
  memoryCategories,
  nodeStatuses,
  origins,
  shownStatuses,
  type Store,
} from "#domain";
import {
  dayStart,
  isoDate,
  msPerDay,
  msPerSecond,
  offsetsOf,
  toClock,
  type ZoneOffsets,
} from "#kit";
import type { BudgetJson } from "../forms-work.ts";
import type { CountsJson, DayJson, HookLatencyJson, StatsJson } from "../forms-reports.ts";
import type { Context } from "./context.ts";

export interface StatsApi {
  /** `days`: how far back the daily figures go, today included; `zone`: whose days, null = this process's. */
  readonly stats: (days: number, zone?: string | null) => StatsJson;
}

/** Events of each hook that latencies are told from. */
const waitsMax = 1_000;
/**
 * Upper ends of the classes of a histogram, in ms: the deadlines of hooks are among them (docs/design/capture.md,
 * "Hooks and deadlines").
 */
const bucketsMs = [1, 2, 5, 10, 20, 50, 100, 250, 500, 1_500, 60_000] as const;

/** What was shown is journalled with every prompt; charts of days need not be newer than this. */
const shownKeptMs = 10 * msPerSecond;

export function createStatsApi(context: Context): StatsApi {
  const { figures } = context.store;
  const shownSince = keptFor(context, shownKeptMs, ({ sinceMs, offsets }) => ({
    byDay: figures.shownByDay(sinceMs, offsets),
    all: figures.shown(sinceMs),
  }));
  return { stats: (days, zone = null) => stats(context, rangeOf(context, days, zone), shownSince) };
}

/** Days that are told, as a zone's clocks count them. */
interface Range {
  readonly first: number;
  readonly last: number;
  readonly sinceMs: number;
  readonly offsets: ZoneOffsets;
}

function rangeOf({ clock }: Context, days: number, zone: string | null): Range {
  const nowMs = clock.nowMs();
  const last = Math.floor(toClock(nowMs, zone) / msPerDay);
  const sinceMs = dayStart(nowMs, zone, 1 - days);
  return { first: last - days + 1, last, sinceMs, offsets: offsetsOf(sinceMs, nowMs, zone) };
}

type ShownSince = (range: Range) => {
  readonly byDay: ReturnType<Figures["shownByDay"]>;
  readonly all: ReturnType<Figures["shown"]>;
};

/** The last value for a range, as long as it is fresh. */
function keptFor<Value>(
  { clock }: Context,
  freshMs: number,
  compute: (of: Range) => Value,
): (of: Range) => Value {
  let kept: { readonly of: Range; readonly atMs: number; readonly value: Value } | null = null;
  return (of) => {
    const nowMs = clock.nowMs();
    const isFresh =
      kept !== null &&
      Bun.deepEquals(kept.of, of) &&
      nowMs >= kept.atMs &&
      nowMs < kept.atMs + freshMs;
    if (kept === null || !isFresh) kept = { of, atMs: nowMs, value: compute(of) };
    return kept.value;
  };
}

function stats(context: Context, range: Range, shownSince: ShownSince): StatsJson {
  const { store } = context;
  const surfaced = shownSince(range);
  const parts = store.figures.breakdown();
  const memories = parts.filter((part) => !isArchive(part));
  const shown = memories.filter(isShown);
  const used = sum(shown, (part) => part.used);
  return {
    counts: countsWith(store, parts),
    by_category: tally(
      parts.filter(isShown).map(({ category, count }) => [category, count]),
      [],
    ),
    by_status: tally(
      memories.map(({ status, count }) => [status, count]),
      nodeStatuses,
    ),
    by_origin: tally(
      shown.flatMap(({ byOrigin }) => Object.entries(byOrigin)),
      origins,
    ),
    by_maker: tally(
      shown.flatMap(({ byMaker }) => Object.entries(byMaker)),
      makers,
    ),
    pinned: sum(shown, ({ pinned }) => pinned),
    projects: store.admin.projects(),
    days: daysOf(store, surfaced.byDay, range),
    surfaced: surfaced.all,
    used: {
      memories: used,
      uses: sum(shown, ({ uses }) => uses),
      never: sum(shown, ({ count }) => count) - used,
    },
    tokens: budgetOf(context),
    hooks: [...store.events.latencies(waitsMax)].map(latencyOf),
  };
}

/** What is spent of what there may be. */
export const budgetOf = ({ clock, models, store }: Context): BudgetJson => ({
  tokens_today: store.ledger.tokensSince(dayStart(clock.nowMs()), null),
  tokens_per_day: models.language().tokensPerDay,
  tokens_per_session: models.language().tokensPerSession,
});

/** How much there is of everything. */
export const countsOf = (store: Store): CountsJson => countsWith(store, store.figures.breakdown());

function countsWith(store: Store, parts: readonly Breakdown[]): CountsJson {
  const { turns, checkpoints } = store.sessions.recordCounts();
  const shown = parts.filter(isShown);
  const archive = shown.filter(isArchive);
  return {
    memories: sum(shown, ({ count }) => count) - sum(archive, ({ count }) => count),
    // A memory that has ended is none.
    exchanges: sum(archive, ({ byMaker }) => byMaker.stop),
    checkpoints,
    sessions: store.sessions.count(),
    turns,
    events: store.events.count(),
  };
}

const isArchive = ({ category }: Breakdown): boolean => category === "sessions";

/** What holds and what held; what waits or was put away is counted by status alone. */
const isShown = ({ status }: Breakdown): boolean => shownStatuses.some((one) => one === status);

const sum = (parts: readonly Breakdown[], of: (part: Breakdown) => number): number =>
  parts.reduce((total, part) => total + of(part), 0);

/** Counts by name; `names` are there also when nothing has them. */
function tally(
  counts: readonly (readonly [name: string, count: number])[],
  names: readonly string[],
): Readonly<Record<string, number>> {
  const totals = new Map(names.map((name) => [name, 0]));
  for (const [name, count] of counts) totals.set(name, (totals.get(name) ?? 0) + count);
  return Object.fromEntries(totals);
}

function daysOf(
  { figures, ledger }: { readonly figures: Figures; readonly ledger: LlmLedger },
  shownByDay: ReturnType<Figures["shownByDay"]>,
  range: Range,
): readonly DayJson[] {
  const { sinceMs, offsets } = range;
  const created = byDay(figures.createdByDay(sinceMs, offsets));
  const shown = byDay(shownByDay);
  const used = byDay(figures.usedByDay(sinceMs, offsets));
  const injected = byDay(figures.injectedByDay(sinceMs, offsets));
  const calls = Map.groupBy(ledger.usage(sinceMs, offsets), ({ day }) => day);
  const none = Object.fromEntries(memoryCategories.map((category) => [category, 0]));
  return Array.from({ length: range.last - range.first + 1 }, (_, at): DayJson => {
    const n = range.first + at;
    const day = isoDate(n * msPerDay);
    const times = (channel: string): number =>
      shown.get(n)?.find((row) => row.channel === channel)?.count ?? 0;
    const spent = calls.get(day) ?? [];
    return {
      day,
      created: {
        ...none,
        ...Object.fromEntries((created.get(n) ?? []).map((row) => [row.category, row.count])),
      },
      surfaced: { start: times("start"), prompt: times("prompt"), search: times("search") },
      used: used.get(n)?.[0]?.count ?? 0,
      injections: injected.get(n)?.[0]?.count ?? 0,
      tokens_injected: injected.get(n)?.[0]?.tokens ?? 0,
      tokens_in: spent.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
      tokens_out: spent.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    };
  });
}

const byDay = <Row extends { readonly day: number }>(
  rows: readonly Row[],
): ReadonlyMap<number, readonly Row[]> => Map.groupBy(rows, ({ day }) => day);

function latencyOf([hook, latencies]: readonly [
  hook: string,
  latencies: readonly number[],
]): HookLatencyJson {
  const waitsMs = latencies.toSorted((a, b) => a - b);
  const rank = (share: number): number =>
    waitsMs[Math.min(waitsMs.length - 1, Math.ceil(share * waitsMs.length) - 1)] ?? 0;
  return {
    hook,
    count: waitsMs.length,
    p50_ms: rank(0.5),
    p95_ms: rank(0.95),
    p99_ms: rank(0.99),
    max_ms: waitsMs.at(-1) ?? 0,
    buckets: bucketsMs.map((upTo, at) => ({
      up_to_ms: upTo,
      count: waitsMs.filter((wait) => wait <= upTo && wait > (bucketsMs[at - 1] ?? -1)).length,
    })),
  };
}
