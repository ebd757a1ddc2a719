/** Writing nodes: rows, directories, revisions and index rows move together. */
import {
  categoryRules,
  type MemoryNode,
  type NodeDraft,
  type NodePatch,
  type NodeStore,
  type RevisionCause,
} from "#domain";
import { assert } from "#kit";
import { directoriesOf, parentOf } from "./directories.ts";
import type { IndexWriter } from "./indexes.ts";
import { leanNodeColumns, nodeColumns, nodeFromRow, type NodeRow } from "./node-rows.ts";
import type { Sql } from "./sql.ts";

type NodeWriter = Pick<
  NodeStore,
  "insert" | "update" | "retract" | "use" | "refreshRelevance" | "refreshRelevanceAfter"
>;

/** Rows read at a time while relevance is refreshed: bounds memory, not time. */
const sweepRows = 1_000;

/** The writing half of the node store. Every method is one transaction, or part of the one that is open. */
export function createNodeWriter(sql: Sql, indexes: IndexWriter): NodeWriter {
  const read = (id: number): MemoryNode => {
    const row = sql.get<NodeRow>(`SELECT ${nodeColumns} FROM mem_nodes n WHERE n.id = ?`, id);
    assert(row !== null && row.node_type === "leaf", `node ${id} is a leaf`);
    return nodeFromRow(row);
  };
  const change = (id: number, patch: NodePatch, cause: RevisionCause): MemoryNode => {
    const before = read(id);
    const after = { ...before, ...patch, updatedAt: updatedAt(before, cause) };
    saveNode(sql, after);
    addRevision(sql, after, cause);
    indexes.node(after);
    // The vector is of L0; without one of these words the node must not be found by the old meaning.
    if (after.l0 !== before.l0 || after.status === "retracted")
      sql.run("DELETE FROM mem_vectors WHERE node_id = ?", id);
    return after;
  };
  return {
    insert: (draft, cause) =>
      sql.atomically(() => {
        addDirectories(sql, draft, cause);
        const node = read(addNode(sql, draft, cause));
        addRevision(sql, node, cause);
        indexes.node(node);
        return node;
      }),
    update: (id, patch, cause) => sql.atomically(() => change(id, patch, cause)),
    retract: (id, cause) =>
      void sql.atomically(() => change(id, { status: "retracted", validTo: cause.atMs }, cause)),
    use: (id, atMs) =>
      void sql.run(
        `UPDATE mem_nodes SET last_access = max(coalesce(last_access, 0), ?), access_count = access_count + 1,
                relevance = 1.0 WHERE id = ? AND node_type = 'leaf'`,
        atMs,
        id,
      ),
    refreshRelevance: (relevanceAt) =>
      sql.atomically(() => {
        let changed = 0;
        for (let afterId: number | null = 0; afterId !== null;) {
          const slice = sweep(sql, { afterId, limit: sweepRows }, relevanceAt);
          changed += slice.changed;
          afterId = slice.lastId;
        }
        return changed;
      }),
    refreshRelevanceAfter: (afterId, limit, relevanceAt) =>
      sql.atomically(() => sweep(sql, { afterId, limit }, relevanceAt)),
  };
}

/** A pin says nothing new about the memory: its age stays. */
const updatedAt = (before: MemoryNode, cause: RevisionCause): number =>
  cause.action === "pin" ? before.updatedAt : Math.max(before.createdAt, cause.atMs);

function addDirectories(sql: Sql, draft: NodeDraft, cause: RevisionCause): void {
  const parent = parentOf(draft.uri);
  if (sql.get("SELECT 1 FROM mem_nodes WHERE uri = ?", parent) !== null) return;
  for (const { uri, category, l0 } of directoriesOf(draft.uri))
    sql.run(
      `INSERT INTO mem_nodes (uri, parent_uri, node_type, category, status, origin, maker, created_at, updated_at,
                              importance, evidence_count, l0_abstract)
       VALUES (?, ?, 'dir', ?, 'active', 'agent', 'manual', ?, ?, 3, 0, ?) ON CONFLICT (uri) DO NOTHING`,
      uri,
      parentOf(uri),
      category,
      cause.atMs,
      cause.atMs,
      l0,
    );
}

const json = (value: unknown): string => JSON.stringify(value);

