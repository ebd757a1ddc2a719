/**
 * Memories that may have replaced an older one (relation `contradicts`, see merge/plan.ts): the newer counts as current
 * until a person or a model decides.
 */
import type { Link, MemoryNode, NodeStore } from "#domain";

/** Weight of a pair that was decided: both hold. */
export const settledWeight = 0;

const linksMax = 500;

export const isDoubt = ({ relation, weight }: Link): boolean =>
  relation === "contradicts" && weight > settledWeight;

/** Open pairs in which any of these memories stands, the strongest first. */
export const doubtsOf = (
  nodes: Pick<NodeStore, "linksOf">,
  ids: readonly number[],
): readonly Link[] => (ids.length === 0 ? [] : nodes.linksOf(ids, linksMax).filter(isDoubt));

/** For each of these memories that stands in an open pair as the older one, the newer one in force. */
export function newerOf(
  nodes: Pick<NodeStore, "linksOf" | "byIds">,
  ids: readonly number[],
): ReadonlyMap<number, MemoryNode> {
  const asked = new Set(ids);
  const pairs = doubtsOf(nodes, ids).filter(({ toId }) => asked.has(toId));
  if (pairs.length === 0) return new Map();
  const newer = new Map(
    nodes
      .byIds(pairs.map(({ fromId }) => fromId))
      .filter(({ status }) => status === "active")
      .map((node) => [node.id, node]),
  );
  return new Map(
    pairs.flatMap(({ fromId, toId }) => {
      const node = newer.get(fromId);
      return node === undefined ? [] : [[toId, node] as const];
    }),
  );
}
