/**
 * Exact nearest neighbours in memory: int8 rows, one scale each, scanned whole. At the scale of a person's memories
 * (up to a million) a full scan takes milliseconds and an approximate graph would only lose answers.
 * Must not know about nodes beyond their ids, nor where vectors come from.
 */
import type { VectorIndex } from "#domain";
import { assert } from "#kit";
import {
  createDotKernel,
  createTopList,
  type DotKernel,
  ensureBytes,
  rowBytes,
  type TopList,
} from "./dot-kernel.ts";
import { createSlots, type Slots } from "./slots.ts";

/** Rows scored per kernel call; their scores take 16 KB, which stays in the first-level cache. */
const blockRows = 4_096;
/** Rows that no cache holds: looked up one by one, each waits for its memory. */
const farApartFrom = 50_000;
/**
 * Share of those from which all are scored in order (measured: 100,000 rows take 1.9 ms; looked up one by one, a tenth
 * of them takes 2.3 and a fifth 3.6).
 */
const scannedShare = 0.1;
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
  let last: Nearest | null = null;
  /** A prompt is asked for among memories, among exchanges and for what came later: one scan answers them all. */
  const nearestOfAll = (query: Float32Array, limit: number): Nearest["hits"] => {
    if (last === null || last.limit < limit || !isSame(last.query, query)) {
      const top = createTopList(limit);
      rows.scan(query, top);
      last = { query: query.slice(), limit, hits: top.list() };
    }
    return last.limit === limit ? last.hits : last.hits.slice(0, limit);
  };
  /** Ends the validity of earlier results. */
  const changing =
    <Given extends readonly unknown[]>(change: (...given: Given) => void) =>
    (...given: Given): void => {
      last = null;
      change(...given);
    };
  return {
    size: rows.size,
    put: changing(rows.put),
    putComponents: changing(rows.putComponents),
    remove: changing(rows.remove),
    nearest: (query, limit, among) => {
      assert(query.length === dimension, "the query comes from another embedder");
      if (among === null) return nearestOfAll(query, limit);
      const top = createTopList(limit);
      rows.look(query, top, among instanceof Uint32Array ? among : Uint32Array.from(among));
      return top.list();
    },
    similarity: rows.similarity,
  };
}

interface Nearest {
  readonly query: Float32Array;
  readonly limit: number;
  readonly hits: ReturnType<TopList["list"]>;
}

const isSame = (a: Float32Array, b: Float32Array): boolean =>
  a.every((value, at) => value === b[at]);

/** Rows live in the kernel's memory: [query as int16 | one block of scores | rows]. Slots stay dense. */
function createRows(dimension: number) {
  const stride = Math.ceil(dimension / rowBytes) * rowBytes;
  const scoresAt = stride * 2;
  const rowsAt = scoresAt + blockRows * 4;
  const slots = createSlots();
  const rowAt = (slot: number): number => rowsAt + slot * stride;
  const kernel = createDotKernel();
  // One view of all, renewed when the memory has grown: a view per lookup would cost more than a product.
  let bytes = new Int8Array(kernel.memory.buffer);
  const bytesOf = (slot: number): Int8Array =>
    new Int8Array(kernel.memory.buffer, rowAt(slot), dimension);
  const takeRow = (nodeId: number, length: number): number => {
    assert(length === dimension, "the vector comes from another embedder");
    const slot = slots.take(nodeId);
    if (ensureBytes(kernel.memory, rowAt(slot + 1))) bytes = new Int8Array(kernel.memory.buffer);
    return slot;
  };

  const put: VectorIndex["put"] = (nodeId, vector) => {
    const slot = takeRow(nodeId, vector.length);
    slots.setScale(slot, quantise(vector, int8Max, bytesOf(slot)));
  };

  const putComponents: VectorIndex["putComponents"] = (nodeId, components) => {
    const slot = takeRow(nodeId, components.length);
    bytesOf(slot).set(components);
    slots.setScale(slot, unitScale(components));
  };

  const remove = (nodeId: number): void => {
    const moved = slots.remove(nodeId);
    if (moved !== null) bytesOf(moved.to).set(bytesOf(moved.from));
  };

  const similarity: VectorIndex["similarity"] = (query, nodeId) => {
    const slot = slots.of(nodeId);
    if (slot === null) return null;
    return dotAt(bytes, rowAt(slot), query) * slots.scale(slot);
  };

  const looks = createLooks({ dimension, stride, scoresAt, slots, kernel, rowAt });
  return { size: slots.size, put, putComponents, remove, ...looks, similarity };
}

interface Scanned {
  readonly dimension: number;
  /** Bytes from one row to the next. */
  readonly stride: number;
  readonly scoresAt: number;
  readonly slots: Slots;
  readonly kernel: DotKernel;
  readonly rowAt: (slot: number) => number;
}

