/**
 * The inner loop of the exact vector scan, as a WebAssembly module assembled here byte by byte: int8 rows times an
 * int16 query with SIMD. Plain TypeScript over floats does the same about nine times slower.
 * Must not know about nodes or ranking: memory in, integer dot products out.
 */

export interface DotKernel {
  readonly memory: WebAssembly.Memory;
  /**
   * Dot products of consecutive int8 rows with the int16 query, as int32.
   * All arguments are byte addresses in `memory` but `dimension`, a multiple of `rowBytes`.
   */
  readonly scan: (range: {
    readonly queryAt: number;
    readonly rowsAt: number;
    readonly rowsEnd: number;
    readonly dimension: number;
    readonly scoresAt: number;
  }) => void;
}

/** Bytes that one SIMD load takes. */
const laneBytes = 16;
/** Two loads in each turn of the inner loop: rows are padded to a multiple of it. */
export const rowBytes = 2 * laneBytes;
const pageBytes = 65_536;

/** The function as the module exports it: the five numbers of `scan`, in order. */
type Scan = (...addresses: readonly number[]) => void;

/** Compiles a fresh kernel with a memory of its own (well under a millisecond). */
export function createDotKernel(): DotKernel {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes()));
  const { m: memory, s: scan } = exports as { m: WebAssembly.Memory; s: Scan };
  return {
    memory,
    scan: (range) =>
      scan(range.queryAt, range.rowsAt, range.rowsEnd, range.dimension, range.scoresAt),
  };
}

/**
 * Grows a kernel's memory where it is too small, by at least half of what is there, so that filling it copies each row
 * a bounded number of times. True when it grew: views of it are no longer valid.
 */
export function ensureBytes(memory: WebAssembly.Memory, bytes: number): boolean {
  const have = memory.buffer.byteLength;
  if (bytes <= have) return false;
  const wanted = Math.max(bytes, have * 1.5);
  memory.grow(Math.ceil((wanted - have) / pageBytes));
  return true;
}

// Indexes of the function's parameters and locals.
const [query, row, rowsEnd, dimension, score, part, rowEnd, sum, lanes] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
];

const op = {
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  end: [0x0b],
  branch: (depth: number) => [0x0c, depth],
  branchIf: (depth: number) => [0x0d, depth],
  get: (local: number) => [0x20, local],
  set: (local: number) => [0x21, local],
  constant: (value: number) => [0x41, ...signed(value)],
  add: [0x6a],
  lessThan: [0x49],
  notLessThan: [0x4f],
  storeInt: [0x36, 2, 0],
  load: (offset: number) => [0xfd, 0x00, 0, offset],
  zeroLanes: [0xfd, 0x0c, ...Array.from({ length: laneBytes }, () => 0)],
  widenLow: [0xfd, 0x87, 0x01],
  widenHigh: [0xfd, 0x88, 0x01],
  dotPairs: [0xfd, 0xba, 0x01],
  addLanes: [0xfd, 0xae, 0x01],
  lane: (index: number) => [0xfd, 0x1b, index],
} as const;

/** One stretch of code out of instructions. */
const code = (...instructions: readonly (readonly number[])[]): readonly number[] =>
  instructions.flat();

const advance = (local: number, bytes: number): readonly number[] =>
  code(op.get(local), op.constant(bytes), op.add, op.set(local));

/** sum += widen(lanes) · query[offset …]: eight products, added in pairs. */
const accumulate = (widen: readonly number[], offset: number): readonly number[] =>
  code(
    code(op.get(sum), op.get(lanes), widen),
    code(op.get(part), op.load(offset)),
    code(op.dotPairs, op.addLanes, op.set(sum)),
  );

/** Products of one load, whose query values lie at `offset`. */
const dotLanes = (from: number, offset: number): readonly number[] =>
  code(
    code(op.get(row), op.load(from), op.set(lanes)),
    accumulate(op.widenLow, offset),
    accumulate(op.widenHigh, offset + laneBytes),
  );

