/**
 * Matrix products in float32, as a WebAssembly module with SIMD that is assembled here byte by byte: rows times rows,
 * both contiguous along what is summed. Each turn takes four rows of one matrix and two of the other, so that eight
 * sums stay in registers. Must not know what the numbers mean: memory in, memory out.
 */

/** Rows in the kernel's memory: byte address of the first, and bytes from one to the next. */
interface Rows {
  readonly at: number;
  readonly stride: number;
}

/** One product. */
export interface Product {
  /** A multiple of `xRows` rows. */
  readonly x: Rows & { readonly count: number };
  /** An even number of rows. */
  readonly w: Rows & { readonly count: number };
  /** Row i, column j: the dot product of row i of x with row j of w. */
  readonly out: Rows;
  /** Bytes of a row that are summed: a multiple of `stepBytes`. */
  readonly length: number;
}

export const floatBytes = 4;

export const xRows = 4;
const wRows = 2;
const laneBytes = 16;
export const stepBytes = 2 * laneBytes;
const pageBytes = 65_536;

/** Compiles a kernel with at least `bytes` of memory of its own. Throws RangeError when there is not that much. */
export function createProductKernel(bytes: number): {
  readonly memory: ArrayBuffer;
  readonly multiply: (product: Product) => void;
} {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / pageBytes) });
  const module = new WebAssembly.Module(moduleBytes());
  const { exports } = new WebAssembly.Instance(module, { e: { m: memory } });
  const run = exports["f"] as (...numbers: readonly number[]) => void;
  return {
    memory: memory.buffer,
    multiply: ({ x, w, out, length }) => {
      const xEnd = x.at + x.count * x.stride;
      const wEnd = w.at + w.count * w.stride;
      run(x.at, x.stride, xEnd, w.at, w.stride, wEnd, out.at, out.stride, length);
    },
  };
}

// Indexes of the function's parameters and locals.
const [x, xStride, xEnd, w, wStride, wEnd, out, outStride, length] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const [xAt, outAt, end, store] = [9, 10, 11, 12];
const xPointer = (row: number): number => 13 + row;
const wPointer = (row: number): number => 13 + xRows + row;
const firstVector = 13 + xRows + wRows;
const xLanes = (row: number): number => firstVector + row;
const wLanes = firstVector + xRows;
const sum = (i: number, j: number): number => firstVector + xRows + 1 + i * wRows + j;

const parameters = 9;
const intLocals = firstVector - parameters;
const vectorLocals = xRows + 1 + xRows * wRows;

const op = {
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  end: [0x0b],
  branch: (depth: number) => [0x0c, depth],
  branchIf: (depth: number) => [0x0d, depth],
  get: (local: number) => [0x20, local],
  set: (local: number) => [0x21, local],
  constant: (value: number) => [0x41, value],
  add: [0x6a],
  lessThan: [0x49],
  notLessThan: [0x4f],
  load: (offset: number) => [0xfd, 0x00, 2, offset],
  zeroLanes: [0xfd, 0x0c, ...Array.from({ length: laneBytes }, () => 0)],
  multiplyLanes: [0xfd, 0xe6, 0x01],
  addLanes: [0xfd, 0xe4, 0x01],
  lane: (index: number) => [0xfd, 0x1f, index],
  addFloat: [0x92],
  storeFloat: (offset: number) => [0x38, 2, offset],
} as const;

type Code = readonly number[];
const code = (...parts: readonly Code[]): Code => parts.flat();
const times = (count: number, part: (index: number) => Code): Code =>
  Array.from({ length: count }, (_, index) => part(index)).flat();

/** to = from + by, all locals. */
const sumOf = (to: number, from: number, by: number): Code =>
  code(op.get(from), op.get(by), op.add, op.set(to));
const advance = (local: number, bytes: number): Code =>
  code(op.get(local), op.constant(bytes), op.add, op.set(local));

/** Four floats of each row. */
const step = (offset: number): Code =>
  code(
    times(xRows, (i) => code(op.get(xPointer(i)), op.load(offset), op.set(xLanes(i)))),
    times(wRows, (j) =>
      code(
        code(op.get(wPointer(j)), op.load(offset), op.set(wLanes)),
        times(xRows, (i) =>
          code(
            code(op.get(sum(i, j)), op.get(xLanes(i)), op.get(wLanes)),
            code(op.multiplyLanes, op.addLanes, op.set(sum(i, j))),
          ),
        ),
      ),
    ),
  );

const lanesOf = (vector: number): Code =>
  code(
    code(op.get(vector), op.lane(0), op.get(vector), op.lane(1), op.addFloat),
    code(op.get(vector), op.lane(2), op.get(vector), op.lane(3), op.addFloat, op.addFloat),
  );

const tile = code(
  code(op.get(xAt), op.set(xPointer(0)), op.get(w), op.set(wPointer(0))),
  times(xRows - 1, (i) => sumOf(xPointer(i + 1), xPointer(i), xStride)),
  times(wRows - 1, (j) => sumOf(wPointer(j + 1), wPointer(j), wStride)),
  times(xRows * wRows, (k) => code(op.zeroLanes, op.set(sum(0, 0) + k))),
  sumOf(end, xAt, length),
  op.loop,
  code(step(0), step(laneBytes)),
  times(xRows + wRows, (k) => advance(xPointer(0) + k, stepBytes)),
  code(op.get(xPointer(0)), op.get(end), op.lessThan, op.branchIf(0)),
  op.end,
  code(op.get(outAt), op.set(store)),
  times(xRows, (i) =>
    code(
      times(wRows, (j) => code(op.get(store), lanesOf(sum(i, j)), op.storeFloat(4 * j))),
      sumOf(store, store, outStride),
    ),
  ),
  // The next four rows lie where the pointers of these would go on.
  times(xRows, () => sumOf(xAt, xAt, xStride)),
  code(op.get(store), op.set(outAt)),
);

const body = code(
  op.block,
  op.loop,
  code(op.get(w), op.get(wEnd), op.notLessThan, op.branchIf(1)),
  code(op.get(x), op.set(xAt), op.get(out), op.set(outAt)),
  op.block,
  op.loop,
  code(op.get(xAt), op.get(xEnd), op.notLessThan, op.branchIf(1)),
  tile,
  op.branch(0),
  code(op.end, op.end),
  times(wRows, () => sumOf(w, w, wStride)),
  advance(out, 4 * wRows),
  op.branch(0),
  code(op.end, op.end, op.end),
);

const int = 0x7f;
const vector = 0x7b;

function moduleBytes(): Uint8Array<ArrayBuffer> {
  const locals = [2, intLocals, int, vectorLocals, vector];
  const types = section(1, [1, 0x60, parameters, ...times(parameters, () => [int]), 0]);
  // The memory is "e.m", without an upper limit.
  const imports = section(2, [1, 1, 0x65, 1, 0x6d, 0x02, 0x00, 1]);
  const functions = section(3, [1, 0]);
  const exported = section(7, [1, 1, 0x66, 0x00, 0]);
  const bodies = section(10, [1, ...sized(code(locals, body))]);
  const preamble = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  return new Uint8Array(code(preamble, types, imports, functions, exported, bodies));
}

const section = (id: number, content: Code): Code => [id, ...sized(content)];
const sized = (content: Code): Code => [...unsigned(content.length), ...content];

/** Unsigned LEB128. */
const unsigned = (value: number): Code =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