function createLooks(scanned: Scanned) {
  const { dimension, stride, scoresAt, slots, kernel, rowAt } = scanned;
  /** Scores of some rows in a line, behind the query in the kernel's memory. */
  const scored = (first: number, count: number): Int32Array => {
    const [rowsAt, rowsEnd] = [rowAt(first), rowAt(first + count)];
    kernel.scan({ queryAt: 0, rowsAt, rowsEnd, dimension: stride, scoresAt });
    return new Int32Array(kernel.memory.buffer, scoresAt, count);
  };
  const ask = (query: Float32Array): number => {
    return quantiseQuery(query, new Int16Array(kernel.memory.buffer, 0, dimension), stride);
  };

  const scanAmong = (query: Float32Array, top: TopList, isAsked: Uint8Array | null): void => {
    const queryScale = ask(query);
    for (let first = 0; first < slots.size(); first += blockRows) {
      const scores = scored(first, Math.min(blockRows, slots.size() - first));
      offer(scores, { first, queryScale, slots, top, isAsked });
    }
  };

  /** Offers the rows of these nodes. */
  const look = (query: Float32Array, top: TopList, among: Uint32Array): void => {
    if (slots.size() >= farApartFrom && among.length > slots.size() * scannedShare)
      return scanAmong(query, top, marked(slots, among));
    const queryScale = ask(query);
    const { memory, scan: dots } = kernel;
    const scores = new Int32Array(memory.buffer, scoresAt, 1);
    const dotAt = (slot: number): number => {
      const rowsAt = rowAt(slot);
      dots({ queryAt: 0, rowsAt, rowsEnd: rowsAt + stride, dimension: stride, scoresAt });
      return scores[0] ?? 0;
    };
    offerSome(among, { dotAt, queryScale, slots, top });
  };

  /** Offers every row that could still get in to the list. */
  const scan = (query: Float32Array, top: TopList): void => scanAmong(query, top, null);
  return { scan, look };
}

function marked(slots: Slots, nodeIds: Uint32Array): Uint8Array {
  const marks = new Uint8Array(slots.size());
  for (let i = 0; i < nodeIds.length; i += 1) {
    const slot = slots.of(nodeIds[i] ?? 0);
    if (slot !== null) marks[slot] = 1;
  }
  return marks;
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
    /** By slot, 1 for rows that may be kept; null = all. */
    readonly isAsked: Uint8Array | null;
  },
): void {
  const { first, queryScale, slots, top, isAsked } = block;
  const scales = slots.scales();
  let least = top.least();
  for (let i = 0; i < scores.length; i += 1) {
    const similarity = (scores[i] ?? 0) * queryScale * (scales[first + i] ?? 0);
    if (similarity < least || isAsked?.[first + i] === 0) continue;
    top.add(slots.idAt(first + i), similarity);
    least = top.least();
  }
}

/** The same for some nodes, whose rows lie anywhere. */
function offerSome(
  nodeIds: Uint32Array,
  rows: {
    readonly dotAt: (slot: number) => number;
    readonly queryScale: number;
    readonly slots: Slots;
    readonly top: TopList;
  },
): void {
  const { dotAt, queryScale, slots, top } = rows;
  const scales = slots.scales();
  let least = top.least();
  for (let i = 0; i < nodeIds.length; i += 1) {
    const nodeId = nodeIds[i] ?? 0;
    const slot = slots.of(nodeId);
    if (slot === null) continue;
    const similarity = dotAt(slot) * queryScale * (scales[slot] ?? 0);
    if (similarity < least) continue;
    top.add(nodeId, similarity);
    least = top.least();
  }
}

/** Dot product of a float query with the row at an address, for the few that are looked up one by one. */
function dotAt(bytes: Int8Array, rowAt: number, query: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < query.length; i += 1) sum += (query[i] ?? 0) * (bytes[rowAt + i] ?? 0);
  return sum;
}

/**
 * Writes the vector with its largest value at `max`. Returns the scale that gives the rounded row the length of the
 * original, so that a vector's similarity with itself stays 1 (0 for a zero vector, which is similar to nothing).
 */
function quantise(vector: Float32Array, max: number, into: Int8Array | Int16Array): number {
  let peak = 0;
  for (let i = 0; i < vector.length; i += 1) peak = Math.max(peak, Math.abs(vector[i] ?? 0));
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
const quantiseQuery = (query: Float32Array, into: Int16Array, length: number): number =>
  quantise(query, Math.min(int16Max, Math.floor(int32Max / (int8Max * length))), into);

/** The scale that gives the components of a unit vector their length back (0 for none at all). */
function unitScale(components: Int8Array): number {
  let squares = 0;
  for (let i = 0; i < components.length; i += 1) squares += (components[i] ?? 0) ** 2;
  return squares === 0 ? 0 : 1 / Math.sqrt(squares);
}
