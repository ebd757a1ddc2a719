/** One node whole, as `show` and every change of it answer. */
import { anchorsIn, type Anchor, type Evidence, type MemoryNode, type StoreDep } from "#domain";
import type { LinkJson, NodeJson } from "#api";
import { memoryToJson, tokenCosts } from "./views.ts";

const anchorJson = (anchor: Anchor): NodeJson["anchors"][number] => {
  const { path, symbol, state, commit, branch, movedTo } = anchor;
  return { path, symbol, state, commit, branch, moved_to: movedTo };
};

/** Everything that is known of a node. */
export const nodePage = ({ store }: StoreDep, node: MemoryNode): NodeJson => ({
  ...memoryToJson(node),
  revision: store.history.latest(node.id)?.id ?? 0,
  node_type: node.nodeType,
  given_count: store.exposure.givenCount(node.id),
  l2: node.l2,
  aliases: node.aliases,
  anchors: anchorsIn(node.anchors).map(anchorJson),
  evidence: evidenceOf({ store }, node),
  valid_from: node.validFrom,
  valid_to: node.validTo,
  superseded_by: store.nodes.successors([node.id]).get(node.id)?.uri ?? null,
  links: linksOf({ store }, node),
  tokens: tokenCosts(node),
});

/** A turn's transcript line is known only after its memories are: the client writes the transcript late. */
export const evidenceOf = ({ store }: StoreDep, { evidence }: MemoryNode): readonly Evidence[] =>
  evidence.map(({ sessionId, turn, line, quote }) => ({
    sessionId,
    turn,
    line: line ?? (turn === null ? null : (store.sessions.turn(sessionId, turn)?.line ?? null)),
    quote,
  }));

function linksOf({ store }: StoreDep, node: MemoryNode): readonly LinkJson[] {
  const links = store.nodes.links(node.id);
  const others = links.map(({ fromId, toId }) => (fromId === node.id ? toId : fromId));
  const byId = new Map(store.nodes.byIds(others).map((other) => [other.id, other]));
  return links.flatMap(({ fromId, toId, relation }) => {
    const other = byId.get(fromId === node.id ? toId : fromId);
    if (other === undefined) return [];
    const direction = fromId === node.id ? "to" : "from";
    return [{ relation, direction, uri: other.uri, l0: other.l0 } as const];
  });
}
