/**
 * The forward pass of a BERT encoder over one text: token ids in, one unit vector out. The matrix products are the
 * kernel's; what lies between them (layer norm, softmax, GELU) is cheap beside them and done here. The table of words
 * stays in the file, and of it only the rows of the text are read.
 */
import { err, ok, type Result } from "#kit";
import { createProductKernel, stepBytes, xRows } from "./kernel.ts";
import type { Tensors } from "./safetensors.ts";

export type Pooling = "cls" | "mean";

/** What `config.json` says. */
export interface EncoderShape {
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  readonly inner: number;
  /** Tokens of a text at most. */
  readonly positions: number;
  readonly words: number;
  readonly epsilon: number;
}

export interface Encoder {
  readonly shape: EncoderShape;
  /** Unit vector of `shape.hidden` numbers. `ids`: at least one and at most `shape.positions`. */
  readonly encode: (ids: readonly number[]) => Float32Array;
}

const floatBytes = 4;
/** Texts longer than this are cut: what models of this kind were trained with, and what memory is made ready for. */
const tokensMax = 512;
const stepFloats = stepBytes / floatBytes;
const padded = (count: number, to: number): number => Math.ceil(count / to) * to;

/** Error: in words, why a model with this `config.json` cannot be used. */
export function shapeOf(config: unknown): Result<EncoderShape, string> {
  const told = (config ?? {}) as Readonly<Record<string, unknown>>;
  const number = (name: string): number => {
    const value = told[name];
    return typeof value === "number" && value > 0 ? value : 0;
  };
  if (told["model_type"] !== "bert")
    return err(
      `its architecture is ${JSON.stringify(told["model_type"] ?? null)}; only "bert" is known`,
    );
  const activation = told["hidden_act"] ?? "gelu";
  if (activation !== "gelu")
    return err(`its activation is ${JSON.stringify(activation)}, not "gelu"`);
  const kind = told["position_embedding_type"] ?? "absolute";
  if (kind !== "absolute") return err(`its positions are ${JSON.stringify(kind)}, not "absolute"`);
  const shape = {
    hidden: number("hidden_size"),
    layers: number("num_hidden_layers"),
    heads: number("num_attention_heads"),
    inner: number("intermediate_size"),
    positions: Math.min(tokensMax, number("max_position_embeddings")),
    words: number("vocab_size"),
    epsilon: number("layer_norm_eps") || 1e-12,
  };
  const sizes = [shape.hidden / shape.heads, shape.inner];
  const isWhole = Object.values(shape).every((value) => value > 0);
  if (!isWhole || sizes.some((size) => size % stepFloats !== 0))
    return err("its sizes are not those of a BERT encoder that is known");
  return ok(shape);
}

const layerName = (layer: number, part: string): string => `encoder.layer.${layer}.${part}`;
const parts = {
  query: "attention.self.query",
  key: "attention.self.key",
  value: "attention.self.value",
  mixed: "attention.output.dense",
  mixedNorm: "attention.output.LayerNorm",
  inner: "intermediate.dense",
  outer: "output.dense",
  outerNorm: "output.LayerNorm",
} as const;

/** Every tensor that a text needs, and its shape. */
function* wanted({
  hidden,
  layers,
  inner,
  positions,
  words,
}: EncoderShape): Generator<readonly [name: string, rows: number, columns: number]> {
  yield ["embeddings.word_embeddings.weight", words, hidden];
  yield ["embeddings.position_embeddings.weight", positions, hidden];
  yield ["embeddings.token_type_embeddings.weight", 1, hidden];
  yield* normOf("embeddings.LayerNorm");
  for (let layer = 0; layer < layers; layer += 1) {
    for (const part of [parts.query, parts.key, parts.value, parts.mixed] as const)
      yield* denseOf(part, hidden, hidden);
    yield* denseOf(parts.inner, inner, hidden);
    yield* denseOf(parts.outer, hidden, inner);
    yield* normOf(layerName(layer, parts.mixedNorm));
    yield* normOf(layerName(layer, parts.outerNorm));
    function* denseOf(part: string, rows: number, columns: number): ReturnType<typeof wanted> {
      yield [`${layerName(layer, part)}.weight`, rows, columns];
      yield [`${layerName(layer, part)}.bias`, 1, rows];
    }
  }
  function* normOf(name: string): ReturnType<typeof wanted> {
    yield [`${name}.weight`, 1, hidden];
    yield [`${name}.bias`, 1, hidden];
  }
}

/** Error: in words, which tensor is missing or of another shape. */
export function checkTensors(tensors: Tensors, shape: EncoderShape): Result<null, string> {
  for (const [name, rows, columns] of wanted(shape)) {
    const found = tensors.shapeOf(name);
    const size = found?.reduce((all, one) => all * one, 1) ?? 0;
    // Tables may have more rows than are used; the rest must fit.
    const fits = rows > 1 || found?.length === 2 ? found?.at(-1) === columns : size === columns;
    if (!fits || size < rows * columns)
      return err(`its tensor ${name} is missing or has another shape`);
  }
  return ok(null);
}