const dotOneRow = code(
  op.loop,
  dotLanes(0, 0),
  dotLanes(laneBytes, 2 * laneBytes),
  advance(part, 2 * rowBytes),
  advance(row, rowBytes),
  code(op.get(row), op.get(rowEnd), op.lessThan, op.branchIf(0)),
  op.end,
);

const sumLanes = code(
  code(op.get(sum), op.lane(0)),
  code(op.get(sum), op.lane(1), op.add),
  code(op.get(sum), op.lane(2), op.add),
  code(op.get(sum), op.lane(3), op.add),
);

const body = code(
  op.block,
  op.loop,
  code(op.get(row), op.get(rowsEnd), op.notLessThan, op.branchIf(1)),
  code(op.zeroLanes, op.set(sum)),
  code(op.get(query), op.set(part)),
  code(op.get(row), op.get(dimension), op.add, op.set(rowEnd)),
  dotOneRow,
  code(op.get(score), sumLanes, op.storeInt),
  advance(score, 4),
  op.branch(0),
  code(op.end, op.end, op.end),
);

const preamble: readonly number[] = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const int = 0x7f;
const vector = 0x7b;

function moduleBytes(): Uint8Array<ArrayBuffer> {
  const locals = [2, 2, int, 2, vector];
  const types = section(1, [1, 0x60, 5, int, int, int, int, int, 0]);
  const functions = section(3, [1, 0]);
  const memories = section(5, [1, 0x00, 1]);
  const exported = section(7, [2, 1, 0x6d, 0x02, 0, 1, 0x73, 0x00, 0]);
  const bodies = section(10, [1, ...sized(code(locals, body))]);
  return new Uint8Array(code(preamble, types, functions, memories, exported, bodies));
}

const section = (id: number, content: readonly number[]): readonly number[] => [
  id,
  ...sized(content),
];
const sized = (content: readonly number[]): readonly number[] => [
  ...unsigned(content.length),
  ...content,
];

/** Signed LEB128 of a number that is not negative and below 8,192. */
function signed(value: number): readonly number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, value >>> 7];
}

/** Unsigned LEB128. */
const unsigned = (value: number): readonly number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];

// The best few of many scored ids, in two typed arrays: entries are added as they come, and whenever the arrays are
// full the best are kept and the others dropped. A scan of a large store replaces thousands of entries; a heap would
// sift for each of them. Pure.

export type TopList = ReturnType<typeof createTopList>;

interface Scored {
  readonly nodeId: number;
  readonly similarity: number;
}

/** Places for each entry that is wanted, and at least: the best are picked out once in so many additions. */
const placesPerEntry = 2;
const placesMin = 256;

/** Keeps at most `limit` entries. NaN never beats anything. */
export function createTopList(limit: number) {
  const places = Math.max(placesMin, limit * placesPerEntry);
  const ids = new Float64Array(places);
  const scores = new Float64Array(places);
  let count = 0;
  let least = limit === 0 ? Infinity : -Infinity;
  const put = (id: number, score: number): void => {
    ids[count] = id;
    scores[count] = score;
    count += 1;
  };
  const cut = (): void => {
    if (count <= limit) return;
    const given = count;
    // Plain numbers are sorted natively, in a tenth of the time of entries.
    least = scores.slice(0, given).sort()[given - limit] ?? Infinity;
    const equal: number[] = [];
    count = 0;
    for (let at = 0; at < given; at += 1) {
      const id = ids[at] ?? 0;
      const score = scores[at] ?? 0;
      if (score > least) put(id, score);
      else if (score === least) equal.push(id);
    }
    for (const id of equal.sort((a, b) => a - b).slice(0, limit - count)) put(id, least);
  };
  return {
    /** Less similar ones are not kept: −Infinity while there is room. */
    least: (): number => least,
    add: (nodeId: number, similarity: number): void => {
      if (!(similarity >= least)) return;
      put(nodeId, similarity);
      if (count === places) cut();
    },
    /** Best first; equal similarities by ascending id. */
    list: (): readonly Scored[] => {
      cut();
      return Array.from(ids.subarray(0, count), (nodeId, at) => ({
        nodeId,
        similarity: scores[at] ?? 0,
      })).sort((a, b) => b.similarity - a.similarity || a.nodeId - b.nodeId);
    },
  };
}
