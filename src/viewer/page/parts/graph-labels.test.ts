import { expect, test } from "bun:test";
import type { GraphJson } from "#api";
import { labelsOf, lineHeight, linesOf } from "./graph-labels.ts";
import { layOut } from "./graph-layout.ts";

const measure = (text: string): number => text.length * 7;

/** One in the middle, `near` around it, `far` behind the first of those. */
function star(near: number, far: number): GraphJson {
  const node = (name: string, depth: number) =>
    ({
      uri: `mem://user/entities/${name}`,
      l0: `Memory ${name} says something of some length`,
      category: "entities",
      project: null,
      status: "active",
      importance: 3,
      depth,
    }) as const;
  const around = Array.from({ length: near }, (_, at) => node(`n${at}`, 1));
  const behind = Array.from({ length: far }, (_, at) => node(`f${at}`, 2));
  const middle = node("m", 0);
  const edge = (from: string, to: string) =>
    ({ from, to, relation: "related", weight: 1, created_at: 0 }) as const;
  return {
    uri: middle.uri,
    nodes: [middle, ...around, ...behind],
    edges: [
      ...around.map(({ uri }) => edge(middle.uri, uri)),
      ...behind.map(({ uri }) => edge(around[0]?.uri ?? "", uri)),
    ],
    truncated: false,
  };
}

test.each([
  [1, 0, 680],
  [4, 3, 680],
  [30, 60, 680],
  [8, 4, 320],
  [3, 0, 0],
])("names of %d and %d memories lie in %d pixels, and none over another", (near, far, width) => {
  const graph = star(near, far);
  const size = { width, height: 440 };
  const labels = labelsOf(graph, { places: layOut(graph, size), size }, measure);
  const boxes = [...labels.values()].map(({ x, y, lines }) => {
    const half = Math.max(...lines.map(measure)) / 2;
    return {
      left: x - half,
      right: x + half,
      top: y - 12,
      bottom: y - 12 + lines.length * lineHeight,
    };
  });
  for (const [at, box] of boxes.entries()) {
    expect(box.left).toBeGreaterThanOrEqual(0);
    expect(box.right).toBeLessThanOrEqual(width);
    for (const other of boxes.slice(at + 1))
      expect(
        box.left < other.right &&
          other.left < box.right &&
          box.top < other.bottom &&
          other.top < box.bottom,
      ).toBe(false);
  }
  if (width > 0) expect(labels.has(graph.uri)).toBe(true);
});

test.each([
  ["Uses pnpm", ["Uses pnpm"]],
  [
    "The staging database of shop listens on port 5433",
    ["The staging database of", "shop listens on port…"],
  ],
  ["Two lines of words that fit just", ["Two lines of words that", "fit just"]],
  ["Donaudampfschifffahrtsgesellschaft", ["Donaudampfschifffahrtsg…"]],
  ["  ", []],
])("%s as a name", (text, lines) => {
  expect(linesOf(text)).toEqual(lines);
});
