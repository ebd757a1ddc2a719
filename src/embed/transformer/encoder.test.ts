/** The forward pass beside a second one in float64 that is written as the formulas are. */
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTransformer } from "./open.ts";
import {
  configJson,
  type Dtype,
  filesOf,
  type Matrix,
  safetensorsOf,
  tiny,
  tinyFiles,
  tinyTensors,
  writeFiles,
} from "./tiny-model.fixtures.ts";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function open(
  files = tinyFiles(),
  pooling: "cls" | "mean" = "mean",
  prefixes = { queryPrefix: "", documentPrefix: "" },
) {
  const folder = mkdtempSync(join(tmpdir(), "continuity-tiny-"));
  folders.push(folder);
  writeFiles(folder, files);
  return openTransformer(folder, { files: filesOf(files), pooling, ...prefixes });
}

function vectorOf(
  opened: ReturnType<typeof open>,
  text: string,
  kind: "document" | "query" = "document",
) {
  if (!opened.ok) throw new Error(opened.error);
  return opened.value.embed(text, kind);
}

type Rows = number[][];
const erf = (x: number): number => {
  // The series of erf, which is exact where the numbers of this model lie.
  let [sum, term] = [x, x];
  for (let n = 1; n < 200; n += 1) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return Math.abs(x) > 5 ? Math.sign(x) : (2 / Math.sqrt(Math.PI)) * sum;
};

/** `ids` through the model, straight from the paper. */
function reference(tensors: ReadonlyMap<string, Matrix>, ids: readonly number[]): Rows {
  const { hidden, heads } = tiny;
  const of = (name: string): Float32Array => tensors.get(name)!.numbers;
  const norm = (row: number[], name: string): number[] => {
    const mean = row.reduce((a, b) => a + b) / hidden;
    const variance = row.reduce((a, b) => a + (b - mean) ** 2, 0) / hidden;
    return row.map(
      (v, i) =>
        ((v - mean) / Math.sqrt(variance + 1e-12)) * of(`${name}.weight`)[i]! +
        of(`${name}.bias`)[i]!,
    );
  };
  const dense = (rows: Rows, name: string): Rows =>
    rows.map((row) =>
      [...of(`${name}.bias`)].map((b, out) =>
        row.reduce((sum, v, i) => sum + v * of(`${name}.weight`)[out * row.length + i]!, b),
      ),
    );
  const plus = (a: Rows, b: Rows): Rows => a.map((row, r) => row.map((v, i) => v + b[r]![i]!));
  let state = ids.map((id, at) =>
    norm(
      Array.from(
        { length: hidden },
        (_, i) =>
          of("embeddings.word_embeddings.weight")[id * hidden + i]! +
          of("embeddings.position_embeddings.weight")[at * hidden + i]! +
          of("embeddings.token_type_embeddings.weight")[i]!,
      ),
      "embeddings.LayerNorm",
    ),
  );
  for (let layer = 0; layer < tiny.layers; layer += 1) {
    const at = `encoder.layer.${layer}`;
    const [q, k, v] = ["query", "key", "value"].map((part) =>
      dense(state, `${at}.attention.self.${part}`),
    ) as [Rows, Rows, Rows];
    const size = hidden / heads;
    const mixed = state.map((_, token) => {
      const out: number[] = [];
      for (let head = 0; head < heads; head += 1) {
        const cut = (row: number[]): number[] => row.slice(head * size, (head + 1) * size);
        const scores = k.map((row) =>
          Math.exp(cut(row).reduce((s, x, i) => s + x * cut(q[token]!)[i]!, 0) / Math.sqrt(size)),
        );
        const all = scores.reduce((a, b) => a + b);
        for (let i = 0; i < size; i += 1)
          out.push(v.reduce((s, row, j) => s + (scores[j]! / all) * cut(row)[i]!, 0));
      }
      return out;
    });
    state = plus(state, dense(mixed, `${at}.attention.output.dense`)).map((row) =>
      norm(row, `${at}.attention.output.LayerNorm`),
    );
    const inner = dense(state, `${at}.intermediate.dense`).map((row) =>
      row.map((x) => 0.5 * x * (1 + erf(x / Math.SQRT2))),
    );
    state = plus(state, dense(inner, `${at}.output.dense`)).map((row) =>
      norm(row, `${at}.output.LayerNorm`),
    );
  }
  return state;
}

