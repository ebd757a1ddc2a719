import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { createVectorIndex } from "./vector-index.ts";

const unit = (values: readonly number[]): Float32Array => {
  const norm = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / norm);
};

/** Deterministic noise, so that a failure repeats. */
const noise = (seed: number, dimension: number): Float32Array => {
  let state = seed * 2_654_435_761 + 1;
  return unit(
    Array.from({ length: dimension }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 31 - 1;
    }),
  );
};

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

test.each([1, 5, 16, 17, 64, 256, 1_024])(
  "finds what an exact float scan finds, at %i dimensions",
  (dimension) => {
    const index = createVectorIndex(dimension);
    const vectors = Array.from({ length: 300 }, (_, i) => noise(i, dimension));
    vectors.forEach((vector, i) => index.put(i, vector));
    const query = noise(7_777, dimension);
    for (const hit of index.nearest(query, 300, null)) {
      const exact = cosine(query, vectors[hit.nodeId] ?? query);
      expect(Math.abs(hit.similarity - exact)).toBeLessThan(0.02);
      const single = index.similarity(query, hit.nodeId) ?? 9;
      expect(Math.abs(single - hit.similarity)).toBeLessThan(0.001);
    }
  },
);

test("more rows than one block holds are all scanned", () => {
  const index = createVectorIndex(16);
  for (let id = 0; id < 9_000; id += 1) index.put(id, noise(id % 100, 16));
  index.put(8_999, noise(424_242, 16));
  expect(index.nearest(noise(424_242, 16), 1, null)[0]?.nodeId).toBe(8_999);
  expect(index.nearest(noise(1, 16), 10_000, null)).toHaveLength(9_000);
});

test("a removed vector is not found again and its neighbours stay themselves", () => {
  const index = createVectorIndex(8);
  for (let id = 0; id < 20; id += 1) index.put(id, noise(id, 8));
  index.remove(3);
  index.remove(3);
  index.remove(19);
  expect(index.size()).toBe(18);
  expect(index.similarity(noise(3, 8), 3)).toBeNull();
  expect(index.nearest(noise(18, 8), 1, null)[0]?.nodeId).toBe(18);
  expect(index.nearest(noise(0, 8), 20, null).map((hit) => hit.nodeId)).not.toContain(3);
});

test("putting twice replaces", () => {
  const index = createVectorIndex(4);
  index.put(1, unit([1, 0, 0, 0]));
  index.put(1, unit([0, 1, 0, 0]));
  expect(index.size()).toBe(1);
  expect(index.similarity(unit([0, 1, 0, 0]), 1)).toBeCloseTo(1, 3);
});

test("the same question again sees what changed in between, with any limit", () => {
  const index = createVectorIndex(4);
  const ids = (limit: number, query = [1, 0, 0, 0]): readonly number[] =>
    index.nearest(unit(query), limit, null).map((hit) => hit.nodeId);
  for (const id of [1, 2, 3]) index.put(id, unit([4, id, 0, 0]));
  expect(ids(3)).toEqual([1, 2, 3]);
  expect(ids(2)).toEqual([1, 2]);
  expect(ids(3, [0, 1, 0, 0])).toEqual([3, 2, 1]);
  expect(ids(2)).toEqual([1, 2]);
  index.put(9, unit([1, 0, 0, 0]));
  expect(ids(2)).toEqual([9, 1]);
  index.remove(1);
  expect(ids(2)).toEqual([9, 2]);
  index.putComponents(7, new Int8Array([127, 0, 0, 0]));
  expect(ids(3)).toEqual([7, 9, 2]);
});

test("equal vectors rank by id whatever the order they came in", () => {
  const index = createVectorIndex(4);
  for (const id of [9, 2, 7, 4]) index.put(id, unit([1, 1, 0, 0]));
  const ids = index.nearest(unit([1, 1, 0, 0]), 3, null).map((hit) => hit.nodeId);
  expect(ids).toEqual([2, 4, 7]);
});

test("only the given nodes are returned, and only as many as asked", () => {
  const index = createVectorIndex(4);
  for (let id = 0; id < 10; id += 1) index.put(id, unit([1, id, 0, 0]));
  const given = new Set([0, 2, 4, 6, 8, 999]);
  const even = index.nearest(unit([1, 9, 0, 0]), 3, given);
  expect(even.map((hit) => hit.nodeId)).toEqual([8, 6, 4]);
  expect(index.nearest(unit([1, 9, 0, 0]), 3, new Set())).toEqual([]);
  const all = new Map(index.nearest(unit([1, 9, 0, 0]), 10, null).map((hit) => [hit.nodeId, hit]));
  for (const hit of even) expect(hit).toEqual(all.get(hit.nodeId) ?? hit);
  expect(index.nearest(unit([1, 0, 0, 0]), 0, null)).toEqual([]);
});

test("among many of very many rows the same are found as among all", () => {
  const index = createVectorIndex(4);
  for (let id = 0; id < 60_000; id += 1) index.put(id, noise(id, 4));
  const query = noise(77_777, 4);
  const thirds = Uint32Array.from({ length: 20_000 }, (_, i) => 3 * i);
  const found = index.nearest(query, 50, thirds);
  const all = index.nearest(query, 60_000, null).filter(({ nodeId }) => nodeId % 3 === 0);
  expect(found).toEqual(all.slice(0, 50));
});

test("a zero vector is similar to nothing", () => {
  const index = createVectorIndex(4);
  index.put(1, new Float32Array(4));
  expect(index.similarity(unit([1, 0, 0, 0]), 1)).toBe(0);
});

test("the best of any contents comes first", () => {
  const vector = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(vector, { minLength: 1, maxLength: 40 }), vector, (rows, asked) => {
      const index = createVectorIndex(6);
      rows.forEach((row, i) => index.put(i, unit(row)));
      const found = index.nearest(unit(asked), 5, null);
      const scores = found.map((hit) => hit.similarity);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(found).toHaveLength(Math.min(5, rows.length));
    }),
    { numRuns: 50 },
  );
});

test("a row that was quantised before is similar to what the float row is similar to", () => {
  const [floats, quantised] = [createVectorIndex(64), createVectorIndex(64)];
  for (let id = 0; id < 50; id += 1) {
    const vector = noise(id, 64);
    floats.put(id, vector);
    quantised.putComponents(
      id,
      Int8Array.from(vector, (value) => Math.round(value * 127)),
    );
  }
  quantised.putComponents(50, new Int8Array(64));
  const query = noise(999, 64);
  const found = new Map(
    quantised.nearest(query, 60, null).map((hit) => [hit.nodeId, hit.similarity]),
  );
  for (const { nodeId, similarity } of floats.nearest(query, 50, null))
    expect(Math.abs((found.get(nodeId) ?? 9) - similarity)).toBeLessThan(0.02);
  expect(found.get(50)).toBe(0);
});

test("ids far apart and removed at random keep their own rows", () => {
  const index = createVectorIndex(8);
  const ids = Array.from({ length: 3_000 }, (_, i) => i * 7_919 + (i % 3) * 4_096);
  for (const id of ids) index.put(id, noise(id, 8));
  for (const id of ids.filter((_, i) => i % 3 === 1)) index.remove(id);
  const kept = ids.filter((_, i) => i % 3 !== 1);
  expect(index.size()).toBe(kept.length);
  for (const id of kept) expect(index.similarity(noise(id, 8), id) ?? 0).toBeGreaterThan(0.98);
});
