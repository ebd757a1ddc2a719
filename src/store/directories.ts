/** The directories above a URI. Knows how a `mem://` path is written, not what may stand in it (memory/tree does). */
import { categoryRules, treeRoot, type Category } from "#domain";
import type { Sql } from "./sql.ts";

interface Directory {
  readonly uri: string;
  readonly category: Category | null;
  /** What a listing shows of it. */
  readonly l0: string;
}

/** `mem://user/profile` → `mem://user` → `mem://` → null. */
export function parentOf(uri: string): string | null {
  if (uri === treeRoot) return null;
  const slash = uri.lastIndexOf("/");
  return slash < treeRoot.length ? treeRoot : uri.slice(0, slash);
}

/** Every directory above a leaf, the root first. */
function directoriesOf(leafUri: string): readonly Directory[] {
  const directories: Directory[] = [];
  for (let uri = parentOf(leafUri); uri !== null; uri = parentOf(uri))
    directories.unshift(directoryAt(uri));
  return directories;
}

function directoryAt(uri: string): Directory {
  const rule = Object.values(categoryRules).find(
    ({ root }) => uri === root || uri.startsWith(`${root}/`),
  );
  return {
    uri,
    category: rule?.category ?? null,
    l0: rule?.root === uri ? rule.meaning : (uri.slice(treeRoot.length).split("/").at(-1) ?? ""),
  };
}

/** Makes the directories above a leaf that are not there yet. */
export function addDirectories(sql: Sql, leafUri: string, atMs: number): void {
  const parent = parentOf(leafUri);
  if (sql.get("SELECT 1 FROM mem_nodes WHERE uri = ?", parent) !== null) return;
  for (const { uri, category, l0 } of directoriesOf(leafUri))
    sql.run(
      `INSERT INTO mem_nodes (uri, parent_uri, node_type, category, status, origin, maker, created_at, updated_at,
                              importance, evidence_count, l0_abstract)
       VALUES (?, ?, 'dir', ?, 'active', 'agent', 'manual', ?, ?, 3, 0, ?) ON CONFLICT (uri) DO NOTHING`,
      uri,
      parentOf(uri),
      category,
      atMs,
      atMs,
      l0,
    );
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
