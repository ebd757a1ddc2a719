/**
 * How the words of a question meet the words of a text, one by one ("late interaction", Khattab and Zaharia 2020, over
 * static word vectors): one vector a text says what it is about, the pairs of words say whether each part of the
 * question has its counterpart. Integer products by the kernel of the vector index.
 */
import type { Interactions } from "#domain";
import { createDotKernel, pageBytes, rowBytes, type DotKernel } from "./dot-kernel.ts";
import { modelRows, type WordTable } from "./model-rows.ts";

/** As much of a model as is looked at: its words, and their rows as the file has them. */
interface Model {
  readonly words: Pick<WordTable, "rowOf">;
  readonly dimension: number;
  readonly levels: Float32Array;
  readonly scales: Float32Array;
  readonly codes: Uint8Array;
}

/** Different words of a question that are looked at: those that say most. */
const questionWordsMax = 24;
/** Words of a text, from its beginning. */
const textWordsMax = 64;
/** Cosines around which pairs of words are counted (the kernels of Xiong et al. 2017), and how far around. */
const kernelsAt = [0.7, 0.5, 0.35, 0.2] as const;
const kernelWidth = 0.015;
/** What is counted where no pair is. */
const none = 1e-4;
/** What the largest level of a model becomes as an integer. */
const levelMax = 127;

/** See `Interactions`. Its memory, a megabyte at most, is taken with the first question. */
export function createInteractions(model: Model): Interactions {
  let kernel: DotKernel | null = null;
  return (question, texts) => {
    kernel ??= createDotKernel();
    const asked = telling(model, modelRows(model.words, question));
    const read = texts.map((text) => modelRows(model.words, text).slice(0, textWordsMax));
    const words = [...new Set(read.flat())];
    if (asked.length === 0 || words.length === 0) return texts.map(() => null);
    const table = measured(model, kernel, asked, words);
    const placeOf = new Map(words.map((row, place) => [row, place]));
    return read.map((rows) =>
      rows.length === 0
        ? null
        : interactionOf(
            table,
            rows.map((row) => placeOf.get(row) ?? 0),
          ),
    );
  };
}

/** Each word once; of many, those with the longest vectors, which training made the ones that say most. */
function telling({ scales }: Model, rows: readonly number[]): readonly number[] {
  const different = [...new Set(rows)];
  if (different.length <= questionWordsMax) return different;
  return different
    .toSorted((a, b) => (scales[b] ?? 0) - (scales[a] ?? 0))
    .slice(0, questionWordsMax);
}

/** The words of all texts, measured against those of the question. */
interface Measured {
  readonly dimension: number;
  /** Length of each word's vector. */
  readonly lengths: Float32Array;
  /** Their vectors, one after the other. */
  readonly vectors: Int8Array;
  /** From integers back to numbers, by word. */
  readonly factors: Float32Array;
  /** Share of the question that each of its words has. */
  readonly shares: Float32Array;
  /** Cosine of each word of the question with each word of the texts, by word of the question. */
  readonly cosines: readonly Float32Array[];
  /** The cosine with the nearest word of the question. */
  readonly nearest: Float32Array;
  /** For each kernel what pairs with this word come to. */
  readonly near: readonly Float32Array[];
}