function addNode(sql: Sql, draft: NodeDraft, cause: RevisionCause): number {
  if (draft.project !== null) noteProject(sql, draft.project, cause.atMs);
  const full = { ...draftDefaults, ...draft };
  return sql.run(
    `INSERT INTO mem_nodes (uri, parent_uri, node_type, category, project, branch, status, origin, maker,
       source_session, created_at, updated_at, valid_from, expires_at, importance, evidence_count, pinned, mergeable,
       l0_abstract, tags, files, aliases, anchors, merged_from, evidence, l1_overview, l2_content)
     VALUES (?, ?, 'leaf', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    full.uri,
    parentOf(full.uri),
    full.category,
    full.project,
    full.branch,
    full.status,
    full.origin,
    full.maker,
    full.sourceSession,
    cause.atMs,
    cause.atMs,
    full.validFrom,
    full.expiresAt,
    full.importance,
    Math.max(1, full.evidence.length),
    full.pinned ? 1 : 0,
    categoryRules[full.category].mergeable ? 1 : 0,
    full.l0,
    json(full.tags),
    json(full.files),
    json(full.aliases),
    json(full.anchors),
    json(full.mergedFrom),
    json(full.evidence),
    full.l1,
    full.l2,
  ).lastId;
}

const draftDefaults = {
  branch: null,
  l1: null,
  l2: null,
  aliases: [],
  importance: 3,
  tags: [],
  files: [],
  anchors: [],
  pinned: false,
  status: "active",
  validFrom: null,
  expiresAt: null,
  sourceSession: null,
  evidence: [],
  mergedFrom: [],
} as const;

/** Memories can name a project before any session of it was seen (imports); a session brings its proper name. */
const noteProject = (sql: Sql, key: string, atMs: number): void =>
  void sql.run(
    "INSERT INTO projects (key, name, first_seen) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING",
    key,
    key.split("/").at(-1) ?? key,
    atMs,
  );

/** Writes what a patch may change. */
const saveNode = (sql: Sql, node: MemoryNode): void =>
  void sql.run(
    `UPDATE mem_nodes SET status = ?, origin = ?, updated_at = ?, valid_from = ?, valid_to = ?, expires_at = ?,
       importance = ?, evidence_count = ?, pinned = ?, l0_abstract = ?, tags = ?, files = ?, aliases = ?, anchors = ?,
       merged_from = ?, evidence = ?, l1_overview = ?, l2_content = ? WHERE id = ?`,
    node.status,
    node.origin,
    node.updatedAt,
    node.validFrom,
    node.validTo,
    node.expiresAt,
    node.importance,
    node.evidenceCount,
    node.pinned ? 1 : 0,
    node.l0,
    json(node.tags),
    json(node.files),
    json(node.aliases),
    json(node.anchors),
    json(node.mergedFrom),
    json(node.evidence),
    node.l1,
    node.l2,
    node.id,
  );

/** The full text, and in `fields` the rest of what a patch may change, so that any revision can be restored. */
const addRevision = (sql: Sql, node: MemoryNode, cause: RevisionCause): void =>
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
    json({
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
    }),
  );

interface RelevanceChange {
  readonly id: number;
  readonly relevance: number;
}

/** Visits leaves in order of id, without their long texts. */
function sweep(
  sql: Sql,
  { afterId, limit }: { readonly afterId: number; readonly limit: number },
  relevanceAt: (node: MemoryNode) => number,
): ReturnType<NodeStore["refreshRelevanceAfter"]> {
  const rows = sql.all<NodeRow>(
    `SELECT ${leanNodeColumns} FROM mem_nodes n WHERE n.id > ? AND n.node_type = 'leaf' ORDER BY n.id LIMIT ?`,
    afterId,
    limit,
  );
  const changes = rows.map(nodeFromRow).flatMap((node): readonly RelevanceChange[] => {
    const relevance = relevanceAt(node);
    return relevance === node.relevance ? [] : [{ id: node.id, relevance }];
  });
  for (const { id, relevance } of changes)
    sql.run("UPDATE mem_nodes SET relevance = ? WHERE id = ?", relevance, id);
  return { changed: changes.length, lastId: rows.at(-1)?.id ?? null };
}
