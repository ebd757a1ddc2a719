/** Where a node may stand, and whether it is still the one that the caller has seen. */
import type { Category, MemoryNode, Revision, StoreDep } from "#domain";
import { err, isoDate, ok, type Result } from "#kit";
import { freshLeafUri } from "#memory";
import type { ServiceError } from "./errors.ts";
import { nodeAt } from "./memories.ts";

/** A leaf at a URI that has not changed since `expected` (a revision; null = never mind). */
export function leafToChange(
  deps: StoreDep & { readonly writable: boolean },
  uri: string,
  expected: number | null,
): Result<{ readonly node: MemoryNode; readonly latest: Revision }, ServiceError> {
  if (!deps.writable) return err({ type: "service.read-only" });
  const found = nodeAt(deps, uri);
  if (!found.ok) return found;
  const latest = deps.store.history.latest(found.value.id);
  if (found.value.nodeType === "dir" || latest === null)
    return err({ type: "memory.is-directory", uri });
  if (expected !== null && latest.id !== expected) return err({ type: "memory.changed", uri });
  return ok({ node: found.value, latest });
}

const nameOf = ({ uri }: Pick<MemoryNode, "uri">): string => uri.split("/").at(-1) ?? "";

/** Does its URI hold a word of its line that `l0` has no more? */
export const statesOld = (node: MemoryNode, l0: string): boolean => {
  const [before, now] = [node.l0, l0].map((text) => new Set(slugWords(text)));
  return slugWords(nameOf(node)).some((word) => before?.has(word) && now?.has(word) === false);
};

const slugWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** A free place in a category, under the name that it has or another. */
export const placeIn = (
  { store }: StoreDep,
  node: MemoryNode,
  category: Category,
  slug = nameOf(node),
): string =>
  freshLeafUri(
    {
      category,
      slug,
      project: node.project,
      projectName: node.project?.split(/[/:]/).at(-1) ?? null,
      date: isoDate(node.createdAt),
    },
    (taken) => store.nodes.byUri(taken),
  );
