/** Figures for people: how much there is, when it came, what was shown and used. */
import type { Breakdown, Figures, Maker, Origin } from "#domain";
import { msPerDay } from "#kit";
import type { Memo } from "./memo.ts";
import type { Sql } from "./sql.ts";

const day = (column: string): string => `${column} / ${msPerDay}`;

/** The Figures port. */
export const createFigures = (sql: Sql, memo: Memo): Figures => ({
  breakdown: () => memo("breakdown", () => sql.all<BreakdownRow>(breakdown).map(breakdownFromRow)),
  ...createDays(sql),
  shown: (sinceMs) =>
    sql.get<{ readonly memories: number; readonly shown: number }>(
      `SELECT count(DISTINCT node_id) AS memories, count(*) AS shown FROM exposures
        WHERE at_ms >= ? AND channel IN ('start', 'prompt', 'search')`,
      sinceMs,
    ) ?? { memories: 0, shown: 0 },
});

/** One pass over the index, in its own order: grouping by more columns would sort a hundred thousand rows. */
const breakdown = `SELECT category, status, count(*) AS count, sum(pinned) AS pinned,
         sum(access_count > 0) AS used, sum(access_count) AS uses,
         sum(origin = 'user') AS user, sum(origin = 'agent') AS agent, sum(origin = 'tool') AS tool,
         sum(maker = 'signal') AS signal, sum(maker = 'stop') AS stop, sum(maker = 'precompact') AS precompact,
         sum(maker = 'extract') AS extract, sum(maker = 'manual') AS manual, sum(maker = 'import') AS import
    FROM mem_nodes WHERE node_type = 'leaf' AND category IS NOT NULL GROUP BY category, status`;

type Counted = "count" | "pinned" | "used" | "uses" | Exclude<Origin, "import"> | Maker;

type BreakdownRow = Readonly<Record<Counted, number>> & Pick<Breakdown, "category" | "status">;

const breakdownFromRow = (row: BreakdownRow): Breakdown => ({
  category: row.category,
  status: row.status,
  count: row.count,
  pinned: row.pinned,
  used: row.used,
  uses: row.uses,
  byOrigin: {
    user: row.user,
    agent: row.agent,
    tool: row.tool,
    import: row.count - row.user - row.agent - row.tool,
  },
  byMaker: {
    signal: row.signal,
    stop: row.stop,
    precompact: row.precompact,
    extract: row.extract,
    manual: row.manual,
    import: row.import,
  },
});

const createDays = (
  sql: Sql,
): Pick<Figures, "createdByDay" | "shownByDay" | "usedByDay" | "injectedByDay"> => ({
  createdByDay: (sinceMs) =>
    sql.all(
      `SELECT ${day("created_at")} AS day, category, count(*) AS count FROM mem_nodes
        WHERE node_type = 'leaf' AND category <> 'sessions' AND created_at >= ? GROUP BY 1, 2`,
      sinceMs,
    ),
  shownByDay: (sinceMs) =>
    sql.all(
      `SELECT ${day("at_ms")} AS day, channel, count(*) AS count FROM exposures
        WHERE at_ms >= ? AND channel IN ('start', 'prompt', 'search') GROUP BY 1, 2`,
      sinceMs,
    ),
  usedByDay: (sinceMs) =>
    sql.all(
      `SELECT ${day("last_access")} AS day, count(*) AS count FROM mem_nodes
        WHERE node_type = 'leaf' AND category <> 'sessions' AND access_count > 0 AND last_access >= ? GROUP BY 1`,
      sinceMs,
    ),
  injectedByDay: (sinceMs) =>
    sql.all(
      `SELECT ${day("at_ms")} AS day, count(*) AS count, sum(tokens) AS tokens FROM injections
        WHERE at_ms >= ? AND tokens > 0 GROUP BY 1`,
      sinceMs,
    ),
});
