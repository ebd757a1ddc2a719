/** Finds nodes and sessions by a part of what they are called. */
import type { MemoryNode, NodeNames } from "#domain";
import { nodeColumns, nodeFromRow, type NodeRow } from "./node-rows.ts";
import type { Sql, SqlValue } from "./sql.ts";

/** The NodeNames port. `LIKE` is not used: what is typed may hold its signs. */
export function createNodeNames(sql: Sql): NodeNames {
  const leaves = (where: string, ...params: readonly SqlValue[]): readonly MemoryNode[] =>
    sql
      .all<NodeRow>(
        `SELECT ${nodeColumns} FROM mem_nodes n WHERE ${where} AND n.node_type = 'leaf' ORDER BY n.uri LIMIT ?`,
        ...params,
      )
      .map(nodeFromRow);
  // Reads the index of URIs alone until one fits.
  const lastSegment = "replace(n.uri, rtrim(n.uri, replace(n.uri, '/', '')), '')";
  return {
    byUriStart: (start, limit) =>
      leaves("n.uri >= ?1 AND substr(n.uri, 1, length(?1)) = ?1", start, limit),
    byName: (name, limit) => {
      const exact = leaves("substr(n.uri, -length(?1) - 1) = '/' || ?1", name, limit);
      if (exact.length > 0) return exact;
      return leaves(`substr(${lastSegment}, 1, length(?1)) = ?1`, name, limit);
    },
  };
}
