/** Revisions: every change of a node, append-only. Rows are only ever removed by forget. */
import {
  isCategory,
  isWork,
  type ChangeStep,
  type MemoryNode,
  type Revision,
  type RevisionCause,
  type RevisionFields,
  type RevisionLog,
} from "#domain";
import type { Sql, SqlValue } from "./sql.ts";
import { tableOf } from "./tables.ts";

/** Revisions read of one node at a time, the newest. */
const revisionsMax = 1_000;

interface StoredRevision extends Omit<Revision, "fields" | "about"> {
  readonly fields: Readonly<Record<string, unknown>>;
  /** That of its node now. */
  readonly project: string | null;
}

const stored = tableOf<StoredRevision>()(
  "mem_revisions r",
  "id nodeId atMs action by=made_by reason status l0=l0_abstract l1=l1_overview l2=l2_content fields:record project",
  { project: "(SELECT p.project FROM mem_nodes p WHERE p.id = r.node_id)" },
);

/** `rest` stands behind `FROM mem_revisions r`. */
export const revisions = (
  sql: Sql,
  rest: string,
  ...params: readonly SqlValue[]
): readonly Revision[] => stored.all(sql, rest, ...params).map(revisionOf);

export const createRevisionLog = (sql: Sql): RevisionLog => {
  const first = (rest: string, ...params: readonly number[]): Revision | null =>
    revisions(sql, `WHERE ${rest} LIMIT 1`, ...params)[0] ?? null;
  return {
    formerly: (uri) =>
      sql.value<number>(
        "SELECT node_id FROM mem_revisions WHERE fields ->> '$.uri' = ? ORDER BY id DESC LIMIT 1",
        uri,
      ),
    byId: (id) => first("r.id = ?", id),
    latest: (nodeId) => first("r.node_id = ? ORDER BY r.id DESC", nodeId),
    lastChanges: (limit) =>
      revisions(
        sql,
        `WHERE r.action NOT IN ('reinforce', 'expire', 'archive')
           AND (r.made_by = 'user' OR r.status <> 'pending') AND NOT (r.made_by = 'agent' AND r.action = 'retract')
           AND NOT EXISTS (SELECT 1 FROM mem_nodes n WHERE n.id = r.node_id AND n.category = 'sessions')
         ORDER BY r.id DESC LIMIT ?`,
        limit,
      ),
    ...stepReaders(sql),
    between: (from, to) => revisions(sql, "WHERE r.id BETWEEN ? AND ? ORDER BY r.id", from, to),
    standing: (nodeId, atMs) =>
      first("r.node_id = ? AND r.at_ms <= ? ORDER BY r.at_ms DESC, r.id DESC", nodeId, atMs) ??
      first("r.node_id = ? AND r.action = 'create' ORDER BY r.at_ms, r.id", nodeId),
    compact: (slice) => compactRevisions(sql, slice),
    ...turnReaders(sql),
    before: ({ nodeId, id }) => first("r.node_id = ? AND r.id < ? ORDER BY r.id DESC", nodeId, id),
    page: (nodeId, { order, afterId, limit }) =>
      order === "oldest"
        ? revisions(
            sql,
            "WHERE r.node_id = ? AND r.id > ? ORDER BY r.id LIMIT ?",
            nodeId,
            afterId ?? 0,
            limit,
          )
        : revisions(
            sql,
            "WHERE r.node_id = ? AND r.id < ? ORDER BY r.id DESC LIMIT ?",
            nodeId,
            afterId ?? Number.MAX_SAFE_INTEGER,
            limit,
          ),
  };
};

/**
 * `stepReaders` reads the revisions that are one step: a job's, an import's, a consolidation's; of
 * others what they changed at one time.
 */
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
      isWork(by)
        ? revisions(sql, "WHERE r.made_by = ? ORDER BY r.id", by)
        : revisions(sql, "WHERE r.made_by = ? AND r.at_ms = ? ORDER BY r.id", by, atMs),
  }) satisfies Partial<RevisionLog>;

/** Changes that one turn brought about, and how to take them out. */
const turnReaders = (sql: Sql) =>
  ({
    ofTurn: ({ sessionId, n, startedAt, untilMs }) =>
      revisions(
        sql,
        `WHERE r.at_ms >= ?1 AND (r.made_by IN ('signal:' || ?2 || ':' || ?3, 'forget:' || ?2 || ':' || ?3)
           OR r.made_by = 'agent' AND r.at_ms < ?4 AND r.action <> 'supersede'
             AND r.fields ->> '$.evidence[#-1].sessionId' = ?2)
         ORDER BY r.id`,
        startedAt,
        sessionId,
        n,
        Math.min(untilMs, Number.MAX_SAFE_INTEGER),
      ),
    drop: (ids) =>
      void sql.run("DELETE FROM mem_revisions WHERE id IN (SELECT value FROM json_each(?))", ids),
  }) satisfies Partial<RevisionLog>;

/** The last revisions of a node, oldest first. */
export const revisionsOf = (sql: Sql, nodeId: number): readonly Revision[] =>
  createRevisionLog(sql)
    .page(nodeId, { order: "newest", afterId: null, limit: revisionsMax })
    .toReversed();

/** Keeps the full text, and in `fields` the rest of what a patch may change, so that any revision can be restored. */
export function addRevision(sql: Sql, node: MemoryNode, cause: RevisionCause): void {
  const { id: nodeId, status, l0, l1, l2 } = node;
  const { about, ...why } = cause;
  const fields = { ...fieldsOf(node), ...(about === undefined ? {} : { about }) };
  stored.insert(sql, { nodeId, ...why, status, l0, l1, l2, fields });
}

/** Returns the fields besides texts and status that a patch may change. */
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

/** `fields` is JSON that addRevision wrote; only what a category may be has changed its type on the way. */
function revisionOf({ fields: record, project: present, ...rest }: StoredRevision): Revision {
  const { about, ...fields } = record as unknown as RevisionFields & Pick<Revision, "about">;
  const { category } = fields;
  // Revisions of version 1 of the schema know no slot, and none knows its project before a first one is changed.
  const { slot = null, project = present } = fields as Partial<RevisionFields>;
  const known = category !== null && isCategory(category) ? category : null;
  const of = about === undefined ? {} : { about };
  return { ...rest, ...of, fields: { ...fields, slot, project, category: known } };
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
