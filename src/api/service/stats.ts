/** Figures: what there is, how it came, what was shown and used. */
import { type Breakdown, makers, nodeStatuses, origins, shownStatuses, type Store } from "#domain";
import { dayStart } from "#kit";
import type { BudgetJson } from "../forms-work.ts";
import type { CountsJson, StatsJson } from "../forms-reports.ts";
import type { Context } from "./context.ts";

/** `days`: how far back is looked for what was shown, today included. */
export function stats(context: Context, days = 30): StatsJson {
  const { store } = context;
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
    surfaced: store.figures.shown(dayStart(context.clock.nowMs(), null, 1 - days)),
    used: {
      memories: used,
      uses: sum(shown, ({ uses }) => uses),
      never: sum(shown, ({ count }) => count) - used,
    },
    tokens: budgetOf(context),
  };
}

/** `budgetOf` gives the spent part of the budget. */
export const budgetOf = ({ clock, models, store }: Context): BudgetJson => ({
  tokens_today: store.ledger.tokensSince(dayStart(clock.nowMs()), null),
  tokens_per_day: models.language().tokensPerDay,
  tokens_per_session: models.language().tokensPerSession,
});

/** `countsOf` counts everything in the store. */
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

/** Shown are the memories that hold and those that held; what waits or was put away is counted by status alone. */
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
