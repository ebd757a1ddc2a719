/** Nodes of the memory tree: reading and finding them, and the node store as a whole. */
import type { Link, MemoryNode, NodeNames, NodeStore } from "#domain";
import type { Random } from "#kit";
import { createForget } from "./forget.ts";
import type { IndexWriter } from "./indexes.ts";
import type { Memo } from "./node-changes.ts";
import type { Sql, SqlValue } from "./sql.ts";
import { createNodeLists } from "./node-lists.ts";
import { heads, lineColumn, memories } from "./node-rows.ts";
import type { NodeTraits } from "./node-entries.ts";
import { createNodeWriter } from "./directories.ts";
import { revisionsOf } from "./revisions.ts";
import { tableOf } from "./tables.ts";

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
  ...createNodeWriter(sql, indexes),
  ...createLinks(sql),
  ...createNodeNames(sql),
  ...createForget(sql, indexes, random),
});

export const createNodeReader = (sql: Sql, memo: Memo) =>
  ({
    ...createTreeReader(sql, memo),
    ...createNodeLists(sql, memo),
    revisions: (id) => revisionsOf(sql, id),
  }) satisfies Partial<NodeStore>;

const createTreeReader = (sql: Sql, memo: Memo) =>
  ({
    byId: (id) => memories.byId(sql, id),
    byIds: (ids) => (ids.length === 0 ? [] : memories.byIds(sql, ids)),
    headsByIds: (ids) => headsWith(sql, ids, ""),
    headsWithLines: (ids) => headsWith(sql, ids, `, ${lineColumn}`),
    headsWithTexts: (ids) => headsWith(sql, ids, `, ${lineColumn}, ${textColumn}`),
    byUri: (uri) => memories.get(sql, "WHERE n.uri = ?", uri),
    bySlot: (project, slot) =>
      memories.all(
        sql,
        `WHERE n.project IS ? AND n.slot = ? AND n.status = 'active' AND n.node_type = 'leaf' AND n.scope = 'user'
         ORDER BY n.updated_at DESC, n.id DESC LIMIT ${perSlotMax}`,
        project,
        slot,
      ),
    anchored: (project, path, limit) =>
      memories.all(
        sql,
        `WHERE n.project = ? AND n.anchors <> '[]' AND n.node_type = 'leaf' AND n.status = 'active'
           AND instr(n.anchors, ?) > 0
         ORDER BY n.updated_at DESC, n.id DESC LIMIT ?`,
        project,
        // As JSON in JSON, without its quotation marks.
        JSON.stringify(JSON.stringify(path).slice(1, -1)).slice(1, -1),
        limit,
      ),
    children: (uri, page) =>
      memories.all(
        sql,
        `WHERE n.parent_uri = ? AND n.status <> 'retracted' ORDER BY n.node_type, n.uri LIMIT ? OFFSET ?`,
        uri,
        page.limit,
        page.offset ?? 0,
      ),
    countChildren: (uri) =>
      sql.count(
        "SELECT count(*) FROM mem_nodes WHERE parent_uri = ? AND status <> 'retracted'",
        uri,
      ),
    // By the row's key, so that each page costs the same however far on it is.
    leafIds: (afterId, limit, statuses = ["active"]) =>
      sql.column<number>(
        `SELECT id FROM mem_nodes
          WHERE id > ? AND node_type = 'leaf' AND status IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?`,
        afterId,
        statuses,
        limit,
      ),
    countBelow: (uri) => memo(`below ${uri}`, () => countBelow(sql, uri)),
  }) satisfies Partial<NodeStore>;

/** More than one is a conflict, made by hand or by an import. */
const perSlotMax = 10;

/** Directory by directory: their leaves stand in a row in the index, which knows their status. */
const countBelow = (sql: Sql, uri: string): number =>
  sql.count(
    `WITH RECURSIVE dirs (uri) AS (
           SELECT ? UNION ALL
           SELECT n.uri FROM dirs d JOIN mem_nodes n ON n.parent_uri = d.uri AND n.node_type = 'dir')
         SELECT sum((SELECT count(*) FROM mem_nodes n
                      WHERE n.parent_uri = d.uri AND n.node_type = 'leaf' AND n.status <> 'retracted'))
           FROM dirs d`,
    uri,
  );