const unit = (row: number[]): number[] => row.map((v) => v / Math.hypot(...row));
const mean = (rows: Rows): number[] =>
  rows[0]!.map((_, i) => rows.reduce((sum, row) => sum + row[i]!, 0) / rows.length);
const farthest = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.max(...Array.from({ length: a.length }, (_, i) => Math.abs(a[i]! - b[i]!)));

// [CLS] un ##believ ##able , the run ##s ! [SEP]
const text = "Unbelievable, the runs!";
const ids = [2, 7, 8, 9, 14, 4, 11, 10, 15, 3];

test("a text's vector is that of the formulas, pooled over all tokens or taken from the first", () => {
  const state = reference(tinyTensors(), ids);
  expect(farthest(vectorOf(open(), text), unit(mean(state)))).toBeLessThan(1e-5);
  expect(farthest(vectorOf(open(tinyFiles(), "cls"), text), unit(state[0]!))).toBeLessThan(1e-5);
});

test("what was embedded before leaves no trace in the next vector", () => {
  const opened = open();
  const alone = vectorOf(opened, "the");
  vectorOf(opened, "run runs the unbelievable zorbit quandel merrow the runs");
  expect(vectorOf(opened, "the")).toEqual(alone);
});

test.each([
  ["F16", 0.01],
  ["BF16", 0.05],
] as const)("weights in %s give nearly the same vector", (dtype: Dtype, within: number) => {
  const files = tinyFiles({ "model.safetensors": safetensorsOf(tinyTensors(), dtype, "bert.") });
  const far = farthest(vectorOf(open(files), text), vectorOf(open(), text));
  expect(far).toBeGreaterThan(0);
  expect(far).toBeLessThan(within);
});

test("a text that is longer than the model's positions is cut, and an empty one has a vector too", () => {
  const opened = open();
  const long = vectorOf(opened, "the ".repeat(1_000_000));
  expect(long).toEqual(vectorOf(opened, "the ".repeat(tiny.positions - 2)));
  expect(vectorOf(opened, "").every(Number.isFinite)).toBe(true);
});

test("questions and documents get the words in front that the model wants", () => {
  const opened = open(tinyFiles(), "mean", { queryPrefix: "run ", documentPrefix: "the " });
  const plain = open();
  expect(vectorOf(opened, "x", "query")).toEqual(vectorOf(plain, "run x"));
  expect(vectorOf(opened, "x", "document")).toEqual(vectorOf(plain, "the x"));
});

test.each([
  [{ model_type: "nomic_bert" }, 'its architecture is "nomic_bert"'],
  [{ hidden_act: "silu" }, 'its activation is "silu"'],
  [{ position_embedding_type: "relative_key" }, "its positions"],
  [{ hidden_size: 30 }, "its sizes"],
  [{ num_hidden_layers: 3 }, "its tensor encoder.layer.2.attention.self.query.weight is missing"],
  [{ vocab_size: 5 }, "its tokenizer knows more tokens"],
])("a model of another kind is refused in one line: %p", (change, reason) => {
  const config = Buffer.from(JSON.stringify({ ...configJson, ...change }));
  const opened = open(tinyFiles({ "config.json": config }));
  expect(opened).toMatchObject({ ok: false, error: expect.stringContaining(reason) });
});

test("weights that were cut off, or are none, are refused", () => {
  for (const weights of [
    Buffer.alloc(0),
    Buffer.from("hello, world"),
    tinyFiles()["model.safetensors"].subarray(0, -4),
  ])
    expect(open(tinyFiles({ "model.safetensors": weights })).ok).toBe(false);
});
