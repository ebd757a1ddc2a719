/**
 * A person's decision on two memories that contradict each other, told by the reason of the older one's revision, and
 * the way back from it.
 */
import {
  idOfShort,
  shortIdOf,
  type Link,
  type MemoryNode,
  type Revision,
  type Store,
} from "#domain";
import { settledWeight } from "#memory";

const words = { accept: "replaced by", reject: "holds beside" } as const;

/** `settledReason` words what the revision of the older memory says of its pair. */
export const settledReason = (action: keyof typeof words, newerId: number): string =>
  `${words[action]} ${shortIdOf(newerId)}`;

const told = new RegExp(`^(?:${Object.values(words).join("|")}) (#\\w+)$`, "u");

/** The newer memory of the pair that a revision decided; null = it decided none. */
export function settledWith({ by, reason }: Revision): number | null {
  const [, id] = (by === "user" && told.exec(reason)) || [];
  return id === undefined ? null : idOfShort(id);
}

/** Goes back to before or after a decision, as the memory goes back to a revision: its pair is asked about, or not. */
export function pairComesBack(store: Store, node: MemoryNode, target: Revision): void {
  const pairWith = (newer: number): Link | undefined =>
    store.nodes
      .links(node.id)
      .find(
        (link) => link.relation === "contradicts" && link.fromId === newer && link.toId === node.id,
      );
  const weigh = (newer: number | null, weight: number): void => {
    const pair = newer === null ? undefined : pairWith(newer);
    if (pair !== undefined) store.nodes.link({ ...pair, weight });
  };
  for (
    let at = store.history.latest(node.id);
    at !== null && at.id > target.id;
    at = store.history.before(at)
  )
    weigh(settledWith(at), openWeight);
  weigh(settledWith(target), settledWeight);
}

const openWeight = 1;
