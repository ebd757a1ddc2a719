/**
 * Exact nearest neighbours in memory: int8 rows, one scale each, scanned whole. At the scale of a person's memories
 * (up to a million) a full scan takes milliseconds and an approximate graph would only lose answers.
 * Must not know about nodes beyond their ids, nor where vectors come from.
 */
import type { VectorIndex } from "#domain";
import { assert } from "#kit";
import { createDotKernel, laneBytes, pageBytes } from "./dot-kernel.ts";
import { createSlots, type Slots } from "./slots.ts";
import { createTopList, type TopList } from "./top-list.ts";

/** Rows scored per kernel call; their scores take 16 KB, which stays in the first-level cache. */
const blockRows = 4_096;
const int8Max = 127;
const int16Max = 32_767;
const int32Max = 2_147_483_647;

/**
 * Creates an empty index of vectors with `dimension` values. Similarities are exact to about 0.005 (rows are rounded
 * to 8 bits); equal ones rank by node id, so that the same content gives the same answer whatever the order of puts.
 */
export function createVectorIndex(dimension: number): VectorIndex {
  assert(Number.isInteger(dimension) && dimension > 0, "a vector has at least one dimension");
  const rows = createRows(dimension);
  return {
    size: rows.size,
    put: rows.put,
    putComponents: rows.putComponents,
    remove: rows.remove,
    nearest: (query, limit, allow) => {
      assert(query.length === dimension, "the query comes from another embedder");
      const top = createTopList(limit);
      rows.scan(query, top, allow);
      return top.list();
    },
    similarity: rows.similarity,
  };
}

interface Rows {
  readonly size: () => number;
  readonly put: VectorIndex["put"];
  readonly putComponents: VectorIndex["putComponents"];
  readonly remove: (nodeId: number) => void;
  /** Offers every row that could still get in, and that `allow` lets in, to the list. */
  readonly scan: (query: Float32Array, top: TopList, allow: Allow) => void;
  readonly similarity: (query: Float32Array, nodeId: number) => number | null;
}

type Allow = ((nodeId: number) => boolean) | null;

/** Rows live in the kernel's memory: [query as int16 | one block of scores | rows]. Slots stay dense. */
function createRows(dimension: number): Rows {
  const kernel = createDotKernel();
  const stride = Math.ceil(dimension / laneBytes) * laneBytes;
  const scoresAt = stride * 2;
  const rowsAt = scoresAt + blockRows * 4;
  const slots = createSlots();
  const rowAt = (slot: number): number => rowsAt + slot * stride;
  const bytesOf = (slot: number): Int8Array =>
    new Int8Array(kernel.memory.buffer, rowAt(slot), dimension);
  const takeRow = (nodeId: number, length: number): number => {
    assert(length === dimension, "the vector comes from another embedder");
    const slot = slots.take(nodeId);
    ensureBytes(kernel.memory, rowAt(slot + 1));
    return slot;
  };

  const put: Rows["put"] = (nodeId, vector) => {
    const slot = takeRow(nodeId, vector.length);
    slots.setScale(slot, quantise(vector, int8Max, bytesOf(slot)));
  };

  const putComponents: Rows["putComponents"] = (nodeId, components) => {
    const slot = takeRow(nodeId, components.length);
    bytesOf(slot).set(components);
    slots.setScale(slot, unitScale(components));
  };

  const remove = (nodeId: number): void => {
    const moved = slots.remove(nodeId);
    if (moved !== null) bytesOf(moved.to).set(bytesOf(moved.from));
  };

  const scan: Rows["scan"] = (query, top, allow) => {
    const values = new Int16Array(kernel.memory.buffer, 0, dimension);
    const queryScale = quantiseQuery(query, values, stride);
    for (let first = 0; first < slots.size(); first += blockRows) {
      const count = Math.min(blockRows, slots.size() - first);
      kernel.scan({
        queryAt: 0,
        rowsAt: rowAt(first),
        rowsEnd: rowAt(first + count),
        dimension: stride,
        scoresAt,
      });
      offer(new Int32Array(kernel.memory.buffer, scoresAt, count), {
        first,
        queryScale,
        slots,
        top,
        allow,
      });
    }
  };

  const dot = createRowDot(kernel.memory, dimension);
  const similarity: Rows["similarity"] = (query, nodeId) => {
    const slot = slots.of(nodeId);
    return slot === null ? null : dot(query, rowAt(slot)) * slots.scale(slot);
  };

  return { size: slots.size, put, putComponents, remove, scan, similarity };
}

