/** The directories above a URI. Knows how a `mem://` path is written, not what may stand in it (memory/tree does). */
import {
  categories,
  type Category,
  categoryRules,
  isSentence,
  type MemoryNode,
  type NodeDraft,
  type NodePatch,
  type NodeStore,
  type Origin,
  projectNameOf,
  type RevisionCause,
  treeRoot,
} from "#domain";
import { assert } from "#kit";
import type { Sql } from "./sql.ts";
import type { IndexWriter } from "./indexes.ts";
import { noteProject } from "./meta.ts";
import { leanColumns, memories, newMemories, patchedMemories } from "./node-rows.ts";
import { addRevision } from "./revisions.ts";

interface Directory {
  readonly uri: string;
  readonly category: Category | null;
  /** The line of a listing. */
  readonly l0: string;
}

/** `mem://user/profile` → `mem://user` → `mem://` → null. */
export function parentOf(uri: string): string | null {
  if (uri === treeRoot) return null;
  const slash = uri.lastIndexOf("/");
  return slash < treeRoot.length ? treeRoot : uri.slice(0, slash);
}

function directoriesOf(leafUri: string): readonly Directory[] {
  const directories: Directory[] = [];
  for (let uri = parentOf(leafUri); uri !== null; uri = parentOf(uri))
    directories.unshift(directoryAt(uri));
  return directories;
}

const categoriesByRoot = categories.map((name) => [name, categoryRules[name]] as const);

function directoryAt(uri: string): Directory {
  const [category, rule] =
    categoriesByRoot.find(([, { root }]) => uri === root || uri.startsWith(`${root}/`)) ?? [];
  return {
    uri,
    category: category ?? null,
    l0: rule?.root === uri ? rule.meaning : (uri.slice(treeRoot.length).split("/").at(-1) ?? ""),
  };
}

function addDirectories(sql: Sql, leafUri: string, atMs: number): void {
  const parent = parentOf(leafUri);
  if (sql.get("SELECT 1 FROM mem_nodes WHERE uri = ?", parent) !== null) return;
  for (const directory of directoriesOf(leafUri)) {
    const row = {
      ...directory,
      parentUri: parentOf(directory.uri),
      nodeType: "dir",
      status: "active",
      origin: "agent",
      maker: "manual",
      createdAt: atMs,
      updatedAt: atMs,
      importance: 3,
      evidenceCount: 0,
    } as const;
    memories.insert(sql, row, "ON CONFLICT (uri) DO NOTHING");
  }
}

/** Removes directories above a leaf that is gone, as far as that leaves them empty: their names are words as well. */
export function dropEmptyAbove(sql: Sql, leafUri: string): void {
  for (
    let above = parentOf(leafUri);
    above !== null && !isLasting(above);
    above = parentOf(above)
  ) {
    const { changes } = sql.run(
      `DELETE FROM mem_nodes WHERE uri = ?1 AND node_type = 'dir'
          AND NOT EXISTS (SELECT 1 FROM mem_nodes WHERE parent_uri = ?1)`,
      above,
    );
    if (changes === 0) return;
  }
}

/** The roots of the tree stay, empty or not. */
const isLasting = (uri: string): boolean =>
  Object.values(categoryRules).some(({ root: one }) => one === uri || one.startsWith(`${uri}/`)) ||
  parentOf(uri) === null;

// Writing nodes: rows, directories, revisions and index rows move together.

/** The writing half of the node store. Every method is one transaction, or part of the one that is open. */
export function createNodeWriter(sql: Sql, indexes: IndexWriter) {
  const read = (id: number): MemoryNode => {
    const node = memories.byId(sql, id);
    assert(node?.nodeType === "leaf", `node ${id} is a leaf`);
    return node;
  };
  const change = (id: number, patch: NodePatch, cause: RevisionCause): MemoryNode => {
    const before = read(id);
    const moved = { ...before, ...patch, updatedAt: updatedAt(before, cause) };
    const after = { ...moved, parentUri: parentOf(moved.uri) };
    if (after.uri !== before.uri) move(sql, before, after);
    if (after.project !== before.project) changeProject(sql, before, after);
    savePatch(sql, patch, after);
    // Memories and the archive have indexes of their own.
    if (isInArchive(before) !== isInArchive(after)) indexes.dropNode(id);
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
        addDirectories(sql, draft.uri, cause.atMs);
        const node = read(addNode(sql, draft, cause));
        addRevision(sql, node, cause);
        indexes.node(node);
        return node;
      }),
    update: (id, patch, cause) => sql.atomically(() => change(id, patch, cause)),
    retract: (id, cause) =>
      void sql.atomically(() => change(id, { status: "retracted", validTo: cause.atMs }, cause)),
    anchor: (id, anchors) =>
      void sql.run("UPDATE mem_nodes SET anchors = ? WHERE id = ?", json(anchors), id),
    use: (id, atMs) =>
      void sql.run(
        `UPDATE mem_nodes SET last_access = max(coalesce(last_access, 0), ?), access_count = access_count + 1,
                relevance = 1.0 WHERE id = ? AND node_type = 'leaf'`,
        atMs,
        id,
      ),
    refreshRelevanceAfter: (afterId, limit, relevanceAt) =>
      sql.atomically(() => sweep(sql, { afterId, limit }, relevanceAt)),
  } satisfies Partial<NodeStore>;
}

