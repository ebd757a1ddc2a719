/** Figures for people: how much there is, when it came, what was shown and used. */
import {
  type Breakdown,
  type Category,
  type Figures,
  type Maker,
  memoryCategories,
  type NodeStatus,
  type Origin,
} from "#domain";
import { silentPrompt } from "./exposure.ts";
import type { Memo } from "./node-changes.ts";
import type { Sql } from "./sql.ts";

export const createFigures = (sql: Sql, memo: Memo): Figures => ({
  breakdown: () =>
    memo("breakdown", () => {
      const ofTeam = sql.all<TeamCount>(teamCounts);
      return sql.all<BreakdownRow>(breakdown).map((row) => breakdownFromRow(row, ofTeam));
    }),
  inSpan: (sinceMs, untilMs) => sql.all(inSpan, sinceMs, untilMs),
  shown: (sinceMs) =>
    sql.get<ReturnType<Figures["shown"]>>(
      `SELECT count(DISTINCT node_id) AS memories, count(*) AS shown,
              (SELECT count(*) FROM injections WHERE at_ms >= ?1 AND channel = 'hint'
                  AND cause NOT IN ('late', 'failed')) AS hints
         FROM exposures WHERE at_ms >= ?1 AND channel IN ('start', 'prompt', 'search')`,
      sinceMs,
    ) ?? { memories: 0, shown: 0, hints: 0 },
});

const isMemory = "n.node_type = 'leaf' AND n.category <> 'sessions'";

const within = (column: string): string => `${column} >= ?1 AND ${column} < ?2`;

/** Everything by its time, so that a day costs what happened in it. */
const inSpan = `
  SELECT n.project, CASE r.action WHEN 'create' THEN 'learnt' ELSE 'replaced' END AS what, count(*) AS count
    FROM mem_revisions r JOIN mem_nodes n ON n.id = r.node_id
   WHERE ${within("r.at_ms")} AND r.action IN ('create', 'supersede') AND n.status <> 'pending' AND ${isMemory}
   GROUP BY 1, 2
  UNION ALL
  SELECT s.project, CASE WHEN x.tokens > 0 THEN 'given' ELSE 'silent' END, count(*)
    FROM injections x LEFT JOIN sessions s ON s.session_id = x.session_id
   WHERE ${within("x.at_ms")} AND (x.tokens > 0 OR ${silentPrompt}) GROUP BY 1, 2
  UNION ALL
  SELECT s.project, 'tokens', sum(c.tokens_in + c.tokens_out)
    FROM llm_calls c LEFT JOIN sessions s ON s.session_id = c.session_id WHERE ${within("c.at_ms")} GROUP BY 1
  UNION ALL
  SELECT n.project, 'waiting', count(*) FROM mem_nodes n
   WHERE n.category IN (${memoryCategories.map((name) => `'${name}'`).join(", ")})
     AND n.status = 'pending' AND n.node_type = 'leaf' GROUP BY 1`;

/** One pass over the index, in its own order: grouping by more columns would sort a hundred thousand rows. */
const breakdown = `SELECT category, status, count(*) AS count, sum(pinned) AS pinned,
         sum(access_count > 0) AS used, sum(access_count) AS uses,
         sum(origin = 'user') AS user, sum(origin = 'agent') AS agent, sum(origin = 'tool') AS tool,
         sum(maker = 'signal') AS signal, sum(maker = 'stop') AS stop, sum(maker = 'precompact') AS precompact,
         sum(maker = 'extract') AS extract, sum(maker = 'manual') AS manual, sum(maker = 'import') AS import
    FROM mem_nodes WHERE node_type = 'leaf' AND category IS NOT NULL GROUP BY category, status`;

type Counted = "count" | "pinned" | "used" | "uses" | Exclude<Origin, "import" | "team"> | Maker;

type BreakdownRow = Readonly<Record<Counted, number>> & TeamCount;

interface TeamCount {
  readonly category: Category;
  readonly status: NodeStatus;
  readonly count: number;
}

/** Kept apart, so that the index above needs no more columns. */
const teamCounts = `SELECT n.category, n.status, count(*) AS count FROM team_items t
    JOIN mem_nodes n ON n.id = t.node_id
   WHERE n.scope = 'team' GROUP BY 1, 2`;

const ofTeamIn = (row: BreakdownRow, counts: readonly TeamCount[]): number =>
  counts.find(({ category, status }) => category === row.category && status === row.status)
    ?.count ?? 0;

function breakdownFromRow(row: BreakdownRow, counts: readonly TeamCount[]): Breakdown {
  const { category, status, count, pinned, used, uses, user, agent, tool, ...byMaker } = row;
  const team = ofTeamIn(row, counts);
  const byOrigin = { user, agent, tool, import: count - user - agent - tool - team, team };
  return { category, status, count, pinned, used, uses, byOrigin, byMaker };
}
