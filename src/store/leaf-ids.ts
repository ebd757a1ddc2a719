/** Leaves in the order they were made, for work that goes over all of them a slice at a time. */
import type { NodeStore } from "#domain";
import type { Sql } from "./sql.ts";

/** See the port. By the row's key, so that each page costs the same however far on it is. */
export const leafIdsOf =
  (sql: Sql): NodeStore["leafIds"] =>
  (afterId, limit, statuses = ["active"]) =>
    sql
      .all<{ readonly id: number }>(
        `SELECT id FROM mem_nodes
          WHERE id > ? AND node_type = 'leaf' AND status IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?`,
        afterId,
        JSON.stringify(statuses),
        limit,
      )
      .map(({ id }) => id);
