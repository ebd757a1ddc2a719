/** What an encoder has to be like: sizes from `config.json`, and the tensors that belong to them. */
import { err, ok, type Result } from "#kit";
import { floatBytes, stepBytes } from "./kernel.ts";
import type { Tensors } from "./safetensors.ts";

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

/** Texts longer than this are cut: what models of this kind were trained with, and what memory is made ready for. */
const tokensMax = 512;
const stepFloats = stepBytes / floatBytes;

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

export const layerName = (layer: number, part: string): string => `encoder.layer.${layer}.${part}`;
export const parts = {
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
