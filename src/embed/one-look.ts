/**
 * Nearest neighbours for one look at few vectors: the same answers as the index gives, without filling and compiling it
 * first. Each further look costs what the first did.
 */
import type { VectorIndex } from "#domain";
import { rowBytes } from "./dot-kernel.ts";
import { createTopList } from "./top-list.ts";
import { quantiseQuery, unitScale } from "./vector-index.ts";

/** More vectors than this are quicker looked through by the index. */
export const oneLookMax = 4_096;

export interface StoredVector {
  readonly nodeId: number;
  readonly components: Int8Array;
}

/** What is looked in: vectors of one dimension, each of another node. */
export function createOneLook(
  dimension: number,
  rows: readonly StoredVector[],
): Pick<VectorIndex, "nearest" | "similarity" | "size"> {
  const byId = new Map(rows.map(({ nodeId, components }) => [nodeId, components]));
  return {
    size: () => byId.size,
    nearest: (query, limit, given) => {
      const among = given === null ? null : new Set<number>(given);
      const values = new Int16Array(dimension);
      const stride = Math.ceil(dimension / rowBytes) * rowBytes;
      const queryScale = quantiseQuery(query, values, stride);
      const top = createTopList(limit);
      for (const [nodeId, components] of byId)
        if (among === null || among.has(nodeId))
          top.add(nodeId, scaledDot(values, components, queryScale));
      return top.list();
    },
    similarity: (query, nodeId) => {
      const components = byId.get(nodeId);
      return components === undefined ? null : dot(query, components) * f32(unitScale(components));
    },
  };
}

/** The index keeps scales in 32 bits. */
const f32 = Math.fround;

/** `dot · queryScale · unitScale` in one pass over the row. */
function scaledDot(query: Int16Array, row: Int8Array, queryScale: number): number {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < row.length; i += 1) {
    const component = row[i] as number;
    sum += (query[i] as number) * component;
    squares += component * component;
  }
  return sum * queryScale * f32(squares === 0 ? 0 : 1 / Math.sqrt(squares));
}

function dot(query: Float32Array, row: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < row.length; i += 1) sum += (query[i] ?? 0) * (row[i] ?? 0);
  return sum;
}
