/**
 * How the words of a question meet the words of a text, one by one ("late interaction", Khattab and Zaharia 2020, over
 * static word vectors): one vector a text says what it is about, the pairs of words say whether each part of the
 * question has its counterpart. Integer products by the kernel of the vector index.
 */
import type { Interactions } from "#domain";
import { memoised } from "#kit";
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

/** Texts whose words are kept, each with up to 64 numbers: candidates of one question are often those of the next. */
const textsKept = 2_000;

/** See `Interactions`. Its memory, a megabyte at most, is taken with the first question. */
export function createInteractions(model: Model): Interactions {
  let kernel: DotKernel | null = null;
  let decoder: Decoder | null = null;
  const read = memoised(
    (text) => readText(model, (decoder ??= createDecoder(model)), text),
    textsKept,
  );
  return (question, texts) => {
    kernel ??= createDotKernel();
    decoder ??= createDecoder(model);
    const asked = telling(model, modelRows(model.words, question));
    const told = texts.map(read);
    const words = new Map<number, number>();
    for (const { rows } of told)
      for (const row of rows) if (!words.has(row)) words.set(row, words.size);
    if (asked.length === 0 || words.size === 0) return texts.map(() => null);
    const table = measured({ model, decoder, kernel }, asked, [...words.keys()]);
    return told.map((text) =>
      text.rows.length === 0
        ? null
        : interactionOf(
            table,
            text,
            Uint32Array.from(text.rows, (row) => words.get(row) ?? 0),
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

/** As much of a text as does not depend on the question. */
interface TextRead {
  readonly rows: readonly number[];
  /** Length of each word's vector, and of all together. */
  readonly lengths: Float32Array;
  readonly whole: number;
  /** Length of the sum of the vectors, against `whole`: 1 where all words say one thing. */
  readonly ofOneMatter: number;
}

function readText(model: Model, decoder: Decoder, text: string): TextRead {
  const rows = modelRows(model.words, text).slice(0, textWordsMax);
  const lengths = new Float32Array(rows.length);
  const own = new Int8Array(model.dimension);
  const sum = new Float32Array(model.dimension);
  for (const [at, row] of rows.entries()) {
    const factor = Math.fround((model.scales[row] ?? 0) * decoder.unit);
    lengths[at] = factor * decoder.read(row, own);
    for (let d = 0; d < own.length; d += 1) sum[d] = (sum[d] ?? 0) + factor * (own[d] ?? 0);
  }
  let all = 0;
  for (const length of lengths) all += length;
  const whole = all > 0 ? all : 1;
  let squares = 0;
  for (const value of sum) squares += value * value;
  return { rows, lengths, whole, ofOneMatter: Math.sqrt(squares) / whole };
}

/** The words of all texts, measured against those of the question. */
interface Measured {
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
  {
    model,
    decoder,
    kernel,
  }: { readonly model: Model; readonly decoder: Decoder; readonly kernel: DotKernel },
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
  if (stride > model.dimension) vectors.fill(0);
  const norms = new Float64Array(words.length);
  for (const [place, row] of words.entries())
    norms[place] = decoder.read(row, vectors, place * stride);
  const own = new Int8Array(stride);
  const shares = new Float32Array(asked.length);
  const cosines = asked.map((row, at) => {
    const norm = decoder.read(row, own);
    shares[at] = norm * (model.scales[row] ?? 0);
    query.set(own);
    kernel.scan({ queryAt, rowsAt, rowsEnd: scoresAt, dimension: stride, scoresAt });
    const cosine = new Float32Array(words.length);
    for (let place = 0; place < cosine.length; place += 1) {
      const product = norm * (norms[place] ?? 0);
      cosine[place] = product > 0 ? (scores[place] ?? 0) / product : 0;
    }
    return cosine;
  });
  const whole = shares.reduce((sum, share) => sum + share, 0) || 1;
  for (let at = 0; at < shares.length; at += 1) shares[at] = (shares[at] ?? 0) / whole;
  return { shares, cosines, ...nearnessOf(cosines, shares, words.length) };
}

/** A pair whose cosine is so far from a kernel that `exp` of it is below 1e-9 counts as nothing. */
const reachMax = Math.sqrt(20 * kernelWidth);

function nearnessOf(
  cosines: readonly Float32Array[],
  shares: Float32Array,
  words: number,
): Pick<Measured, "near" | "nearest"> {
  const nearest = new Float32Array(words).fill(-1);
  const near = kernelsAt.map(() => new Float64Array(words));
  for (const [at, row] of cosines.entries()) {
    const share = shares[at] ?? 0;
    for (let place = 0; place < words; place += 1) {
      const cosine = row[place] ?? 0;
      if (cosine > (nearest[place] ?? 0)) nearest[place] = cosine;
      for (let k = 0; k < kernelsAt.length; k += 1) {
        const off = cosine - (kernelsAt[k] ?? 0);
        const sums = near[k];
        if (sums !== undefined && Math.abs(off) < reachMax)
          sums[place] = (sums[place] ?? 0) + share * Math.exp(-(off * off) / kernelWidth);
      }
    }
  }
  return { nearest, near: near.map((sums) => Float32Array.from(sums)) };
}

interface Decoder {
  /** What the integers are multiplied with before the scale of a row. */
  readonly unit: number;
  /** Writes the vector of a row as integers, and tells its length in them. */
  readonly read: (row: number, into: Int8Array, at?: number) => number;
}

/** Reads a byte of a row, which holds two codes, in one look: most rows are read anew for each question. */
function createDecoder({ codes, dimension, levels }: Model): Decoder {
  const most = largest(levels);
  const integers = Int8Array.from(levels, (level) => Math.round((level / most) * levelMax));
  const [low, high] = [new Int8Array(256), new Int8Array(256)];
  const squares = new Int32Array(256);
  for (let pair = 0; pair < 256; pair += 1) {
    const [one, other] = [integers[pair & 15] ?? 0, integers[pair >> 4] ?? 0];
    low[pair] = one;
    high[pair] = other;
    squares[pair] = one * one + other * other;
  }
  const half = dimension / 2;
  return {
    unit: most / levelMax,
    read: (row, into, at = 0) => {
      const start = row * half;
      let sum = 0;
      for (let d = 0; d < half; d += 1) {
        const pair = codes[start + d] ?? 0;
        into[at + 2 * d] = low[pair] ?? 0;
        into[at + 2 * d + 1] = high[pair] ?? 0;
        sum += squares[pair] ?? 0;
      }
      return Math.sqrt(sum);
    },
  };
}

const largest = (levels: Float32Array): number => Math.max(...levels.map(Math.abs)) || 1;

function interactionOf(
  { cosines, near, nearest, shares }: Measured,
  { lengths, ofOneMatter, whole }: TextRead,
  places: Uint32Array,
): readonly number[] {
  const told = (of: Float32Array): number => {
    let sum = 0;
    for (let at = 0; at < places.length; at += 1)
      sum += (lengths[at] ?? 0) * (of[places[at] ?? 0] ?? 0);
    return sum / whole;
  };
  // How near the nearest word is for the words of the question, and the same squared.
  let [found, squared] = [0, 0];
  for (const [at, row] of cosines.entries()) {
    let most = -1;
    for (let i = 0; i < places.length; i += 1) most = Math.max(most, row[places[i] ?? 0] ?? 0);
    found += (shares[at] ?? 0) * most;
    squared += (shares[at] ?? 0) * Math.max(0, most) ** 2;
  }
  return [
    found,
    squared,
    told(nearest),
    ...near.map((of) => Math.log(told(of) + none)),
    ofOneMatter,
    Math.log(places.length + 1),
  ];
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

function ensureBytes({ memory }: DotKernel, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
}
