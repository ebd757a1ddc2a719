/** What a layer of an encoder does, on byte addresses of the kernel's memory. */
import { type createProductKernel, floatBytes, stepBytes, xRows } from "./kernel.ts";
import type { EncoderShape } from "./shape.ts";

export interface Dense {
  /** Byte address of the weights, one row for each output. */
  readonly weights: number;
  readonly bias: Float32Array;
  readonly inputs: number;
  readonly outputs: number;
}

export interface Norm {
  readonly scale: Float32Array;
  readonly shift: Float32Array;
}

/** Where numbers of one text lie. */
export interface Place {
  readonly floats: Float32Array;
  readonly kernel: ReturnType<typeof createProductKernel>;
  readonly shape: EncoderShape;
  /** Tokens of the text. */
  readonly count: number;
}

/** Byte addresses of what attention reads and writes. */
export interface Attended {
  readonly query: number;
  readonly key: number;
  readonly value: number;
  readonly mixed: number;
  readonly scores: number;
  readonly turned: number;
}

const stepFloats = stepBytes / floatBytes;
export const padded = (count: number, to: number): number => Math.ceil(count / to) * to;

/** out = x · weights + bias, for each token. */
export function applyDense(
  { floats, kernel, count }: Place,
  layer: Dense,
  x: number,
  out: number,
): void {
  const { weights, bias, inputs, outputs } = layer;
  const stride = inputs * floatBytes;
  kernel.multiply({
    x: { at: x, stride, count: padded(count, xRows) },
    w: { at: weights, stride, count: outputs },
    out: { at: out, stride: outputs * floatBytes },
    length: stride,
  });
  const start = out / floatBytes;
  for (let row = start; row < start + count * outputs; row += outputs)
    for (let i = 0; i < outputs; i += 1) floats[row + i] = (floats[row + i] ?? 0) + (bias[i] ?? 0);
}

/** Each head mixes the values of all tokens, by how much its queries and keys agree. */
export function attend(place: Place, work: Attended): void {
  const { floats, kernel, shape, count } = place;
  const head = shape.hidden / shape.heads;
  const stride = shape.hidden * floatBytes;
  const width = padded(count, stepFloats);
  const wide = width * floatBytes;
  const turnedAt = work.turned / floatBytes;
  floats.fill(0, turnedAt, turnedAt + head * width);
  for (let at = 0; at < stride; at += head * floatBytes) {
    kernel.multiply({
      x: { at: work.query + at, stride, count: width },
      w: { at: work.key + at, stride, count: width },
      out: { at: work.scores, stride: wide },
      length: head * floatBytes,
    });
    scoresToShares(place, work.scores, width);
    turnValues(place, work.value + at, work.turned, width);
    kernel.multiply({
      x: { at: work.scores, stride: wide, count: padded(count, xRows) },
      w: { at: work.turned, stride: wide, count: head },
      out: { at: work.mixed + at, stride },
      length: wide,
    });
  }
}

/** Rows of scores become shares that add up to one; what lies behind the text gets none. */
function scoresToShares({ floats, shape, count }: Place, at: number, width: number): void {
  const by = 1 / Math.sqrt(shape.hidden / shape.heads);
  const start = at / floatBytes;
  for (let row = start; row < start + count * width; row += width) {
    let most = -Infinity;
    for (let i = row; i < row + count; i += 1) most = Math.max(most, floats[i] ?? 0);
    let sum = 0;
    for (let i = row; i < row + count; i += 1) {
      const share = Math.exp(((floats[i] ?? 0) - most) * by);
      floats[i] = share;
      sum += share;
    }
    for (let i = row; i < row + count; i += 1) floats[i] = (floats[i] ?? 0) / sum;
    floats.fill(0, row + count, row + width);
  }
}

/** The values of one head with rows and columns swapped, as the kernel wants them. */
function turnValues(
  { floats, shape, count }: Place,
  from: number,
  to: number,
  width: number,
): void {
  const { hidden, heads } = shape;
  for (let token = 0; token < count; token += 1)
    for (let i = 0; i < hidden / heads; i += 1)
      floats[to / floatBytes + i * width + token] =
        floats[from / floatBytes + token * hidden + i] ?? 0;
}

/** Layer norm of each token, in place. */
export function normalise(
  { floats, shape, count }: Place,
  { scale, shift }: Norm,
  at: number,
): void {
  const { hidden, epsilon } = shape;
  const start = at / floatBytes;
  for (let row = start; row < start + count * hidden; row += hidden) {
    let sum = 0;
    for (let i = row; i < row + hidden; i += 1) sum += floats[i] ?? 0;
    const mean = sum / hidden;
    let squares = 0;
    for (let i = row; i < row + hidden; i += 1) squares += ((floats[i] ?? 0) - mean) ** 2;
    const by = 1 / Math.sqrt(squares / hidden + epsilon);
    for (let i = 0; i < hidden; i += 1)
      floats[row + i] = ((floats[row + i] ?? 0) - mean) * by * (scale[i] ?? 0) + (shift[i] ?? 0);
  }
}

/** state = norm(state + made). */
export function addNormalised(place: Place, norm: Norm, made: number, state: number): void {
  const { floats, shape, count } = place;
  const [from, to] = [made / floatBytes, state / floatBytes];
  for (let i = 0; i < count * shape.hidden; i += 1)
    floats[to + i] = (floats[to + i] ?? 0) + (floats[from + i] ?? 0);
  normalise(place, norm, state);
}

/** In place. */
export function gelu(floats: Float32Array, at: number, count: number): void {
  for (let i = at / floatBytes; i < at / floatBytes + count; i += 1) {
    const value = floats[i] ?? 0;
    floats[i] = 0.5 * value * (1 + errorFunction(value * Math.SQRT1_2));
  }
}

/** Abramowitz and Stegun 7.1.26: off by 1.5e-7 at most, which is what a float32 near one can tell. */
function errorFunction(x: number): number {
  const a = Math.abs(x);
  const t = 1 / (1 + 0.3275911 * a);
  const series =
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  const value = 1 - series * Math.exp(-a * a);
  return x < 0 ? -value : value;
}
