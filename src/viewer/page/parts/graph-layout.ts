/**
 * Where the memories of a small graph stand: the one asked for in the middle, its neighbours around it, theirs in the
 * same direction further out. The same graph is always the same picture. Pure.
 */
import type { GraphJson } from "#api";

export interface Placed {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Shares of half the picture. */
const innerRing = 0.48;
const outerRing = 0.86;
const fullTurn = 2 * Math.PI;

export function layOut(graph: GraphJson, size: Size): ReadonlyMap<string, Placed> {
  const places = new Map<string, Placed>();
  const at = (angle: number, ring: number): Placed => ({
    x: Math.round(size.width / 2 + Math.cos(angle) * ring * (size.width / 2)),
    y: Math.round(size.height / 2 + Math.sin(angle) * ring * (size.height / 2) * 0.94),
  });
  places.set(graph.uri, at(0, 0));
  const near = graph.nodes.filter(({ depth }) => depth === 1);
  const far = graph.nodes.filter(({ depth }) => depth > 1);
  // A slice of the circle for each neighbour, as wide as what hangs behind it.
  const behind = childrenOf(graph, near, far);
  const weights = near.map(({ uri }) => 1 + (behind.get(uri)?.length ?? 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let angle = -Math.PI / 2;
  near.forEach(({ uri }, index) => {
    const slice = (fullTurn * (weights[index] ?? 1)) / Math.max(1, total);
    places.set(uri, at(angle + slice / 2, innerRing));
    const children = behind.get(uri) ?? [];
    children.forEach((child, position) => {
      places.set(child, at(angle + (slice * (position + 1)) / (children.length + 1), outerRing));
    });
    angle += slice;
  });
  return places;
}

type Nodes = readonly GraphJson["nodes"][number][];

/** Each far memory belongs to the first neighbour that it is linked with. */
function childrenOf(graph: GraphJson, near: Nodes, far: Nodes): ReadonlyMap<string, string[]> {
  const children = new Map<string, string[]>(near.map(({ uri }) => [uri, []]));
  for (const { uri } of far) {
    const edge = graph.edges.find(
      ({ from, to }) => (from === uri && children.has(to)) || (to === uri && children.has(from)),
    );
    if (edge !== undefined) children.get(edge.from === uri ? edge.to : edge.from)?.push(uri);
  }
  return children;
}
