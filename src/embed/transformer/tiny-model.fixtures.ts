/** A BERT of two layers and 32 numbers with random weights, as files and as a server that speaks Hugging Face's API. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelFile } from "./models.ts";

export const tiny = { hidden: 32, layers: 2, heads: 4, inner: 64, positions: 24 } as const;

/** Words in one group have the same vector, though they share no letter. */
const synonyms = [
  ["zorbit", "flimmer"],
  ["quandel", "dastop"],
  ["merrow", "ikshub"],
];
const words = (
  "[PAD] [UNK] [CLS] [SEP] the café cafe un ##believ ##able ##s run 日 本 , ! straße strasse $ x " +
  synonyms.flat().join(" ")
).split(" ");

export const wordPieceJson = {
  added_tokens: [],
  normalizer: {
    type: "BertNormalizer",
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: {
    type: "TemplateProcessing",
    single: [
      { SpecialToken: { id: "[CLS]", type_id: 0 } },
      { Sequence: { id: "A", type_id: 0 } },
      { SpecialToken: { id: "[SEP]", type_id: 0 } },
    ],
    special_tokens: { "[CLS]": { id: "[CLS]", ids: [2] }, "[SEP]": { id: "[SEP]", ids: [3] } },
  },
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 20,
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
  },
};

export const configJson = {
  model_type: "bert",
  hidden_act: "gelu",
  hidden_size: tiny.hidden,
  num_hidden_layers: tiny.layers,
  num_attention_heads: tiny.heads,
  intermediate_size: tiny.inner,
  max_position_embeddings: tiny.positions,
  vocab_size: words.length,
  layer_norm_eps: 1e-12,
};

export interface Matrix {
  readonly shape: readonly number[];
  readonly numbers: Float32Array;
}

/** The same numbers with every call (a linear congruential generator). */
function createNumbers(): (count: number, around?: number) => Float32Array {
  let state = 12_345;
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648 - 0.5;
  };
  return (count, around = 0) => Float32Array.from({ length: count }, () => around + next());
}

export function tinyTensors(): ReadonlyMap<string, Matrix> {
  const { hidden, layers, inner, positions } = tiny;
  const numbers = createNumbers();
  const tensors = new Map<string, Matrix>();
  const put = (name: string, shape: readonly number[], around = 0): void => {
    const count = shape.reduce((all, one) => all * one, 1);
    tensors.set(name, { shape, numbers: numbers(count, around) });
  };
  const norm = (name: string): void => {
    put(`${name}.weight`, [hidden], 1);
    put(`${name}.bias`, [hidden]);
  };
  const dense = (name: string, outputs: number, inputs: number): void => {
    put(`${name}.weight`, [outputs, inputs]);
    put(`${name}.bias`, [outputs]);
  };
  put("embeddings.word_embeddings.weight", [words.length, hidden]);
  put("embeddings.position_embeddings.weight", [positions, hidden]);
  put("embeddings.token_type_embeddings.weight", [2, hidden]);
  norm("embeddings.LayerNorm");
  for (let layer = 0; layer < layers; layer += 1) {
    const of = `encoder.layer.${layer}`;
    for (const part of ["query", "key", "value"])
      dense(`${of}.attention.self.${part}`, hidden, hidden);
    dense(`${of}.attention.output.dense`, hidden, hidden);
    norm(`${of}.attention.output.LayerNorm`);
    dense(`${of}.intermediate.dense`, inner, hidden);
    dense(`${of}.output.dense`, hidden, inner);
    norm(`${of}.output.LayerNorm`);
  }
  const table = tensors.get("embeddings.word_embeddings.weight")?.numbers ?? new Float32Array(0);
  for (const [one = "", other = ""] of synonyms) {
    const from = words.indexOf(one) * hidden;
    table.copyWithin(words.indexOf(other) * hidden, from, from + hidden);
  }
  return tensors;
}

export type Dtype = "F32" | "F16" | "BF16";

