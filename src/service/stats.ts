/** Figures: what there is, how it came, what was shown and used, what it cost and how long hooks waited. */
import { memoryCategories, type Figures, type LlmLedger, type StoreDep } from "#domain";
import { isoDate, msPerDay, type ClockDep } from "#kit";
import type { HostDep } from "./deps.ts";
import type {
  BudgetJson,
  CountsJson,
  DayJson,
  HookLatencyJson,
  StatsJson,
} from "./json-reports.ts";

export interface StatsApi {
  /** `days`: how far back the daily figures go, today included. */
  readonly stats: (days: number) => StatsJson;
}

type Deps = ClockDep & HostDep & StoreDep;

/** Events of each hook that latencies are told from. */
const waitsMax = 1_000;
/** Upper ends of the classes of a histogram, in ms: the deadlines of hooks are among them (10-capture, "Path"). */
const bucketsMs = [1, 2, 5, 10, 20, 50, 100, 250, 500, 1_500, 60_000] as const;

export const createStatsApi = (deps: Deps): StatsApi => ({ stats: (days) => stats(deps, days) });

function stats(deps: Deps, days: number): StatsJson {
  const { store, clock } = deps;
  const today = Math.floor(clock.nowMs() / msPerDay);
  const sinceMs = (today - days + 1) * msPerDay;
  const { used, shown } = store.figures;
  const { memories, uses } = used();
  const counts = countsOf(store);
  return {
    ...breakdownOf(store.figures),
    counts,
    projects: store.admin.projects(),
    days: daysOf(store, { first: today - days + 1, last: today, sinceMs }),
    surfaced: shown(sinceMs),
    used: { memories, uses, never: Math.max(0, counts.memories - memories) },
    tokens: budgetOf(deps),
    hooks: [...store.events.latencies(waitsMax)].map(latencyOf),
  };
}

/** What is spent of what there may be. */
export const budgetOf = ({ clock, host, store }: Deps): BudgetJson => ({
  tokens_today: store.ledger.tokensSince(Math.floor(clock.nowMs() / msPerDay) * msPerDay, null),
  tokens_per_day: host.model().tokensPerDay,
  tokens_per_session: host.model().tokensPerSession,
});

/** How much there is of everything. */
export function countsOf(store: StoreDep["store"]): CountsJson {
  const { turns, observations, checkpoints } = store.sessions.recordCounts();
  const rows = store.figures.breakdown().filter(({ status }) => isShown(status));
  const count = (fits: (row: (typeof rows)[number]) => boolean): number =>
    rows.filter(fits).reduce((sum, row) => sum + row.count, 0);
  const isArchive = ({ category }: { readonly category: string }): boolean =>
    category === "sessions";
  return {
    memories: count((row) => !isArchive(row)),
    // Moments come from turn ends, narratives from compactions: the maker tells them apart.
    moments: count((row) => isArchive(row) && row.maker === "stop"),
    narratives: count((row) => isArchive(row) && row.maker === "precompact"),
    observations,
    checkpoints,
    sessions: store.sessions.count(),
    turns,
    events: store.events.count(),
  };
}

/** What holds and what held; `pending` and `retracted` are counted by status alone. */
const isShown = (status: string): boolean => status === "active" || status === "superseded";

function breakdownOf(
  figures: Figures,
): Pick<StatsJson, "by_category" | "by_status" | "by_origin" | "by_maker" | "pinned"> {
  const all = figures.breakdown();
  const memories = all.filter(({ category }) => category !== "sessions");
  const shown = memories.filter(({ status }) => isShown(status));
  type Row = (typeof all)[number];
  const by = (
    rows: readonly Row[],
    keyOf: (row: Row) => string,
    keys: readonly string[],
  ): Readonly<Record<string, number>> => {
    const sums: Record<string, number> = Object.fromEntries(keys.map((key) => [key, 0]));
    for (const row of rows) sums[keyOf(row)] = (sums[keyOf(row)] ?? 0) + row.count;
    return sums;
  };
  return {
    by_category: by(
      all.filter(({ status }) => isShown(status)),
      ({ category }) => category,
      [],
    ),
    by_status: by(memories, ({ status }) => status, statuses),
    by_origin: by(shown, ({ origin }) => origin, origins),
    by_maker: by(shown, ({ maker }) => maker, makers),
    pinned: shown.filter(({ pinned }) => pinned === 1).reduce((sum, row) => sum + row.count, 0),
  };
}

const statuses = ["active", "pending", "superseded", "retracted"];
const origins = ["user", "agent", "tool", "import"];
const makers = ["signal", "stop", "precompact", "extract", "manual", "import"];

function daysOf(
  { figures, ledger }: { readonly figures: Figures; readonly ledger: LlmLedger },
  range: { readonly first: number; readonly last: number; readonly sinceMs: number },
): readonly DayJson[] {
  const { sinceMs } = range;
  const created = byDay(figures.createdByDay(sinceMs));
  const shown = byDay(figures.shownByDay(sinceMs));
  const used = byDay(figures.usedByDay(sinceMs));
  const injected = byDay(figures.injectedByDay(sinceMs));
  const calls = Map.groupBy(ledger.usage(sinceMs), ({ day }) => day);
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
