/** A memory as it stood at a time in the past, by its revisions. */
import type { MemoryNode, Revision, RevisionLog } from "#domain";

/** The node as its revision left it. How often it was used, and how relevant it is, are of today. */
const asRevised = (node: MemoryNode, revision: Revision): MemoryNode => {
  const { fields, l0, l1, l2, status, atMs } = revision;
  return { ...node, ...fields, l0, l1, l2, status, updatedAt: Math.max(node.createdAt, atMs) };
};

/** `standing` gives a memory's state at `atMs` (epoch ms); null when it had not been learnt. */
export function standing(
  { history }: { readonly history: RevisionLog },
  node: MemoryNode,
  atMs: number,
): MemoryNode | null {
  if (node.createdAt > atMs) return null;
  const revision = history.standing(node.id, atMs);
  // The first wording has been forgotten since.
  return revision === null ? null : asRevised(node, revision);
}
