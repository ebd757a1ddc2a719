/**
 * Compares the words of a question with the words of a text, one by one ("late interaction",
 * Khattab and Zaharia 2020, over static word vectors): one vector a text says what it is about, the
 * pairs of words say whether each part of the question has its counterpart. Integer products by the
 * kernel of the vector index.
 */
import type { Interactions } from "#domain";
import { memoised } from "#kit";
import { createDotKernel, ensureBytes, rowBytes } from "./dot-kernel.ts";
import { modelRows, type WordTable } from "./model-rows.ts";

/** A model file, read: words and their rows, two codes a byte, the lower four bits first. */
export interface Model {
  readonly words: WordTable;
  readonly dimension: number;
  /** Values of the sixteen codes, before the scale of a row. */
  readonly levels: Float32Array;
  /** One for each row. */
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
/** The value that is counted where no pair is. */
const none = 1e-4;
/** The integer for the largest level of a model. */
const levelMax = 127;

/** Texts whose words are kept, each with up to 64 numbers: candidates of one question are often those of the next. */
const textsKept = 4_000;

/** See `Interactions`. Its memory, two megabytes at most, is taken with the first question. */
export function createInteractions(model: Model): Interactions {
  let tools: Tools | null = null;
  const read = memoised(
    (text) => readText(model, (tools ??= createTools(model)).decoder, text),
    textsKept,
  );
  return (question, texts) => {
    tools ??= createTools(model);
    const asked = telling(model, modelRows(model.words, question));
    const told = texts.map(read);
    const words = tools.number(told);
    if (asked.length === 0 || words.length === 0) return texts.map(() => null);
    const table = measured(model, tools, asked, words);
    const { placeOf } = tools;
    return told.map((text) =>
      text.rows.length === 0 ? null : interactionOf(table, text, placeOf),
    );
  };
}

type Tools = ReturnType<typeof createTools>;

function createTools(model: Model) {
  const placeOf = new Int32Array(model.scales.length).fill(-1);
  let words: number[] = [];
  return {
    kernel: createDotKernel(),
    decoder: createDecoder(model),
    nearness: createNearness(),
    /** The different words of texts, each once; until the next call `placeOf` has where each stands among them. */
    number: (texts: readonly TextRead[]): readonly number[] => {
      for (const row of words) placeOf[row] = -1;
      words = [];
      for (const { rows } of texts)
        for (let at = 0; at < rows.length; at += 1) {
          const row = rows[at] ?? 0;
          if (placeOf[row] !== -1) continue;
          placeOf[row] = words.length;
          words.push(row);
        }
      return words;
    },
    /** By row of the model. */
    placeOf,
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
  readonly rows: Uint32Array;
  /** Length of each word's vector, and of all together. */
  readonly lengths: Float32Array;
  readonly whole: number;
  /** Length of the sum of the vectors, against `whole`: 1 where all words say one thing. */
  readonly ofOneMatter: number;
}

function readText(model: Model, decoder: Decoder, text: string): TextRead {
  const rows = Uint32Array.from(modelRows(model.words, text).slice(0, textWordsMax));
  const lengths = new Float32Array(rows.length);
  const sum = new Float32Array(model.dimension);
  let all = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? 0;
    const factor = Math.fround((model.scales[row] ?? 0) * decoder.unit);
    lengths[at] = factor * decoder.add(row, factor, sum);
    all += lengths[at] ?? 0;
  }
  const whole = all > 0 ? all : 1;
  let squares = 0;
  for (let d = 0; d < sum.length; d += 1) squares += (sum[d] ?? 0) ** 2;
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
  /** For each word what pairs with it come to, kernel by kernel. */
  readonly near: Float32Array;
}

function measured(
  model: Model,
  { decoder, kernel, nearness }: Tools,
  asked: readonly number[],
  words: readonly number[],
): Measured {
  const stride = Math.ceil(model.dimension / rowBytes) * rowBytes;
  const queryAt = 0;
  const rowsAt = 2 * stride;
  const scoresAt = rowsAt + words.length * stride;
  ensureBytes(kernel.memory, scoresAt + words.length * 4);
  const { buffer } = kernel.memory;
  const vectors = new Uint16Array(buffer, rowsAt, (words.length * stride) / 2);
  const query = new Int16Array(buffer, queryAt, stride);
  const scores = new Int32Array(buffer, scoresAt, words.length);
  // Rows of the question before would stand beside shorter ones.
  if (stride > model.dimension) vectors.fill(0);
  const norms = new Float64Array(words.length);
  for (let place = 0; place < words.length; place += 1)
    norms[place] = decoder.read(words[place] ?? 0, vectors, (place * stride) / 2);
  const own = new Int8Array(stride);
  const pairs = new Uint16Array(own.buffer);
  const shares = new Float32Array(asked.length);
  const cosines = asked.map((row, at) => {
    const norm = decoder.read(row, pairs);
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
  return { shares, cosines, ...nearnessOf(nearness, cosines, shares, words.length) };
}

/** Steps in which a cosine is looked up; between two of them the kernels are as good as straight. */
const stepsPerOne = 2_048;
/** Below this, every kernel is less than 1e-8. */
const cosineMin = -0.35;

/** The kernels of a cosine, `kernelsAt.length` values a step from `cosineMin` to 1: `exp` would take most time. */
type Nearness = Float32Array;

function createNearness(): Nearness {
  const steps = Math.ceil((1 - cosineMin) * stepsPerOne) + 2;
  return Float32Array.from({ length: steps * kernelsAt.length }, (_, at) => {
    const cosine = cosineMin + Math.floor(at / kernelsAt.length) / stepsPerOne;
    return Math.exp(-((cosine - (kernelsAt[at % kernelsAt.length] ?? 0)) ** 2) / kernelWidth);
  });
}

function nearnessOf(
  nearness: Nearness,
  cosines: readonly Float32Array[],
  shares: Float32Array,
  words: number,
) {
  const kernels = kernelsAt.length;
  const nearest = new Float32Array(words).fill(-1);
  const near = new Float32Array(words * kernels);
  for (const [at, row] of cosines.entries()) {
    const share = shares[at] ?? 0;
    for (let place = 0; place < words; place += 1) {
      const cosine = row[place] ?? 0;
      if (cosine > (nearest[place] ?? 0)) nearest[place] = cosine;
      if (cosine < cosineMin) continue;
      const exact = (Math.min(1, cosine) - cosineMin) * stepsPerOne;
      const step = exact | 0;
      const part = exact - step;
      for (let k = 0; k < kernels; k += 1) {
        const low = nearness[step * kernels + k] ?? 0;
        const high = nearness[(step + 1) * kernels + k] ?? 0;
        const to = place * kernels + k;
        near[to] = (near[to] ?? 0) + share * (low + part * (high - low));
      }
    }
  }
  return { nearest, near };
}

type Decoder = ReturnType<typeof createDecoder>;

/** Reads a byte of a row, which holds two codes, in one look: most rows are read anew for each question. */
function createDecoder({ codes, dimension, levels }: Model) {
  const most = largest(levels);
  const integers = Int8Array.from(levels, (level) => Math.round((level / most) * levelMax));
  const [low, high] = [new Int8Array(256), new Int8Array(256)];
  const both = new Uint16Array(256);
  const squares = new Int32Array(256);
  for (let pair = 0; pair < 256; pair += 1) {
    const [one, other] = [integers[pair & 15] ?? 0, integers[pair >> 4] ?? 0];
    low[pair] = one;
    high[pair] = other;
    both[pair] = (one & 0xff) | ((other & 0xff) << 8);
    squares[pair] = one * one + other * other;
  }
  const half = dimension / 2;
  return {
    /** The factor of the integers before the scale of a row. */
    unit: most / levelMax,
    /** Writes the vector of a row as integers, two to a place, and tells its length in them. */
    read: (row: number, into: Uint16Array, at = 0): number => {
      const start = row * half;
      let sum = 0;
      for (let d = 0; d < half; d += 1) {
        const pair = codes[start + d] ?? 0;
        into[at + d] = both[pair] ?? 0;
        sum += squares[pair] ?? 0;
      }
      return Math.sqrt(sum);
    },
    /** Adds the vector, `factor` times as long, and tells the same length. */
    add: (row: number, factor: number, to: Float32Array): number => {
      const start = row * half;
      let sum = 0;
      for (let d = 0; d < half; d += 1) {
        const pair = codes[start + d] ?? 0;
        to[2 * d] = (to[2 * d] ?? 0) + factor * (low[pair] ?? 0);
        to[2 * d + 1] = (to[2 * d + 1] ?? 0) + factor * (high[pair] ?? 0);
        sum += squares[pair] ?? 0;
      }
      return Math.sqrt(sum);
    },
  };
}

const largest = (levels: Float32Array): number => Math.max(...levels.map(Math.abs)) || 1;

function interactionOf(table: Measured, text: TextRead, placeOf: Int32Array): readonly number[] {
  const { rows, lengths, ofOneMatter, whole } = text;
  const kernels = kernelsAt.length;
  const told = new Float64Array(kernels);
  let covered = 0;
  for (let i = 0; i < rows.length; i += 1) {
    const place = placeOf[rows[i] ?? 0] ?? 0;
    const length = lengths[i] ?? 0;
    covered += length * (table.nearest[place] ?? 0);
    for (let k = 0; k < kernels; k += 1)
      told[k] = (told[k] ?? 0) + length * (table.near[place * kernels + k] ?? 0);
  }
  return [
    ...foundIn(table, text, placeOf),
    covered / whole,
    ...Array.from(told, (sum) => Math.log(sum / whole + none)),
    ofOneMatter,
    Math.log(rows.length + 1),
  ];
}

/** Nearness of the nearest word for each word of the question, and the same squared. */
function foundIn(
  { cosines, shares }: Measured,
  { rows }: TextRead,
  placeOf: Int32Array,
): readonly [number, number] {
  let [found, squared] = [0, 0];
  for (const [at, row] of cosines.entries()) {
    let most = -1;
    for (let i = 0; i < rows.length; i += 1)
      most = Math.max(most, row[placeOf[rows[i] ?? 0] ?? 0] ?? 0);
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
