/** Revisions: every change of a node, append-only. Rows are only ever removed by forget. */
import {
  isCategory,
  isWork,
  type ChangeStep,
  type MemoryNode,
  type NodeStatus,
  type Revision,
  type RevisionAction,
  type RevisionCause,
  type RevisionFields,
  type RevisionLog,
} from "#domain";
import { recordOf, type Sql } from "./sql.ts";

/** Revisions read of one node at a time, the newest. */
const revisionsMax = 1_000;

export interface RevisionRow {
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
  readonly fields: string;
  /** That of its node now. */
  readonly project: string | null;
}

/** The columns of a row, of the table by this name. */
export const revisionColumns = (table: string): string =>
  `${table}.id, ${table}.node_id, ${table}.at_ms, ${table}.action, ${table}.made_by, ${table}.reason, ${table}.status,
   ${table}.l0_abstract, ${table}.l1_overview, ${table}.l2_content, ${table}.fields,
   (SELECT p.project FROM mem_nodes p WHERE p.id = ${table}.node_id) AS project`;

const columns = revisionColumns("mem_revisions");

/** The RevisionLog port. */
export const createRevisionLog = (sql: Sql): RevisionLog => {
  const first = (rest: string, ...params: readonly number[]): Revision | null => {
    const row = sql.get<RevisionRow>(`SELECT ${columns} FROM mem_revisions ${rest}`, ...params);
    return row === null ? null : revisionFromRow(row);
  };
  return {
    formerly: (uri) =>
      sql.get<{ readonly node_id: number }>(
        "SELECT node_id FROM mem_revisions WHERE fields ->> '$.uri' = ? ORDER BY id DESC LIMIT 1",
        uri,
      )?.node_id ?? null,
    byId: (id) => first("WHERE id = ?", id),
    latest: (nodeId) => first("WHERE node_id = ? ORDER BY id DESC LIMIT 1", nodeId),
    lastChanges: (limit) =>
      sql
        .all<RevisionRow>(
          `SELECT ${columns} FROM mem_revisions
            WHERE action NOT IN ('reinforce', 'expire', 'archive')
              AND (made_by = 'user' OR status <> 'pending') AND NOT (made_by = 'agent' AND action = 'retract')
              AND NOT EXISTS (SELECT 1 FROM mem_nodes n WHERE n.id = mem_revisions.node_id AND n.category = 'sessions')
            ORDER BY id DESC LIMIT ?`,
          limit,
        )
        .map(revisionFromRow),
    ...stepReaders(sql),
    between: (first, last) =>
      sql
        .all<RevisionRow>(
          `SELECT ${columns} FROM mem_revisions WHERE id BETWEEN ? AND ? ORDER BY id`,
          first,
          last,
        )
        .map(revisionFromRow),
    standing: (nodeId, atMs) =>
      first(
        "WHERE node_id = ? AND at_ms <= ? ORDER BY at_ms DESC, id DESC LIMIT 1",
        nodeId,
        atMs,
      ) ?? first("WHERE node_id = ? AND action = 'create' ORDER BY at_ms, id LIMIT 1", nodeId),
    compact: (slice) => compactRevisions(sql, slice),
    before: ({ nodeId, id }) =>
      first("WHERE node_id = ? AND id < ? ORDER BY id DESC LIMIT 1", nodeId, id),
    page: (nodeId, { order, afterId, limit }) =>
      (order === "oldest"
        ? sql.all<RevisionRow>(
            `SELECT ${columns} FROM mem_revisions WHERE node_id = ? AND id > ? ORDER BY id LIMIT ?`,
            nodeId,
            afterId ?? 0,
            limit,
          )
        : sql.all<RevisionRow>(
            `SELECT ${columns} FROM mem_revisions WHERE node_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
            nodeId,
            afterId ?? Number.MAX_SAFE_INTEGER,
            limit,
          )
      ).map(revisionFromRow),
  };
};

/** Whose changes are one step: a job's, an import's, a consolidation's; of others what they changed at one time. */
const stepReaders = (sql: Sql) =>
  ({
    steps: (limit) =>
      sql.all<ChangeStep>(
        `SELECT max(r.id) AS lastId, count(DISTINCT r.node_id) AS nodes
         FROM mem_revisions r JOIN mem_nodes n ON n.id = r.node_id
        WHERE r.action NOT IN ('reinforce', 'expire') AND n.category <> 'sessions'
        GROUP BY r.made_by, CASE WHEN instr(r.made_by, ':') > 0 THEN 0 ELSE r.at_ms END
        ORDER BY lastId DESC LIMIT ?`,
        limit,
      ),
    ofStep: (by, atMs) =>
      sql
        .all<RevisionRow>(
          `SELECT ${columns} FROM mem_revisions WHERE made_by = ? ${isWork(by) ? "" : "AND at_ms = ?"} ORDER BY id`,
          by,
          ...(isWork(by) ? [] : [atMs]),
        )
        .map(revisionFromRow),
  }) satisfies Partial<RevisionLog>;

/** The last revisions of a node, oldest first. */
export const revisionsOf = (sql: Sql, nodeId: number): readonly Revision[] =>
  createRevisionLog(sql)
    .page(nodeId, { order: "newest", afterId: null, limit: revisionsMax })
    .toReversed();

/** Keeps the full text, and in `fields` the rest of what a patch may change, so that any revision can be restored. */
export const addRevision = (sql: Sql, node: MemoryNode, cause: RevisionCause): void =>
  void sql.run(
    `INSERT INTO mem_revisions (node_id, at_ms, action, made_by, reason, status, l0_abstract, l1_overview, l2_content,
                                fields) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    node.id,
    cause.atMs,
    cause.action,
    cause.by,
    cause.reason,
    node.status,
    node.l0,
    node.l1,
    node.l2,
    JSON.stringify(fieldsOf(node)),
  );

const fieldsOf = (node: MemoryNode): RevisionFields => ({
  uri: node.uri,
  category: node.category,
  project: node.project,
  aliases: node.aliases,
  importance: node.importance,
  evidenceCount: node.evidenceCount,
  tags: node.tags,
  files: node.files,
  anchors: node.anchors,
  pinned: node.pinned,
  origin: node.origin,
  validFrom: node.validFrom,
  validTo: node.validTo,
  expiresAt: node.expiresAt,
  evidence: node.evidence,
  mergedFrom: node.mergedFrom,
  slot: node.slot,
});

export const revisionFromRow = (row: RevisionRow): Revision => ({
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
  fields: fieldsFrom(row),
});

/** `fields` is JSON that addRevision wrote; only what a category may be has changed its type on the way. */
function fieldsFrom({ fields: text, project: present }: RevisionRow): RevisionFields {
  const fields = recordOf(text) as unknown as RevisionFields;
  const { category } = fields;
  // Revisions of version 1 of the schema know no slot, and none knows its project before a first one is changed.
  const { slot = null, project = present } = fields as Partial<RevisionFields>;
  return {
    ...fields,
    slot,
    project,
    category: category !== null && isCategory(category) ? category : null,
  };
}

// Old history made small: revisions that left a memory saying the same, in the same place and state, become one. What
// changed, when and by whom stays; how often it was confirmed in between goes.

interface Row {
  readonly id: number;
  readonly at_ms: number;
  /** All that a reader of that time would have seen. */
  readonly said: string;
}

/** Fields that count or point and say nothing. */
const counters = ["evidenceCount", "evidence", "anchors", "aliases"];

/**
 * Looks at `limit` memories behind `afterId`. A run of revisions older than `beforeMs` (epoch ms) that say the same
 * becomes its first one. The last revision of a memory is never touched.
 */
function compactRevisions(
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
