/** Nodes of the memory tree: reading and finding them, and the node store as a whole. */
import type { Link, MemoryNode, NodeHead, NodeNames, NodeStore, Relation } from "#domain";
import type { Random } from "#kit";
import { createForget } from "./forget.ts";
import type { IndexWriter } from "./indexes.ts";
import type { Memo, Sql, SqlValue } from "./sql.ts";
import { createNodeLists } from "./node-lists.ts";
import { headColumns, lineColumn, nodeColumns, nodeFromRow, type NodeRow } from "./node-rows.ts";
import type { NodeTraits } from "./node-entries.ts";
import { createNodeWriter } from "./directories.ts";
import { revisionsOf } from "./revisions.ts";

/** All of the NodeStore port. */
export const createNodes = (
  sql: Sql,
  indexes: IndexWriter,
  {
    memo,
    traits,
    random,
  }: { readonly memo: Memo; readonly traits: NodeTraits; readonly random: Random },
): NodeStore => ({
  ...createNodeReader(sql, memo),
  passing: (ids, filter) => traits.passing(ids, filter) ?? ids,
  allPassing: traits.allPassing,
  leafIds: leafIdsOf(sql),
  ...createNodeWriter(sql, indexes),
  ...createLinks(sql),
  ...createNodeNames(sql),
  ...createForget(sql, indexes, random),
});

/** What reads nodes. */
export const createNodeReader = (sql: Sql, memo: Memo) =>
  ({
    ...createTreeReader(sql, memo),
    ...createNodeLists(sql, memo),
    revisions: (id) => revisionsOf(sql, id),
  }) satisfies Partial<NodeStore>;

const createTreeReader = (sql: Sql, memo: Memo) =>
  ({
    byId: (id) =>
      one(sql.get<NodeRow>(`SELECT ${nodeColumns} FROM mem_nodes n WHERE n.id = ?`, id)),
    byIds: (ids) => byIds(sql, ids),
    headsByIds: (ids) => headsByIds(sql, ids),
    headsWithLines: (ids) => headsWithLines(sql, ids),
    headsWithTexts: (ids) => headsWithTexts(sql, ids),
    byUri: (uri) =>
      one(sql.get<NodeRow>(`SELECT ${nodeColumns} FROM mem_nodes n WHERE n.uri = ?`, uri)),
    bySlot: (project, slot) =>
      sql
        .all<NodeRow>(
          `SELECT ${nodeColumns} FROM mem_nodes n
          WHERE n.project IS ? AND n.slot = ? AND n.status = 'active' AND n.node_type = 'leaf'
            AND n.scope = 'user'
          ORDER BY n.updated_at DESC, n.id DESC LIMIT ${perSlotMax}`,
          project,
          slot,
        )
        .map(nodeFromRow),
    anchored: (project, path, limit) => anchored(sql, { project, path, limit }),
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
    countChildren: (uri) =>
      numberOf(
        sql.get<{ readonly n: number }>(
          "SELECT count(*) AS n FROM mem_nodes WHERE parent_uri = ? AND status <> 'retracted'",
          uri,
        ),
      ),
    countBelow: (uri) => memo(`below ${uri}`, () => countBelow(sql, uri)),
  }) satisfies Partial<NodeStore>;

/** More than one is a conflict, made by hand or by an import. */
const perSlotMax = 10;

const countBelow = (sql: Sql, uri: string): number =>
  numberOf(
    // Directory by directory: their leaves stand in a row in the index, which knows their status.
    sql.get<{ readonly n: number }>(
      `WITH RECURSIVE dirs (uri) AS (
           SELECT ? UNION ALL
           SELECT n.uri FROM dirs d JOIN mem_nodes n ON n.parent_uri = d.uri AND n.node_type = 'dir')
         SELECT coalesce(sum((SELECT count(*) FROM mem_nodes n
                               WHERE n.parent_uri = d.uri AND n.node_type = 'leaf'
                                 AND n.status <> 'retracted')), 0) AS n
           FROM dirs d`,
      uri,
    ),
  );

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
const anchored = (
  sql: Sql,
  {
    project,
    path,
    limit,
  }: { readonly project: string; readonly path: string; readonly limit: number },
): readonly MemoryNode[] =>
  sql
    .all<NodeRow>(
      `SELECT ${nodeColumns} FROM mem_nodes n
        WHERE n.project = ? AND n.anchors <> '[]' AND n.node_type = 'leaf' AND n.status = 'active'
          AND instr(n.anchors, ?) > 0
        ORDER BY n.updated_at DESC, n.id DESC LIMIT ?`,
      project,
      // As JSON in JSON, without its quotation marks.
      JSON.stringify(JSON.stringify(path).slice(1, -1)).slice(1, -1),
      limit,
    )
    .map(nodeFromRow);

const headsByIds = (sql: Sql, ids: readonly number[]): readonly NodeHead[] =>
  sql.all<NodeHead>(
    `SELECT ${headColumns} FROM json_each(?) j CROSS JOIN mem_nodes n ON n.id = j.value`,
    JSON.stringify(ids),
  );

const headsWithLines = (
  sql: Sql,
  ids: readonly number[],
): readonly (NodeHead & { readonly line: string })[] =>
  sql.all<NodeHead & { readonly line: string }>(
    `SELECT ${headColumns}, ${lineColumn} FROM json_each(?) j CROSS JOIN mem_nodes n ON n.id = j.value`,
    JSON.stringify(ids),
  );

/** Of an overview, so much: common words only settle ties. */
const overviewCharsMax = 2_000;

const headsWithTexts = (
  sql: Sql,
  ids: readonly number[],
): readonly (NodeHead & { readonly line: string; readonly text: string })[] =>
  sql.all<NodeHead & { readonly line: string; readonly text: string }>(
    `SELECT ${headColumns}, ${lineColumn}, n.l0_abstract || ' ' || n.aliases || ' ' || n.tags || ' ' || n.files || ' '
                  || coalesce(substr(n.l1_overview, 1, ${overviewCharsMax}), '') AS text
       FROM json_each(?) j CROSS JOIN mem_nodes n ON n.id = j.value`,
    JSON.stringify(ids),
  );

/** See the port. By the row's key, so that each page costs the same however far on it is. */
const leafIdsOf =
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

/** The NodeNames port. `LIKE` is not used: what is typed may hold its signs. */
function createNodeNames(sql: Sql): NodeNames {
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

// Links between nodes.

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
    doubtsAbout: (olderIds) => doubtsAbout(sql, olderIds),
    successors: (ids) => successorsOf(sql, ids),
  }) satisfies Partial<NodeStore>;

const doubtsAbout = (sql: Sql, olderIds: readonly number[]): readonly Link[] =>
  sql
    .all<LinkRow>(
      `SELECT from_id, to_id, relation, weight, created_at FROM mem_links
        WHERE to_id IN (SELECT value FROM json_each(?)) AND relation = 'contradicts' AND weight > 0
       ORDER BY weight DESC, created_at DESC, from_id, to_id`,
      JSON.stringify(olderIds),
    )
    .map(linkFromRow);

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
