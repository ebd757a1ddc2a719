/**
 * Old history made small: revisions that left a memory saying the same, in the same place and state, become one. What
 * changed, when and by whom stays; how often it was confirmed in between goes.
 */
import type { Sql } from "./sql.ts";

interface Row {
  readonly id: number;
  readonly at_ms: number;
  /** All that a reader of that time would have seen. */
  readonly said: string;
}

/** Of the fields, those that count or point and say nothing. */
const counters = ["evidenceCount", "evidence", "anchors", "aliases"];

/**
 * Looks at `limit` memories behind `afterId`. A run of revisions older than `beforeMs` (epoch ms) that say the same
 * becomes its first one. The last revision of a memory is never touched.
 */
export function compactRevisions(
  sql: Sql,
  {
    afterId,
    beforeMs,
    limit,
  }: { readonly afterId: number; readonly beforeMs: number; readonly limit: number },
): { readonly dropped: number; readonly lastId: number | null } {
  const nodes = sql.all<{ readonly id: number; readonly created_at: number }>(
    "SELECT id, created_at FROM mem_nodes WHERE id > ? ORDER BY id LIMIT ?",
    afterId,
    limit,
  );
  let dropped = 0;
  sql.atomically(() => {
    for (const { id, created_at: createdAt } of nodes)
      if (createdAt < beforeMs) dropped += compactOne(sql, id, beforeMs);
  });
  return { dropped, lastId: nodes.length < limit ? null : (nodes.at(-1)?.id ?? null) };
}

const removed = counters.map((name) => `'$.${name}'`).join(", ");

function compactOne(sql: Sql, nodeId: number, beforeMs: number): number {
  const rows = sql.all<Row>(
    `SELECT id, at_ms, json_array(status, l0_abstract, l1_overview, l2_content, json_remove(fields, ${removed})) AS said
       FROM mem_revisions
      WHERE node_id = ?1 AND at_ms < ?2 AND id < (SELECT max(id) FROM mem_revisions WHERE node_id = ?1)
      ORDER BY at_ms, id`,
    nodeId,
    beforeMs,
  );
  let first: Row | undefined;
  let dropped = 0;
  for (const row of rows) {
    // An id that counts down belongs to a history that was put together from two devices: left as it is.
    if (first === undefined || row.said !== first.said || row.id < first.id) {
      first = row;
      continue;
    }
    sql.run("DELETE FROM mem_revisions WHERE id = ?", row.id);
    dropped += 1;
  }
  return dropped;
}
