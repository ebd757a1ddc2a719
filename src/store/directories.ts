/** The directories above a URI. Knows how a `mem://` path is written, not what may stand in it (memory/tree does). Pure. */
import { categoryRules, type Category } from "#domain";

const root = "mem://";

export interface Directory {
  readonly uri: string;
  readonly category: Category | null;
  /** What a listing shows of it. */
  readonly l0: string;
}

/** `mem://user/profile` → `mem://user` → `mem://` → null. */
export function parentOf(uri: string): string | null {
  if (uri === root) return null;
  const slash = uri.lastIndexOf("/");
  return slash < root.length ? root : uri.slice(0, slash);
}

/** Every directory above a leaf, the root first. */
export function directoriesOf(leafUri: string): readonly Directory[] {
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
    l0: rule?.root === uri ? rule.meaning : (uri.slice(root.length).split("/").at(-1) ?? ""),
  };
}