function measured(
  model: Model,
  kernel: DotKernel,
  asked: readonly number[],
  words: readonly number[],
): Measured {
  const stride = Math.ceil(model.dimension / rowBytes) * rowBytes;
  const queryAt = 0;
  const rowsAt = 2 * stride;
  const scoresAt = rowsAt + words.length * stride;
  ensureBytes(kernel, scoresAt + words.length * 4);
  const { buffer } = kernel.memory;
  const vectors = new Int8Array(buffer, rowsAt, words.length * stride);
  const query = new Int16Array(buffer, queryAt, stride);
  const scores = new Int32Array(buffer, scoresAt, words.length);
  // What the question before left there would stand beside shorter rows.
  vectors.fill(0);
  const integers = integersOf(model);
  const norms = words.map((row, place) =>
    fill(model, integers, row, vectors.subarray(place * stride)),
  );
  const unit = largest(model.levels) / levelMax;
  const factors = Float32Array.from(words, (row) => (model.scales[row] ?? 0) * unit);
  const own = new Int8Array(stride);
  const shares = new Float32Array(asked.length);
  const cosines = asked.map((row, at) => {
    const norm = fill(model, integers, row, own);
    shares[at] = norm * (model.scales[row] ?? 0);
    query.set(own);
    kernel.scan({ queryAt, rowsAt, rowsEnd: scoresAt, dimension: stride, scoresAt });
    return Float32Array.from(norms, (other, place) =>
      norm > 0 && other > 0 ? (scores[place] ?? 0) / (norm * other) : 0,
    );
  });
  const whole = shares.reduce((sum, share) => sum + share, 0) || 1;
  for (let at = 0; at < shares.length; at += 1) shares[at] = (shares[at] ?? 0) / whole;
  return {
    dimension: stride,
    lengths: Float32Array.from(factors, (factor, place) => factor * (norms[place] ?? 0)),
    vectors: vectors.slice(),
    factors,
    shares,
    cosines,
    nearest: Float32Array.from(words, (_, place) =>
      cosines.reduce((most, row) => Math.max(most, row[place] ?? 0), -1),
    ),
    near: kernelsAt.map((center) =>
      Float32Array.from(words, (_, place) =>
        cosines.reduce(
          (sum, row, at) =>
            sum + (shares[at] ?? 0) * Math.exp(-(((row[place] ?? 0) - center) ** 2) / kernelWidth),
          0,
        ),
      ),
    ),
  };
}

/** The levels as integers. */
function integersOf({ levels }: Model): Int8Array {
  const most = largest(levels);
  return Int8Array.from(levels, (level) => Math.round((level / most) * levelMax));
}

const largest = (levels: Float32Array): number => Math.max(...levels.map(Math.abs)) || 1;

/** Writes the vector of a row as integers, and tells its length in them. */
function fill(
  { codes, dimension }: Model,
  integers: Int8Array,
  row: number,
  into: Int8Array,
): number {
  const start = (row * dimension) / 2;
  let squares = 0;
  for (let d = 0; d < dimension; d += 2) {
    const pair = codes[start + d / 2] ?? 0;
    const low = integers[pair & 15] ?? 0;
    const high = integers[pair >> 4] ?? 0;
    into[d] = low;
    into[d + 1] = high;
    squares += low * low + high * high;
  }
  return Math.sqrt(squares);
}

function interactionOf(table: Measured, places: readonly number[]): readonly number[] {
  const { lengths, near, nearest } = table;
  let whole = 0;
  for (const place of places) whole += lengths[place] ?? 0;
  if (!(whole > 0)) whole = 1;
  const told = (of: Float32Array): number => {
    let sum = 0;
    for (const place of places) sum += (lengths[place] ?? 0) * (of[place] ?? 0);
    return sum / whole;
  };
  return [
    ...foundIn(table, places),
    told(nearest),
    ...near.map((of) => Math.log(told(of) + none)),
    lengthOfSum(table, places) / whole,
    Math.log(places.length + 1),
  ];
}

/** How near the nearest word is for the words of the question, and the same squared. */
function foundIn(
  { cosines, shares }: Measured,
  places: readonly number[],
): readonly [number, number] {
  let [found, squared] = [0, 0];
  for (const [at, row] of cosines.entries()) {
    let most = -1;
    for (const place of places) most = Math.max(most, row[place] ?? 0);
    found += (shares[at] ?? 0) * most;
    squared += (shares[at] ?? 0) * Math.max(0, most) ** 2;
  }
  return [found, squared];
}

/** Names of what is told of a pair of texts, in order. */
export const interactionNames = [
  "found",
  "found, squared",
  "covered",
  ...kernelsAt.map((center) => `near ${center}`),
  "of one matter",
  "words",
] as const;

function lengthOfSum({ dimension, factors, vectors }: Measured, places: readonly number[]): number {
  const sum = new Float32Array(dimension);
  for (const place of places) {
    const factor = factors[place] ?? 0;
    const start = place * dimension;
    for (let d = 0; d < dimension; d += 1)
      sum[d] = (sum[d] ?? 0) + factor * (vectors[start + d] ?? 0);
  }
  let squares = 0;
  for (const value of sum) squares += value * value;
  return Math.sqrt(squares);
}

function ensureBytes({ memory }: DotKernel, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
}
