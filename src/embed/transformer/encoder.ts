/**
 * The forward pass of a BERT encoder over one text: token ids in, one unit vector out. The matrix products are the
 * kernel's; what lies between them is cheap beside them. The table of words stays in the file, and of it only the rows
 * of the text are read.
 */
import { createProductKernel, floatBytes, stepBytes } from "./kernel.ts";
import {
  addNormalised,
  applyDense,
  attend,
  type Attended,
  type Dense,
  gelu,
  type Norm,
  normalise,
  padded,
  type Place,
} from "./math.ts";
import type { Tensors } from "./safetensors.ts";
import { type EncoderShape, layerName, parts } from "./shape.ts";

export type Pooling = "cls" | "mean";

/** Unit vector of `shape.hidden` numbers. `ids`: at least one and at most `shape.positions`. */
export type Encode = (ids: readonly number[]) => Float32Array;

interface Layer {
  readonly query: Dense;
  readonly key: Dense;
  readonly value: Dense;
  readonly mixed: Dense;
  readonly mixedNorm: Norm;
  readonly inner: Dense;
  readonly outer: Dense;
  readonly outerNorm: Norm;
}

interface Work extends Attended {
  readonly state: number;
  readonly made: number;
  readonly inner: number;
}

/** Loads the layers into the kernel's memory (float32). Throws where a tensor is missing: see `checkTensors`. */
export function createEncoder(tensors: Tensors, shape: EncoderShape, pooling: Pooling): Encode {
  const { hidden, inner, heads, layers } = shape;
  const rows = padded(shape.positions, stepBytes / floatBytes);
  const layerFloats = 4 * hidden * hidden + 2 * hidden * inner;
  const workFloats = rows * (6 * hidden + inner + rows + hidden / heads);
  const kernel = createProductKernel((layers * layerFloats + workFloats) * floatBytes);
  const floats = new Float32Array(kernel.memory);
  let free = 0;
  const take = (count: number): number => {
    const at = free;
    free += count * floatBytes;
    return at;
  };
  const load = (name: string, outputs: number): Dense => {
    const weights = tensors.all(`${name}.weight`);
    const at = take(weights.length);
    floats.set(weights, at / floatBytes);
    const bias = tensors.all(`${name}.bias`);
    return { weights: at, bias, inputs: weights.length / outputs, outputs };
  };
  const stack = Array.from({ length: layers }, (_, at) => loadLayer(tensors, { shape, at, load }));
  const work: Work = {
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
  const embed = createTable(tensors);
  return (ids) => {
    const place = { floats, kernel, shape, count: ids.length };
    embed(place, ids, work.state);
    for (const layer of stack) runLayer(place, layer, work);
    return pooled(floats.subarray(work.state / floatBytes), place, pooling);
  };
}

interface Loading {
  readonly shape: EncoderShape;
  readonly at: number;
  readonly load: (name: string, outputs: number) => Dense;
}

const loadLayer = (tensors: Tensors, { shape: { hidden, inner }, at, load }: Loading): Layer => ({
  query: load(layerName(at, parts.query), hidden),
  key: load(layerName(at, parts.key), hidden),
  value: load(layerName(at, parts.value), hidden),
  mixed: load(layerName(at, parts.mixed), hidden),
  mixedNorm: normOf(tensors, layerName(at, parts.mixedNorm)),
  inner: load(layerName(at, parts.inner), inner),
  outer: load(layerName(at, parts.outer), hidden),
  outerNorm: normOf(tensors, layerName(at, parts.outerNorm)),
});

const normOf = (tensors: Tensors, name: string): Norm => ({
  scale: tensors.all(`${name}.weight`),
  shift: tensors.all(`${name}.bias`),
});

function runLayer(place: Place, layer: Layer, work: Work): void {
  applyDense(place, layer.query, work.state, work.query);
  applyDense(place, layer.key, work.state, work.key);
  applyDense(place, layer.value, work.state, work.value);
  attend(place, work);
  applyDense(place, layer.mixed, work.mixed, work.made);
  addNormalised(place, layer.mixedNorm, work.made, work.state);
  applyDense(place, layer.inner, work.state, work.inner);
  gelu(place.floats, work.inner, place.count * place.shape.inner);
  applyDense(place, layer.outer, work.inner, work.made);
  addNormalised(place, layer.outerNorm, work.made, work.state);
}

/** Word, position and kind of each token, added up and normalised. */
function createTable(
  tensors: Tensors,
): (place: Place, ids: readonly number[], state: number) => void {
  const positions = tensors.all("embeddings.position_embeddings.weight");
  const kind = tensors.all("embeddings.token_type_embeddings.weight");
  const norm = normOf(tensors, "embeddings.LayerNorm");
  return (place, ids, state) => {
    const { floats, shape } = place;
    const { hidden } = shape;
    const word = new Float32Array(hidden);
    for (const [at, id] of ids.entries()) {
      tensors.row("embeddings.word_embeddings.weight", id, word);
      const start = state / floatBytes + at * hidden;
      for (let i = 0; i < hidden; i += 1)
        floats[start + i] = (word[i] ?? 0) + (positions[at * hidden + i] ?? 0) + (kind[i] ?? 0);
    }
    normalise(place, norm, state);
  };
}

function pooled(state: Float32Array, { count, shape }: Place, pooling: Pooling): Float32Array {
  const { hidden } = shape;
  const vector = state.slice(0, hidden);
  if (pooling === "mean")
    for (let at = hidden; at < count * hidden; at += 1)
      vector[at % hidden] = (vector[at % hidden] ?? 0) + (state[at] ?? 0);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 0 ? vector.map((value) => value / length) : vector;
}