/**
 * One block's scores to the list. Most rows fail at the first comparison, with the worst kept similarity, so nothing
 * else may happen before it.
 */
function offer(
  scores: Int32Array,
  block: {
    readonly first: number;
    readonly queryScale: number;
    readonly slots: Slots;
    readonly top: TopList;
    readonly allow: Allow;
  },
): void {
  const { first, queryScale, slots, top, allow } = block;
  const scales = slots.scales();
  let least = top.least();
  for (let i = 0; i < scores.length; i += 1) {
    const similarity = (scores[i] ?? 0) * queryScale * (scales[first + i] ?? 0);
    if (similarity < least) continue;
    const nodeId = slots.idAt(first + i);
    if (allow !== null && !allow(nodeId)) continue;
    top.add(nodeId, similarity);
    least = top.least();
  }
}

/** Dot product of a float query with the row at an address, for the few that are looked up one by one. */
function createRowDot(
  memory: WebAssembly.Memory,
  dimension: number,
): (query: Float32Array, rowAt: number) => number {
  // One view of all rows, renewed when the memory has grown: a view per lookup would cost more than the product.
  let bytes = new Int8Array(memory.buffer);
  return (query, rowAt) => {
    if (bytes.buffer !== memory.buffer) bytes = new Int8Array(memory.buffer);
    let sum = 0;
    for (let i = 0; i < dimension; i += 1) sum += (query[i] ?? 0) * (bytes[rowAt + i] ?? 0);
    return sum;
  };
}

/**
 * Writes the vector with its largest value at `max`. Returns the scale that gives the rounded row the length of the
 * original, so that a vector's similarity with itself stays 1 (0 for a zero vector, which is similar to nothing).
 */
function quantise(vector: Float32Array, max: number, into: Int8Array | Int16Array): number {
  let peak = 0;
  for (const value of vector) peak = Math.max(peak, Math.abs(value));
  if (!(peak > 0) || !Number.isFinite(peak)) {
    into.fill(0);
    return 0;
  }
  let squares = 0;
  let rounded = 0;
  for (let i = 0; i < vector.length; i += 1) {
    const value = vector[i] ?? 0;
    const level = Math.round((value * max) / peak);
    into[i] = level;
    squares += value * value;
    rounded += level * level;
  }
  return Math.sqrt(squares / rounded);
}

/** A query as whole numbers, so large that a product with a row of `length` still fits 32 bits. */
export const quantiseQuery = (query: Float32Array, into: Int16Array, length: number): number =>
  quantise(query, Math.min(int16Max, Math.floor(int32Max / (int8Max * length))), into);

/** The scale that gives the components of a unit vector their length back (0 for none at all). */
export function unitScale(components: Int8Array): number {
  let squares = 0;
  for (let i = 0; i < components.length; i += 1) squares += (components[i] ?? 0) ** 2;
  return squares === 0 ? 0 : 1 / Math.sqrt(squares);
}

/** Grows by at least half of what is there, so that filling the index copies each row a bounded number of times. */
function ensureBytes(memory: WebAssembly.Memory, bytes: number): void {
  const have = memory.buffer.byteLength;
  if (bytes <= have) return;
  const wanted = Math.max(bytes, have * 1.5);
  memory.grow(Math.ceil((wanted - have) / pageBytes));
}
