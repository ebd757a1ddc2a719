/**
 * Embeds each line of a file with the sentence transformer all-MiniLM-L6-v2 (Apache-2.0): unit
 * vectors, brought down to the model's dimension by their principal components. Usage: bun
 * teacher.ts MODEL-FOLDER LINES.txt OUT PROGRAM (teacher.c, compiled) DIMENSION
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const width = 384;
const layers = 6;
const tokensMax = 48;
const sample = 30_000;
const cores = Number(process.env["CORES"] ?? "2");

/** The weights one after the other, as teacher.c reads them. */
export function weightsOf(safetensors: Uint8Array): Float32Array {
  const view = new DataView(safetensors.buffer, safetensors.byteOffset);
  const headerBytes = Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(safetensors.subarray(8, 8 + headerBytes)));
  const names = [
    "embeddings.word_embeddings.weight",
    "embeddings.position_embeddings.weight",
    "embeddings.token_type_embeddings.weight",
    "embeddings.LayerNorm.weight",
    "embeddings.LayerNorm.bias",
  ];
  for (let layer = 0; layer < layers; layer += 1)
    for (const part of [
      "attention.self.query",
      "attention.self.key",
      "attention.self.value",
      "attention.output.dense",
      "attention.output.LayerNorm",
      "intermediate.dense",
      "output.dense",
      "output.LayerNorm",
    ])
      names.push(`encoder.layer.${layer}.${part}.weight`, `encoder.layer.${layer}.${part}.bias`);
  const parts = names.map((name) => {
    const [from, to] = header[name].data_offsets;
    return new Float32Array(safetensors.slice(8 + headerBytes + from, 8 + headerBytes + to).buffer);
  });
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** BERT's own way of cutting: lower case, no accents, punctuation apart, then the longest known pieces. */
export function wordPieces(vocabulary: ReadonlyMap<string, number>): (text: string) => number[] {
  const [unknown = 100, begin = 101, end = 102] = ["[UNK]", "[CLS]", "[SEP]"].map(
    (name) => vocabulary.get(name) ?? 0,
  );
  return (text) => {
    const ids: number[] = [];
    const plain = text
      .toLowerCase()
      .normalize("NFD")
      .replaceAll(/\p{Mn}/gu, "");
    for (const word of plain.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? []) {
      const own: number[] = [];
      for (let at = 0; at < word.length;) {
        let length = word.length - at;
        let id: number | undefined;
        for (; length > 0; length -= 1) {
          id = vocabulary.get((at > 0 ? "##" : "") + word.slice(at, at + length));
          if (id !== undefined) break;
        }
        if (id === undefined) {
          own.splice(0, own.length, unknown);
          break;
        }
        own.push(id);
        at += length;
      }
      ids.push(...own);
    }
    return [begin, ...ids.slice(0, tokensMax - 2), end];
  };
}

/** Principal axes by orthogonal iteration, and the mean that is taken away first. */
export function principal(vectors: Float32Array, count: number, dimension: number) {
  const mean = new Float64Array(width);
  const step = Math.max(1, Math.floor(count / sample));
  const used = Math.floor(count / step);
  for (let i = 0; i < used; i += 1)
    for (let d = 0; d < width; d += 1)
      mean[d] = (mean[d] ?? 0) + (vectors[i * step * width + d] ?? 0) / used;
  const covariance = new Float64Array(width * width);
  const x = new Float64Array(width);
  for (let i = 0; i < used; i += 1) {
    for (let d = 0; d < width; d += 1) x[d] = (vectors[i * step * width + d] ?? 0) - (mean[d] ?? 0);
    for (let a = 0; a < width; a += 1) {
      const xa = x[a] ?? 0;
      for (let b = 0; b <= a; b += 1)
        covariance[a * width + b] = (covariance[a * width + b] ?? 0) + xa * (x[b] ?? 0);
    }
  }
  for (let a = 0; a < width; a += 1)
    for (let b = a + 1; b < width; b += 1)
      covariance[a * width + b] = covariance[b * width + a] ?? 0;
  let seed = 1;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 1_073_741_824 - 1;
  };
  let axes: readonly Float64Array[] = Array.from({ length: dimension }, () =>
    Float64Array.from({ length: width }, random),
  );
  for (let round = 0; round < 25; round += 1) {
    const next: Float64Array[] = [];
    for (const axis of axes) {
      const moved = new Float64Array(width);
      for (let a = 0; a < width; a += 1) {
        let sum = 0;
        for (let b = 0; b < width; b += 1) sum += (covariance[a * width + b] ?? 0) * (axis[b] ?? 0);
        moved[a] = sum;
      }
      for (const before of next) {
        let dot = 0;
        for (let a = 0; a < width; a += 1) dot += (moved[a] ?? 0) * (before[a] ?? 0);
        for (let a = 0; a < width; a += 1) moved[a] = (moved[a] ?? 0) - dot * (before[a] ?? 0);
      }
      const norm = Math.hypot(...moved) || 1;
      for (let a = 0; a < width; a += 1) moved[a] = (moved[a] ?? 0) / norm;
      next.push(moved);
    }
    axes = next;
  }
  return { mean, axes };
}

