/** Records whose dates lie in the future, since the clock ran ahead when they came: found, and brought back to now. */
import type { FutureDates } from "#domain";
import type { Sql } from "./sql.ts";

/** Columns that tell when something happened. What is planned (`expires_at`, leases) may lie in the future. */
const dateColumns: ReadonlySet<string> = new Set([
  "at_ms",
  "received_at_ms",
  "created_at",
  "updated_at",
  "started_at",
  "ended_at",
  "last_event_at",
  "last_access",
  "finished_at",
]);

interface DateColumn {
  readonly table: string;
  readonly column: string;
}

const columnsOf = (sql: Sql): readonly DateColumn[] =>
  sql
    .all<DateColumn>(
      `SELECT t.name AS "table", c.name AS "column" FROM pragma_table_list t, pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.schema = 'main' AND t.name NOT LIKE 'sqlite_%'`,
    )
    .filter(({ column }) => dateColumns.has(column));

/** Counts what is dated after `afterMs`. */
export function futureDates(sql: Sql, afterMs: number): FutureDates {
  let records = 0;
  let latestMs: number | null = null;
  const tables = Map.groupBy(columnsOf(sql), ({ table }) => table);
  for (const [table, columns] of tables) {
    const isLate = columns.map(({ column }) => `${column} > ?1`).join(" OR ");
    const latest = columns.map(({ column }) => `coalesce(max(${column}), 0)`).join(", ");
    const found = sql.get<{ readonly n: number; readonly latest: number }>(
      `SELECT count(*) AS n, max(${latest}, 0) AS latest FROM ${table} WHERE ${isLate}`,
      afterMs,
    );
    if (found === null || found.n === 0) continue;
    records += found.n;
    latestMs = Math.max(latestMs ?? 0, found.latest);
  }
  const past = sql.get<{ readonly n: number; readonly last: number | null }>(
    "SELECT count(*) AS n, max(received_at_ms) AS last FROM events WHERE received_at_ms <= ?",
    afterMs,
  );
  const ahead = sql.get<{ readonly n: number }>(
    "SELECT count(*) AS n FROM events WHERE received_at_ms > ?",
    afterMs,
  );
  return {
    records,
    latestMs,
    events: ahead?.n ?? 0,
    pastEvents: past?.n ?? 0,
    lastPastMs: past?.last ?? null,
  };
}

/**
 * Dates everything that lies after `nowMs` earlier, all by the same span, so that the latest is now and their order
 * stays. Jobs that they planned become due. Returns how many records changed.
 */
export function repairFutureDates(sql: Sql, nowMs: number): number {
  return sql.atomically(() => {
    const { records, latestMs } = futureDates(sql, nowMs);
    if (latestMs === null) return 0;
    const spanMs = latestMs - nowMs;
    sql.run("UPDATE jobs SET run_after_ms = min(run_after_ms, ?1) WHERE created_at > ?1", nowMs);
    for (const { table, column } of columnsOf(sql))
      sql.run(`UPDATE ${table} SET ${column} = ${column} - ?1 WHERE ${column} > ?2`, spanMs, nowMs);
    return records;
  });
}
