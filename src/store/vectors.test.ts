import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { cause, draft, tempStore } from "../../test/support/store.ts";
import { quantised } from "./admin.ts";

const vector = fc
  .array(fc.float({ min: -2, max: 2, noNaN: true }), { maxLength: 64 })
  .map((values) => Float32Array.from(values));

test("a vector comes back within half a step of its scale", () => {
  fc.assert(
    fc.property(vector, (given) => {
      const { scale, bytes } = quantised(given);
      const back = Array.from(new Int8Array(bytes.buffer), (component) => component * scale);
      expect(back).toHaveLength(given.length);
      given.forEach((value, i) =>
        expect(Math.abs(value - (back[i] ?? 9))).toBeLessThanOrEqual(scale * 0.501 + 1e-9),
      );
    }),
  );
});

test("vectors of one identity come back for their nodes, one per node", () => {
  using store = tempStore();
  const { id } = store.nodes.insert(draft(), cause());
  store.vectors.put(id, "a", Float32Array.from([1, 0]));
  store.vectors.put(id, "a", Float32Array.from([0, 1]));
  store.vectors.put(id, "b", Float32Array.from([1, 1, 1]));
  expect([...store.vectors.components("c")]).toEqual([]);
  expect([...store.vectors.components("a")]).toEqual([
    { nodeId: id, components: Int8Array.from([0, 127]) },
  ]);
});

test("more vectors than are read at a time all come, while others are written", () => {
  using store = tempStore();
  store.transaction(() => {
    for (let i = 0; i < 2_100; i += 1) {
      const { id } = store.nodes.insert(draft({ uri: `mem://user/entities/e${i}` }), cause());
      store.vectors.put(id, "a", Float32Array.from([i]));
    }
  });
  let seen = 0;
  for (const { nodeId } of store.vectors.components("a")) {
    seen += 1;
    if (seen % 500 === 0) store.vectors.put(nodeId, "b", Float32Array.from([1]));
  }
  expect(seen).toBe(2_100);
});

test("a node without a vector is missing; one of which the embedder knows nothing is not", () => {
  using store = tempStore();
  const ids = ["a", "b", "c"].map(
    (name) =>
      store.nodes.insert(draft({ uri: `mem://user/entities/${name}`, l0: name }), cause()).id,
  );
  store.vectors.put(ids[0]!, "m", Float32Array.from([1]));
  store.vectors.put(ids[1]!, "m", new Float32Array(0));
  expect(store.vectors.missing("m", 0, 9)).toEqual({
    leaves: [{ id: ids[2]!, l0: "c", text: "c" }],
    lastId: ids[2]!,
  });
  expect(store.vectors.missing("other", 0, 2).leaves).toHaveLength(2);
  expect(store.vectors.missing("other", ids[1]!, 2).leaves).toEqual([
    { id: ids[2]!, l0: "c", text: "c" },
  ]);
  expect(store.vectors.missing("m", ids[2]!, 9)).toEqual({ leaves: [], lastId: null });
  expect([...store.vectors.components("m")]).toHaveLength(1);
});

test("a vector of no node is refused", () => {
  using store = tempStore();
  expect(() => store.vectors.put(99, "m", Float32Array.from([1]))).toThrow();
});

test("vectors of other embedders are dropped a few at a time, one's own never", () => {
  using store = tempStore();
  for (const name of ["a", "b", "c"]) {
    const { id } = store.nodes.insert(draft({ uri: `mem://user/entities/${name}` }), cause());
    for (const identity of ["old", "new"]) store.vectors.put(id, identity, Float32Array.from([1]));
  }
  expect([2, 1, 0]).toEqual([0, 0, 0].map(() => store.vectors.dropOthers("new", 2)));
  expect([...store.vectors.components("new")]).toHaveLength(3);
  expect([...store.vectors.components("old")]).toHaveLength(0);
});
