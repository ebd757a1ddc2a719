/** Whether anybody but this program's own jobs had to do with a memory. */
import type { MemoryNode, Store } from "#domain";

/** Who wrote a revision that no person asked for: a job, by its key, or the program itself. */
const isOwn = (by: string): boolean => by === "system" || by.includes(":");

/** True when somebody used, pinned, edited or reverted it: then no job takes it back or words it anew. */
export const isTouched = (store: Pick<Store, "nodes">, node: MemoryNode): boolean =>
  node.pinned ||
  node.accessCount > 0 ||
  node.lastAccess !== null ||
  store.nodes.revisions(node.id).some(({ by }) => !isOwn(by));
