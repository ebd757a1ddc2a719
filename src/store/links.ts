/** Links between nodes. */
import type { Link, MemoryNode, NodeStore, Relation } from "#domain";
import { nodeColumns, nodeFromRow, type NodeRow } from "./node-rows.ts";
import type { Sql } from "./sql.ts";

/** Links read of one node; the strongest first. */
const linksMax = 200;
/** What one shared use adds to a `related` link, which never exceeds 1 (docs/design/memory.md, "Links"). */
const usedTogetherWeight = 0.2;

interface LinkRow {
  readonly from_id: number;
  readonly to_id: number;
  readonly relation: Relation;
  readonly weight: number;
  readonly created_at: number;
}

/** The link methods of the node store. A link of a node to itself is ignored. */
export const createLinks = (sql: Sql) =>
  ({
    link: (link) => {
      if (link.fromId === link.toId) return;
      sql.run(
        `INSERT INTO mem_links (from_id, to_id, relation, weight, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (from_id, to_id, relation) DO UPDATE SET weight = excluded.weight`,
        link.fromId,
        link.toId,
        link.relation,
        link.weight,
        link.createdAt,
      );
    },
    relate: (fromId, toId, relation, atMs) => {
      if (fromId === toId) return;
      // `related` grows with use; a stated link is whole from the start.
      const weight = relation === "related" ? usedTogetherWeight : 1;
      sql.run(
        `INSERT INTO mem_links (from_id, to_id, relation, weight, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (from_id, to_id, relation) DO UPDATE SET weight = min(1.0, weight + excluded.weight)`,
        fromId,
        toId,
        relation,
        weight,
        atMs,
      );
    },
    links: (id) =>
      sql
        .all<LinkRow>(
          `SELECT from_id, to_id, relation, weight, created_at FROM mem_links WHERE from_id = ?1
         UNION ALL
         SELECT from_id, to_id, relation, weight, created_at FROM mem_links WHERE to_id = ?1
         ORDER BY weight DESC, created_at DESC, from_id, to_id LIMIT ${linksMax}`,
          id,
        )
        .map(linkFromRow),
    linksOf: (ids, limit) =>
      sql
        .all<LinkRow>(
          `SELECT from_id, to_id, relation, weight, created_at FROM mem_links
          WHERE from_id IN (SELECT value FROM json_each(?1))
         UNION
         SELECT from_id, to_id, relation, weight, created_at FROM mem_links
          WHERE to_id IN (SELECT value FROM json_each(?1))
         ORDER BY weight DESC, created_at DESC, from_id, to_id LIMIT ?2`,
          JSON.stringify(ids),
          limit,
        )
        .map(linkFromRow),
    doubts: (limit) => doubtsIn(sql, limit),
    successors: (ids) => successorsOf(sql, ids),
  }) satisfies Partial<NodeStore>;

const doubtsIn = (sql: Sql, limit: number): readonly Link[] =>
  sql
    .all<LinkRow>(
      `SELECT from_id, to_id, relation, weight, created_at FROM mem_links
        WHERE relation = 'contradicts' AND weight > 0 ORDER BY created_at DESC, from_id, to_id LIMIT ?`,
      limit,
    )
    .map(linkFromRow);

function successorsOf(sql: Sql, ids: readonly number[]): ReadonlyMap<number, MemoryNode> {
  const rows = sql.all<NodeRow & { readonly old_id: number }>(
    `SELECT l.to_id AS old_id, ${nodeColumns}
       FROM mem_links l JOIN mem_nodes n ON n.id = l.from_id JOIN mem_nodes old ON old.id = l.to_id
      WHERE old.status = 'superseded' AND l.relation = 'supersedes' AND l.to_id IN (SELECT value FROM json_each(?))
        AND n.status IN ('active', 'superseded')
      ORDER BY l.created_at, n.id`,
    JSON.stringify(ids),
  );
  // In order of time: the last one to supersede it wins.
  return new Map<number, MemoryNode>(rows.map((row) => [row.old_id, nodeFromRow(row)]));
}

const linkFromRow = (row: LinkRow): Link => ({
  fromId: row.from_id,
  toId: row.to_id,
  relation: row.relation,
  weight: row.weight,
  createdAt: row.created_at,
});
