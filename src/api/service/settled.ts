/**
 * A person's decision on two memories that contradict each other, kept with the older one's revision, and the way back
 * from it.
 */
import {
  shortIdOf,
  type Link,
  type MemoryNode,
  type Revision,
  type RevisionCause,
  type Store,
} from "#domain";
import { settledWeight } from "#memory";

const words = { accept: "replaced by", reject: "holds beside" } as const;

/** Part of the cause by which the revision of the older memory tells of its pair. */
export const settledBy = (
  { nodes }: Store,
  action: keyof typeof words,
  newerId: number,
): Pick<RevisionCause, "reason" | "about"> => ({
  reason: `${words[action]} ${shortIdOf(newerId)}`,
  about: { what: "settles", uris: nodes.byIds([newerId]).map(({ uri }) => uri) },
});

/** The newer memory of the pair that a revision decided; null = it decided none. */
export const settledWith = ({ nodes }: Store, { about }: Revision): number | null =>
  (about?.what === "settles" ? about.uris : [])
    .flatMap((uri) => nodes.byUri(uri)?.id ?? [])
    .at(0) ?? null;

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
    weigh(settledWith(store, at), openWeight);
  weigh(settledWith(store, target), settledWeight);
}

const openWeight = 1;
