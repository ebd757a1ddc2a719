import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { createOneLook } from "./one-look.ts";
import { createVectorIndex } from "./vector-index.ts";

const dimension = 40;
const row = fc.array(fc.integer({ min: -127, max: 127 }), {
  minLength: dimension,
  maxLength: dimension,
});

test("one look gives what the index gives, to the last bit", () => {
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 30 }),
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
        minLength: dimension,
        maxLength: dimension,
      }),
      fc.integer({ min: 0, max: 12 }),
      (all, asked, limit) => {
        const rows = all.map((components, at) => ({
          nodeId: at + 1,
          components: Int8Array.from(components),
        }));
        const query = Float32Array.from(asked);
        const index = createVectorIndex(dimension);
        for (const { nodeId, components } of rows) index.putComponents(nodeId, components);
        const look = createOneLook(dimension, rows);
        expect(look.size()).toBe(index.size());
        expect(look.nearest(query, limit, null)).toEqual(index.nearest(query, limit, null));
        const odd = new Set(rows.map(({ nodeId }) => nodeId).filter((nodeId) => nodeId % 2 === 1));
        expect(look.nearest(query, limit, odd)).toEqual(index.nearest(query, limit, odd));
        for (const id of [0, 1, rows.length])
          expect(look.similarity(query, id)).toBe(index.similarity(query, id));
      },
    ),
  );
});
