/** Nodes of the memory tree: reading them, and the node store as a whole. */
import {
  memoryCategories,
  type MemoryNode,
  type NodeHead,
  type NodeSort,
  type NodeStatus,
  type NodeStore,
  type Page,
  type Revision,
  type RevisionAction,
} from "#domain";
import type { Random } from "#kit";
import { createForget } from "./forget.ts";
import type { IndexWriter } from "./indexes.ts";
import { createLinks } from "./links.ts";
import { leavesWhere, type Where } from "./node-filter.ts";
import { headColumns, nodeColumns, nodeFromRow, type NodeRow } from "./node-rows.ts";
import { createNodeWriter } from "./node-write.ts";
import type { Sql } from "./sql.ts";

type NodeReader = Pick<
  NodeStore,
  | "byId"
  | "byIds"
  | "headsByIds"
  | "textsByIds"
  | "byUri"
  | "children"
  | "countBelow"
  | "list"
  | "count"
  | "countsByCategory"
  | "revisions"
  | "expired"
>;

/** Revisions shown of one node, newest kept. */
const revisionsMax = 1_000;

const sorts: Readonly<Record<NodeSort, { readonly keys: string; readonly order: string }>> = {
  recent: { keys: "n.updated_at", order: "updated_at DESC, id DESC" },
  used: {
    keys: "n.last_access, n.updated_at",
    order: "last_access DESC, updated_at DESC, id DESC",
  },
  importance: {
    keys: "n.importance, n.updated_at",
    order: "importance DESC, updated_at DESC, id DESC",
  },
  uri: { keys: "n.uri", order: "uri" },
};

const allCategories = [...memoryCategories, "sessions"] as const;

/** All of the NodeStore port. */
export const createNodes = (sql: Sql, indexes: IndexWriter, random: Random): NodeStore => ({
  ...createNodeReader(sql),
  ...createNodeWriter(sql, indexes),
  ...createLinks(sql),
  ...createForget(sql, indexes, random),
});

const createNodeReader = (sql: Sql): NodeReader => ({
  ...createTreeReader(sql),
  ...createLists(sql),
  revisions: (id) => revisionsOf(sql, id),
});

const createTreeReader = (
  sql: Sql,
): Pick<
  NodeReader,
  "byId" | "byIds" | "headsByIds" | "textsByIds" | "byUri" | "children" | "countBelow"
> => ({
  byId: (id) => one(sql.get<NodeRow>(`SELECT ${nodeColumns} FROM mem_nodes n WHERE n.id = ?`, id)),
  byIds: (ids) => byIds(sql, ids),
  headsByIds: (ids) => headsByIds(sql, ids),
  textsByIds: (ids) => textsByIds(sql, ids),
  byUri: (uri) =>
    one(sql.get<NodeRow>(`SELECT ${nodeColumns} FROM mem_nodes n WHERE n.uri = ?`, uri)),
  children: (uri, page) =>
    sql
      .all<NodeRow>(
        `SELECT ${nodeColumns} FROM mem_nodes n WHERE n.parent_uri = ? AND n.status <> 'retracted'
          ORDER BY n.node_type, n.uri LIMIT ? OFFSET ?`,
        uri,
        page.limit,
        page.offset,
      )
      .map(nodeFromRow),
  countBelow: (uri) => {
    const prefix = uri.endsWith("/") ? uri : `${uri}/`;
    // "0" follows "/" in ASCII: everything between is below.
    return numberOf(
      sql.get<{ readonly n: number }>(
        `SELECT count(*) AS n FROM mem_nodes
          WHERE uri > ? AND uri < ? AND node_type = 'leaf' AND status <> 'retracted'`,
        prefix,
        `${prefix.slice(0, -1)}0`,
      ),
    );
  },
});