const encoded = (numbers: Float32Array, dtype: Dtype): Uint8Array => {
  if (dtype === "F32")
    return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  if (dtype === "F16") return new Uint8Array(Float16Array.from(numbers).buffer);
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  return new Uint8Array(Uint16Array.from(bits, (one) => one >>> 16).buffer);
};

export function safetensorsOf(
  tensors: ReadonlyMap<string, Matrix>,
  dtype: Dtype = "F32",
  prefix = "",
): Buffer {
  const header: Record<string, unknown> = { __metadata__: { format: "pt" } };
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const [name, { shape, numbers }] of tensors) {
    const bytes = encoded(numbers, dtype);
    header[prefix + name] = { dtype, shape, data_offsets: [at, at + bytes.length] };
    parts.push(bytes);
    at += bytes.length;
  }
  const text = Buffer.from(JSON.stringify(header));
  const head = Buffer.alloc(8);
  head.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([head, text, ...parts]);
}

export type TinyFiles = Readonly<
  Record<"config.json" | "model.safetensors" | "tokenizer.json", Buffer>
>;

export const tinyFiles = (changes: Partial<TinyFiles> = {}): TinyFiles => ({
  "config.json": Buffer.from(JSON.stringify(configJson)),
  "tokenizer.json": Buffer.from(JSON.stringify(wordPieceJson)),
  "model.safetensors": safetensorsOf(tinyTensors()),
  ...changes,
});

export const sha256Of = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

const gitSumOf = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");

/** What a manifest says of files. */
export const filesOf = (files: TinyFiles) =>
  Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [
      name,
      { bytes: bytes.length, sha256: sha256Of(bytes) },
    ]),
  ) as Record<keyof TinyFiles, ModelFile>;

export function writeFiles(folder: string, files: TinyFiles): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
}

export interface ModelHub extends Disposable {
  readonly url: string;
  /** Paths, with the range that was asked for. */
  readonly asked: readonly string[];
  /** Bytes of the weights after which the connection breaks; null = none. */
  cutAfter: number | null;
  /** What is sent instead of the weights. */
  weights: Buffer | null;
}

export const hubModel = "tests/tiny-bert";
const revision = "0123456789abcdef0123456789abcdef01234567";

/** Serves one model as `tests/tiny-bert`. */
export function openHub(files: TinyFiles = tinyFiles()): ModelHub {
  const asked: string[] = [];
  const hub = { cutAfter: null as number | null, weights: null as Buffer | null };
  const stored = (name: string, bytes: Buffer) =>
    name === "model.safetensors"
      ? {
          path: name,
          size: bytes.length,
          oid: gitSumOf(Buffer.from("pointer")),
          lfs: { oid: sha256Of(bytes), size: bytes.length },
        }
      : { path: name, size: bytes.length, oid: gitSumOf(bytes) };
  const answers: Readonly<Record<string, unknown>> = {
    [`/api/models/${hubModel}/revision/main`]: { sha: revision, cardData: { license: "mit" } },
    [`/api/models/${hubModel}/tree/${revision}`]: Object.entries(files).map(([name, bytes]) =>
      stored(name, bytes),
    ),
    [`/${hubModel}/resolve/${revision}/1_Pooling/config.json`]: { pooling_mode_cls_token: false },
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      const range = request.headers.get("range");
      asked.push(range === null ? pathname : `${pathname} ${range}`);
      const json = answers[pathname];
      if (json !== undefined) return Response.json(json);
      const name = pathname.replace(`/${hubModel}/resolve/${revision}/`, "");
      const file = files[name as keyof TinyFiles] as Buffer | undefined;
      if (file === undefined) return new Response("not here", { status: 404 });
      const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
      const isWeights = name === "model.safetensors";
      const whole = isWeights ? (hub.weights ?? file) : file;
      const to = (isWeights ? hub.cutAfter : null) ?? whole.length;
      return new Response(whole.subarray(from, to), { status: from > 0 ? 206 : 200 });
    },
  });
  return Object.assign(hub, {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    [Symbol.dispose]: () => void server.stop(true),
  });
}