if (import.meta.main) {
  const [model = "", linesPath = "", out = "", program = "", dimensionText = "256"] =
    process.argv.slice(2);
  const dimension = Number(dimensionText);
  const { vocab } = JSON.parse(readFileSync(join(model, "tokenizer.json"), "utf8")).model;
  const pieces = wordPieces(new Map(Object.entries<number>(vocab)));
  const lines = readFileSync(linesPath, "utf8").split("\n");
  // Lines that were computed before are kept: a recipe is run more than once.
  const before = existsSync(`${out}.lines`) ? readFileSync(`${out}.lines`, "utf8").split("\n") : [];
  const kept =
    before.length > 0
      ? new Float32Array(await Bun.file(`${out}.raw`).arrayBuffer())
      : new Float32Array(0);
  const at = new Map(before.map((line, index) => [line, index]));
  const missing = [...new Set(lines.filter((line) => !at.has(line)))];
  const tokens: number[] = [];
  for (const line of missing) {
    const ids = pieces(line);
    tokens.push(ids.length, ...ids);
    at.set(line, at.size);
  }
  writeFileSync(`${out}.tokens`, new Uint8Array(Uint32Array.from(tokens).buffer));
  writeFileSync(
    `${out}.weights`,
    new Uint8Array(weightsOf(await Bun.file(join(model, "model.safetensors")).bytes()).buffer),
  );
  console.error(
    `${lines.length} texts, ${missing.length} of them new, ${tokens.length - missing.length} tokens`,
  );
  const running = Array.from({ length: cores }, (_, core) => {
    const bounds = [core, core + 1].map((each) =>
      String(Math.floor((missing.length * each) / cores)),
    );
    return Bun.spawn([
      program,
      `${out}.weights`,
      `${out}.tokens`,
      `${out}.${core}`,
      String(layers),
      ...bounds,
    ]);
  });
  for (const each of running) if ((await each.exited) !== 0) throw new Error("teacher.c failed");
  const raw = new Float32Array(at.size * width);
  raw.set(kept);
  let end = kept.length;
  for (let core = 0; core < cores; core += 1) {
    const part = new Float32Array(await Bun.file(`${out}.${core}`).arrayBuffer());
    raw.set(part, end);
    end += part.length;
  }
  writeFileSync(`${out}.raw`, new Uint8Array(raw.buffer));
  writeFileSync(`${out}.lines`, [...at.keys()].join("\n"));
  const vectors = new Float32Array(lines.length * width);
  lines.forEach((line, index) => {
    const from = (at.get(line) ?? 0) * width;
    vectors.set(raw.subarray(from, from + width), index * width);
  });
  const { mean, axes } = principal(vectors, lines.length, dimension);
  const targets = new Float32Array(lines.length * dimension);
  for (let i = 0; i < lines.length; i += 1) {
    let squares = 0;
    for (let k = 0; k < dimension; k += 1) {
      const axis = axes[k] ?? new Float64Array(width);
      let sum = 0;
      for (let d = 0; d < width; d += 1)
        sum += ((vectors[i * width + d] ?? 0) - (mean[d] ?? 0)) * (axis[d] ?? 0);
      targets[i * dimension + k] = sum;
      squares += sum * sum;
    }
    const norm = Math.sqrt(squares) || 1;
    for (let k = 0; k < dimension; k += 1)
      targets[i * dimension + k] = (targets[i * dimension + k] ?? 0) / norm;
  }
  writeFileSync(out, new Uint8Array(targets.buffer));
}