interface Dense {
  /** Byte address of the weights, one row for each output. */
  readonly weights: number;
  readonly bias: Float32Array;
  readonly inputs: number;
  readonly outputs: number;
}

interface Norm {
  readonly scale: Float32Array;
  readonly shift: Float32Array;
}

/** Loads the layers into the kernel's memory (float32). Throws where a tensor is missing: see `checkTensors`. */
export function createEncoder(tensors: Tensors, shape: EncoderShape, pooling: Pooling): Encoder {
  const { hidden, inner, heads, layers } = shape;
  const rows = padded(shape.positions, stepFloats);
  const layerFloats = 4 * hidden * hidden + 2 * hidden * inner;
  const workFloats = rows * (6 * hidden + inner) + rows * rows + rows * (hidden / heads);
  const kernel = createProductKernel((layers * layerFloats + workFloats) * floatBytes);
  const floats = new Float32Array(kernel.memory);
  let free = 0;
  const take = (count: number): number => {
    const at = free;
    free += count;
    return at * floatBytes;
  };
  const dense = (layer: number, part: string, outputs: number): Dense => {
    const name = layerName(layer, part);
    const inputs = part === parts.outer ? inner : hidden;
    const weights = take(inputs * outputs);
    floats.set(tensors.all(`${name}.weight`), weights / floatBytes);
    return { weights, bias: tensors.all(`${name}.bias`), inputs, outputs };
  };
  const norm = (name: string): Norm => ({
    scale: tensors.all(`${name}.weight`),
    shift: tensors.all(`${name}.bias`),
  });
  const stack = Array.from({ length: layers }, (_, layer) => ({
    query: dense(layer, parts.query, hidden),
    key: dense(layer, parts.key, hidden),
    value: dense(layer, parts.value, hidden),
    mixed: dense(layer, parts.mixed, hidden),
    mixedNorm: norm(layerName(layer, parts.mixedNorm)),
    inner: dense(layer, parts.inner, inner),
    outer: dense(layer, parts.outer, hidden),
    outerNorm: norm(layerName(layer, parts.outerNorm)),
  }));
  const work = {
    state: take(rows * hidden),
    query: take(rows * hidden),
    key: take(rows * hidden),
    value: take(rows * hidden),
    mixed: take(rows * hidden),
    made: take(rows * hidden),
    inner: take(rows * inner),
    scores: take(rows * rows),
    turned: take(rows * (hidden / heads)),
  };
  const math = createMath(kernel, floats, shape);
  const embed = createTable(tensors, norm("embeddings.LayerNorm"), { shape, floats, math });
  return {
    shape,
    encode: (ids) => {
      const count = ids.length;
      embed(ids, work.state);
      for (const layer of stack) {
        math.dense(layer.query, work.state, work.query, count);
        math.dense(layer.key, work.state, work.key, count);
        math.dense(layer.value, work.state, work.value, count);
        math.attend(work, count);
        math.dense(layer.mixed, work.mixed, work.made, count);
        math.addNormed(layer.mixedNorm, work.made, work.state, count);
        math.dense(layer.inner, work.state, work.inner, count);
        math.gelu(work.inner, count * inner);
        math.dense(layer.outer, work.inner, work.made, count);
        math.addNormed(layer.outerNorm, work.made, work.state, count);
      }
      return pooled(floats.subarray(work.state / floatBytes), { count, hidden, pooling });
    },
  };
}

/** Word, position and kind of each token, added up and normalised. */
function createTable(
  tensors: Tensors,
  norm: Norm,
  {
    shape: { hidden },
    floats,
    math,
  }: {
    readonly shape: EncoderShape;
    readonly floats: Float32Array;
    readonly math: ReturnType<typeof createMath>;
  },
): (ids: readonly number[], state: number) => void {
  const positions = tensors.all("embeddings.position_embeddings.weight");
  const kind = tensors.all("embeddings.token_type_embeddings.weight");
  const word = new Float32Array(hidden);
  return (ids, state) => {
    const start = state / floatBytes;
    for (const [at, id] of ids.entries()) {
      tensors.row("embeddings.word_embeddings.weight", id, word);
      for (let i = 0; i < hidden; i += 1)
        floats[start + at * hidden + i] =
          (word[i] ?? 0) + (positions[at * hidden + i] ?? 0) + (kind[i] ?? 0);
    }
    math.normed(norm, state, ids.length);
  };
}

interface Attended {
  readonly query: number;
  readonly key: number;
  readonly value: number;
  readonly mixed: number;
  readonly scores: number;
  readonly turned: number;
}

