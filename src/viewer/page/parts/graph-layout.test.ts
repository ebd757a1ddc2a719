import { expect, test } from "bun:test";
import type { GraphJson } from "#api";
import { layOut } from "./graph-layout.ts";

const size = { width: 680, height: 440 };
const node = (uri: string, depth: number): GraphJson["nodes"][number] => ({
  uri,
  depth,
  l0: uri,
  category: "cases",
  project: null,
  status: "active",
  importance: 3,
});
const edge = (from: string, to: string): GraphJson["edges"][number] => ({
  from,
  to,
  relation: "related",
  weight: 1,
  created_at: 0,
});
const star = (neighbours: number): GraphJson => ({
  uri: "centre",
  nodes: [node("centre", 0), ...Array.from({ length: neighbours }, (_, n) => node(`n${n}`, 1))],
  edges: Array.from({ length: neighbours }, (_, n) => edge("centre", `n${n}`)),
  truncated: false,
});

test.each([0, 1, 2, 7, 40])(
  "the centre with %d neighbours: all stand inside, none on another",
  (neighbours) => {
    const places = layOut(star(neighbours), size);
    expect(places.size).toBe(neighbours + 1);
    expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(neighbours + 1);
    for (const { x, y } of places.values()) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(size.width);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(size.height);
    }
  },
);

test("what is two steps away stands behind the neighbour it hangs on, and the picture is the same each time", () => {
  const graph: GraphJson = {
    ...star(2),
    nodes: [...star(2).nodes, node("far", 2), node("lost", 2)],
    edges: [...star(2).edges, edge("far", "n1"), edge("n1", "n0")],
  };
  const places = layOut(graph, size);
  const [near, far] = [places.get("n1"), places.get("far")];
  expect(far).toBeDefined();
  expect(Math.sign((near?.x ?? 0) - 340)).toBe(Math.sign((far?.x ?? 0) - 340));
  // Nothing leads to it: it is left out rather than drawn anywhere.
  expect(places.has("lost")).toBe(false);
  expect([...layOut(graph, size)]).toEqual([...places]);
});