const isInArchive = ({ category }: MemoryNode): boolean => category === "sessions";

/** A pin, or another place in the archive, says nothing new about the memory: its age stays. */
const updatedAt = (before: MemoryNode, cause: RevisionCause): number =>
  cause.action === "pin" || cause.action === "archive"
    ? before.updatedAt
    : Math.max(before.createdAt, cause.atMs);

const json = (value: unknown): string => JSON.stringify(value);

function addNode(sql: Sql, draft: NodeDraft, cause: RevisionCause): number {
  if (draft.project !== null) nameProject(sql, draft.project, cause.atMs);
  const full = { ...draftDefaults, ...draft };
  return newMemories.insert(sql, {
    ...full,
    ...originColumns(full.origin),
    parentUri: parentOf(full.uri),
    nodeType: "leaf",
    createdAt: cause.atMs,
    updatedAt: cause.atMs,
    evidenceCount: Math.max(1, full.evidence.length),
    mergeable: categoryRules[full.category].mergeable,
  }).lastId;
}

/** The column of old databases knows four words; what came from a team is told apart by its scope. */
const originColumns = (origin: Origin) =>
  origin === "team"
    ? ({ origin: "import", scope: "team" } as const)
    : ({ origin, scope: "user" } as const);

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
  slot: null,
} as const;

/** Memories can name a project before any session of it was seen (imports); a session brings its proper name. */
const nameProject = (sql: Sql, key: string, atMs: number): void =>
  noteProject(sql, key, projectNameOf(key, key), atMs);

/** Another place in the tree: the category's rules go with it. */
function move(sql: Sql, before: MemoryNode, after: MemoryNode): void {
  assert(after.category !== null, "a leaf has a category");
  assert(
    isInArchive(before) === isInArchive(after) || isSentence(before.uri) || isSentence(after.uri),
    "a memory stays a memory, and the archive an archive, but for sentences",
  );
  addDirectories(sql, after.uri, after.updatedAt);
  sql.run(
    "UPDATE mem_nodes SET uri = ?, parent_uri = ?, category = ?, mergeable = ? WHERE id = ?",
    after.uri,
    after.parentUri,
    after.category,
    categoryRules[after.category].mergeable ? 1 : 0,
    after.id,
  );
  dropEmptyAbove(sql, before.uri);
}

/** Revisions from before projects could change do not name theirs: it was the one that the node has had since. */
function changeProject(sql: Sql, before: MemoryNode, after: MemoryNode): void {
  sql.run(
    `UPDATE mem_revisions SET fields = json_set(fields, '$.project', ?)
      WHERE node_id = ? AND json_type(fields, '$.project') IS NULL`,
    before.project,
    before.id,
  );
  if (after.project !== null) nameProject(sql, after.project, after.updatedAt);
  sql.run("UPDATE mem_nodes SET project = ? WHERE id = ?", after.project, after.id);
}

/** Writes only what a patch names, but for the place: the other columns hold it already. */
function savePatch(sql: Sql, patch: NodePatch, { id, updatedAt: at }: MemoryNode): void {
  const origin = patch.origin === undefined ? {} : originColumns(patch.origin);
  patchedMemories.update(sql, { ...patch, ...origin, updatedAt: at }, id);
}

/** Visits leaves in order of id, without their long texts. */
function sweep(
  sql: Sql,
  { afterId, limit }: { readonly afterId: number; readonly limit: number },
  relevanceAt: (node: MemoryNode) => number,
): ReturnType<NodeStore["refreshRelevanceAfter"]> {
  const rows = sql.all<{ readonly id: number }>(
    `SELECT ${leanColumns} FROM mem_nodes n WHERE n.id > ? AND n.node_type = 'leaf' ORDER BY n.id LIMIT ?`,
    afterId,
    limit,
  );
  const changes = rows.map(memories.read).flatMap((node) => {
    const relevance = relevanceAt(node);
    return relevance === node.relevance ? [] : [{ id: node.id, relevance }];
  });
  for (const { id, relevance } of changes)
    sql.run("UPDATE mem_nodes SET relevance = ? WHERE id = ?", relevance, id);
  return { changed: changes.length, lastId: rows.at(-1)?.id ?? null };
}