const createLists = (
  sql: Sql,
): Pick<NodeReader, "list" | "count" | "countsByCategory" | "expired"> => ({
  list: (filter, sort, page) => list(sql, leavesWhere(filter), sort, page),
  count: (filter) =>
    leavesWhere(filter).reduce(
      (sum, where) =>
        sum +
        numberOf(
          sql.get<{ readonly n: number }>(
            `SELECT count(*) AS n FROM mem_nodes n WHERE ${where.text}`,
            ...where.params,
          ),
        ),
      0,
    ),
  countsByCategory: (projects) => {
    const counts: Record<string, number> = {};
    for (const where of leavesWhere({ categories: allCategories, projects }))
      for (const { category, n } of sql.all<{ readonly category: string; readonly n: number }>(
        `SELECT n.category, count(*) AS n FROM mem_nodes n WHERE ${where.text} GROUP BY n.category`,
        ...where.params,
      ))
        counts[category] = (counts[category] ?? 0) + n;
    return counts;
  },
  expired: (atMs, limit) =>
    sql
      .all<NodeRow>(
        `SELECT ${nodeColumns} FROM mem_nodes n
          WHERE n.expires_at IS NOT NULL AND n.expires_at < ? AND n.status <> 'retracted' AND n.node_type = 'leaf'
          ORDER BY n.expires_at, n.id LIMIT ?`,
        atMs,
        limit,
      )
      .map(nodeFromRow),
});

/** Sorts by ids and keys alone, which an index may hold, and reads the texts of one page only. */
function list(
  sql: Sql,
  wheres: readonly Where[],
  sort: NodeSort,
  page: Page,
): readonly MemoryNode[] {
  const { keys, order } = sorts[sort];
  const ids = wheres
    .map((where) => `SELECT n.id, ${keys} FROM mem_nodes n WHERE ${where.text}`)
    .join(" UNION ALL ");
  const rows = sql.all<NodeRow>(
    `SELECT ${nodeColumns} FROM (SELECT * FROM (${ids}) ORDER BY ${order} LIMIT ? OFFSET ?) hit
       CROSS JOIN mem_nodes n ON n.id = hit.id`,
    ...wheres.flatMap(({ params }) => params),
    page.limit,
    page.offset,
  );
  return rows.map(nodeFromRow);
}

const one = (row: NodeRow | null): MemoryNode | null => (row === null ? null : nodeFromRow(row));

const numberOf = (row: { readonly n: number } | null): number => row?.n ?? 0;

/** In the order asked for; unknown ids are left out. */
function byIds(sql: Sql, ids: readonly number[]): readonly MemoryNode[] {
  if (ids.length === 0) return [];
  const rows = sql.all<NodeRow>(
    `SELECT ${nodeColumns} FROM json_each(?) j CROSS JOIN mem_nodes n ON n.id = j.value ORDER BY j.key`,
    JSON.stringify(ids),
  );
  return rows.map(nodeFromRow);
}

/** Columns are named as the domain names them, so that a row is a head already. */
const headsByIds = (sql: Sql, ids: readonly number[]): readonly NodeHead[] =>
  sql.all<NodeHead>(
    `SELECT ${headColumns} FROM json_each(?) j CROSS JOIN mem_nodes n ON n.id = j.value`,
    JSON.stringify(ids),
  );

/** Of an overview, so much: common words only settle ties. */
const overviewCharsMax = 2_000;

function textsByIds(sql: Sql, ids: readonly number[]): ReadonlyMap<number, string> {
  const rows = sql.all<{ readonly id: number; readonly text: string }>(
    `SELECT n.id, n.l0_abstract || ' ' || n.aliases || ' ' || n.tags || ' ' || n.files || ' '
                  || coalesce(substr(n.l1_overview, 1, ${overviewCharsMax}), '') AS text
       FROM json_each(?) j CROSS JOIN mem_nodes n ON n.id = j.value`,
    JSON.stringify(ids),
  );
  return new Map(rows.map(({ id, text }) => [id, text]));
}

interface RevisionRow {
  readonly id: number;
  readonly node_id: number;
  readonly at_ms: number;
  readonly action: RevisionAction;
  readonly made_by: string;
  readonly reason: string;
  readonly status: NodeStatus;
  readonly l0_abstract: string;
  readonly l1_overview: string | null;
  readonly l2_content: string | null;
}

/** Oldest first. */
const revisionsOf = (sql: Sql, nodeId: number): readonly Revision[] =>
  sql
    .all<RevisionRow>(
      `SELECT id, node_id, at_ms, action, made_by, reason, status, l0_abstract, l1_overview, l2_content
         FROM mem_revisions WHERE node_id = ? ORDER BY id DESC LIMIT ${revisionsMax}`,
      nodeId,
    )
    .map((row) => ({
      id: row.id,
      nodeId: row.node_id,
      atMs: row.at_ms,
      action: row.action,
      by: row.made_by,
      reason: row.reason,
      l0: row.l0_abstract,
      l1: row.l1_overview,
      l2: row.l2_content,
      status: row.status,
    }))
    .toReversed();