/** The part of an overview that is indexed: common words only settle ties. */
const overviewCharsMax = 2_000;

const textColumn = `n.l0_abstract || ' ' || n.aliases || ' ' || n.tags || ' ' || n.files || ' '
  || coalesce(substr(n.l1_overview, 1, ${overviewCharsMax}), '') AS text`;

/** Columns are named as the domain names them, so that a row is a head already. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const headsWith = <Head>(sql: Sql, ids: readonly number[], more: string): readonly Head[] =>
  sql.all<Head>(
    `SELECT ${heads.columns}${more} FROM json_each(?) j CROSS JOIN mem_nodes n ON n.id = j.value`,
    ids,
  );

/** The NodeNames port. `LIKE` is not used: what is typed may hold its signs. */
function createNodeNames(sql: Sql): NodeNames {
  const leaves = (where: string, ...params: readonly SqlValue[]): readonly MemoryNode[] =>
    memories.all(sql, `WHERE ${where} AND n.node_type = 'leaf' ORDER BY n.uri LIMIT ?`, ...params);
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
/** One shared use adds this to a `related` link, which never exceeds 1 (docs/design/memory.md, "Links"). */
const usedTogetherWeight = 0.2;

const links = tableOf<Link>()("mem_links l", "fromId toId relation weight createdAt");
const strongestFirst = "ORDER BY weight DESC, createdAt DESC, fromId, toId";

/** The link methods of the node store. A link of a node to itself is ignored. */
export function createLinks(sql: Sql) {
  const put = (link: Link, weight: string): void => {
    if (link.fromId === link.toId) return;
    const rest = `ON CONFLICT (from_id, to_id, relation) DO UPDATE SET weight = ${weight}`;
    links.insert(sql, link, rest);
  };
  return {
    link: (link) => put(link, "excluded.weight"),
    relate: (fromId, toId, relation, createdAt) => {
      // `related` grows with use; a stated link is whole from the start.
      const weight = relation === "related" ? usedTogetherWeight : 1;
      put({ fromId, toId, relation, weight, createdAt }, "min(1.0, weight + excluded.weight)");
    },
    links: (id) =>
      links.all(
        sql,
        `WHERE l.from_id = ?1 UNION ALL SELECT ${links.columns} FROM mem_links l WHERE l.to_id = ?1
         ${strongestFirst} LIMIT ${linksMax}`,
        id,
      ),
    linksOf: (ids, limit) =>
      links.all(
        sql,
        `WHERE l.from_id IN (SELECT value FROM json_each(?1))
         UNION SELECT ${links.columns} FROM mem_links l WHERE l.to_id IN (SELECT value FROM json_each(?1))
         ${strongestFirst} LIMIT ?2`,
        ids,
        limit,
      ),
    doubts: (limit) =>
      links.all(
        sql,
        `WHERE l.relation = 'contradicts' AND l.weight > 0 ORDER BY l.created_at DESC, l.from_id, l.to_id LIMIT ?`,
        limit,
      ),
    doubtsAbout: (olderIds) =>
      links.all(
        sql,
        `WHERE l.to_id IN (SELECT value FROM json_each(?)) AND l.relation = 'contradicts' AND l.weight > 0
         ${strongestFirst}`,
        olderIds,
      ),
    successors: (ids) => successorsOf(sql, ids),
  } satisfies Partial<NodeStore>;
}

function successorsOf(sql: Sql, ids: readonly number[]): ReadonlyMap<number, MemoryNode> {
  const rows = sql.all<{ readonly oldId: number }>(
    `SELECT l.to_id AS oldId, ${memories.columns}
       FROM mem_links l JOIN mem_nodes n ON n.id = l.from_id JOIN mem_nodes old ON old.id = l.to_id
      WHERE old.status = 'superseded' AND l.relation = 'supersedes' AND l.to_id IN (SELECT value FROM json_each(?))
        AND n.status IN ('active', 'superseded')
      ORDER BY l.created_at, n.id`,
    ids,
  );
  // In order of time: the last one to supersede it wins.
  return new Map(rows.map(({ oldId, ...row }) => [oldId, memories.read(row)]));
}
