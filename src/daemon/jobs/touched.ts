/** Whether a memory was used or changed by other than this program's own jobs. */
import { isWork, type MemoryNode, type Store } from "#domain";

/** Who wrote a revision that no person asked for: a job, by its key, or the program itself. */
const isOwn = (by: string): boolean => by === "system" || isWork(by);

/** True when it was used, pinned, edited or reverted: then no job retracts or rewords it. */
export const isTouched = (store: Store, node: MemoryNode): boolean =>
  node.pinned ||
  node.accessCount > 0 ||
  node.lastAccess !== null ||
  store.nodes.revisions(node.id).some(({ by }) => !isOwn(by));
