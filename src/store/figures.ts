/** Figures for people: how much there is, when it came, what was shown and used. */
import { memoryCategories, type Figures } from "#domain";
import { msPerDay } from "#kit";
import { isIn } from "./node-filter.ts";
import type { Sql } from "./sql.ts";

const day = (column: string): string => `${column} / ${msPerDay}`;

/** The Figures port. */
export const createFigures = (sql: Sql): Figures => ({
  ...createDays(sql),
  shown: (sinceMs) =>
    sql.get<{ readonly memories: number; readonly shown: number }>(
      `SELECT count(DISTINCT node_id) AS memories, count(*) AS shown FROM exposures
        WHERE at_ms >= ? AND channel IN ('start', 'prompt', 'search')`,
      sinceMs,
    ) ?? { memories: 0, shown: 0 },
  used: () =>
    sql.get<{ readonly memories: number; readonly uses: number }>(
      `SELECT count(*) AS memories, coalesce(sum(access_count), 0) AS uses FROM mem_nodes
        WHERE access_count > 0 AND category <> 'sessions'`,
    ) ?? { memories: 0, uses: 0 },
  breakdown: () => {
    const [condition, ...params] = isIn("category", [...memoryCategories, "sessions"]);
    return sql.all(
      `SELECT category, status, origin, maker, pinned, count(*) AS count FROM mem_nodes
        WHERE node_type = 'leaf' AND ${condition} GROUP BY category, status, origin, maker, pinned`,
      ...params,
    );
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
        WHERE access_count > 0 AND category <> 'sessions' AND last_access >= ? GROUP BY 1`,
      sinceMs,
    ),
  injectedByDay: (sinceMs) =>
    sql.all(
      `SELECT ${day("at_ms")} AS day, count(*) AS count, sum(tokens) AS tokens FROM injections
        WHERE at_ms >= ? AND tokens > 0 GROUP BY 1`,
      sinceMs,
    ),
});