/** The steps of a layer, on byte addresses of the kernel's memory. */
function createMath(
  kernel: ReturnType<typeof createProductKernel>,
  floats: Float32Array,
  { hidden, heads, epsilon }: EncoderShape,
) {
  const rowBytes = hidden * floatBytes;
  const head = hidden / heads;
  const headBytes = head * floatBytes;
  const normed = ({ scale, shift }: Norm, at: number, count: number): void => {
    for (let row = at / floatBytes; row < at / floatBytes + count * hidden; row += hidden) {
      let sum = 0;
      for (let i = row; i < row + hidden; i += 1) sum += floats[i] ?? 0;
      const mean = sum / hidden;
      let squares = 0;
      for (let i = row; i < row + hidden; i += 1) squares += ((floats[i] ?? 0) - mean) ** 2;
      const by = 1 / Math.sqrt(squares / hidden + epsilon);
      for (let i = 0; i < hidden; i += 1)
        floats[row + i] = ((floats[row + i] ?? 0) - mean) * by * (scale[i] ?? 0) + (shift[i] ?? 0);
    }
  };
  /** Rows of scores become shares that add up to one; what lies behind the text gets none. */
  const shares = (at: number, count: number, width: number): void => {
    const by = 1 / Math.sqrt(head);
    for (let row = at / floatBytes, end = row + count * width; row < end; row += width) {
      let most = -Infinity;
      for (let i = row; i < row + count; i += 1) most = Math.max(most, floats[i] ?? 0);
      let sum = 0;
      for (let i = row; i < row + count; i += 1)
        sum += floats[i] = Math.exp(((floats[i] ?? 0) - most) * by);
      for (let i = row; i < row + count; i += 1) floats[i] = (floats[i] ?? 0) / sum;
      floats.fill(0, row + count, row + width);
    }
  };
  /** The values of one head with rows and columns swapped, as the kernel wants them. */
  const turn = (from: number, to: number, count: number, width: number): void => {
    for (let token = 0; token < count; token += 1)
      for (let i = 0; i < head; i += 1)
        floats[to / floatBytes + i * width + token] =
          floats[from / floatBytes + token * hidden + i] ?? 0;
  };
  return {
    normed,
    dense: (
      { weights, bias, inputs, outputs }: Dense,
      x: number,
      out: number,
      count: number,
    ): void => {
      const xStride = inputs * floatBytes;
      kernel.multiply({
        ...{ x, xStride, xEnd: x + padded(count, xRows) * xStride },
        ...{ w: weights, wStride: xStride, wEnd: weights + outputs * xStride },
        ...{ out, outStride: outputs * floatBytes, length: xStride },
      });
      for (let row = out / floatBytes, end = row + count * outputs; row < end; row += outputs)
        for (let i = 0; i < outputs; i += 1)
          floats[row + i] = (floats[row + i] ?? 0) + (bias[i] ?? 0);
    },
    attend: ({ query, key, value, mixed, scores, turned }: Attended, count: number): void => {
      const width = padded(count, stepFloats);
      const wide = width * floatBytes;
      floats.fill(0, turned / floatBytes, turned / floatBytes + head * width);
      for (let at = 0; at < rowBytes; at += headBytes) {
        kernel.multiply({
          ...{ x: query + at, xStride: rowBytes, xEnd: query + at + width * rowBytes },
          ...{ w: key + at, wStride: rowBytes, wEnd: key + at + width * rowBytes },
          ...{ out: scores, outStride: wide, length: headBytes },
        });
        shares(scores, count, width);
        turn(value + at, turned, count, width);
        kernel.multiply({
          ...{ x: scores, xStride: wide, xEnd: scores + padded(count, xRows) * wide },
          ...{ w: turned, wStride: wide, wEnd: turned + head * wide },
          ...{ out: mixed + at, outStride: rowBytes, length: wide },
        });
      }
    },
    addNormed: (norm: Norm, made: number, state: number, count: number): void => {
      const [from, to] = [made / floatBytes, state / floatBytes];
      for (let i = 0; i < count * hidden; i += 1)
        floats[to + i] = (floats[to + i] ?? 0) + (floats[from + i] ?? 0);
      normed(norm, state, count);
    },
    gelu: (at: number, count: number): void => {
      for (let i = at / floatBytes; i < at / floatBytes + count; i += 1) {
        const value = floats[i] ?? 0;
        floats[i] = 0.5 * value * (1 + errorFunction(value * Math.SQRT1_2));
      }
    },
  };
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

function pooled(
  state: Float32Array,
  {
    count,
    hidden,
    pooling,
  }: { readonly count: number; readonly hidden: number; readonly pooling: Pooling },
): Float32Array {
  const vector = state.slice(0, hidden);
  if (pooling === "mean")
    for (let at = hidden; at < count * hidden; at += 1)
      vector[at % hidden] = (vector[at % hidden] ?? 0) + (state[at] ?? 0);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 0 ? vector.map((value) => value / length) : vector;
}
