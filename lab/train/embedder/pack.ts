/**
 * Packs trained vectors into a model file (CST2, see models/README.md): four bits a number, of the sixteen levels that lose
 * least of what is normally distributed, and one scale a row. Usage: bun pack.ts VOCABULARY.txt VECTORS.f32 OUT.bin
 */
import { readFileSync, writeFileSync } from "node:fs";

/** Lloyd and Max: the levels of a quantiser of sixteen steps for a normal distribution. */
const half = [0.1284, 0.3881, 0.6568, 0.9424, 1.2562, 1.6181, 2.0691, 2.7326];
export const levels = Float32Array.from([...half.map((level) => -level).toReversed(), ...half]);

const nearest = (value: number): number => {
  let best = 0;
  for (let code = 1; code < levels.length; code += 1)
    if (Math.abs(value - (levels[code] ?? 0)) < Math.abs(value - (levels[best] ?? 0))) best = code;
  return best;
};

export function packRow(row: Float32Array): { readonly scale: number; readonly codes: Uint8Array } {
  let scale = Math.hypot(...row) / Math.sqrt(row.length) || 1;
  const codes = new Uint8Array(row.length);
  // The scale that fits the codes best, and the codes that fit it: three rounds settle it.
  for (let round = 0; round < 3; round += 1) {
    let [product, squares] = [0, 0];
    for (let d = 0; d < row.length; d += 1) {
      const code = nearest((row[d] ?? 0) / scale);
      codes[d] = code;
      product += (row[d] ?? 0) * (levels[code] ?? 0);
      squares += (levels[code] ?? 0) ** 2;
    }
    if (round < 2 && product > 0) scale = product / squares;
  }
  return { scale, codes };
}

export function packModel(vocabulary: string, vectors: Float32Array): Uint8Array {
  const words = new TextEncoder().encode(vocabulary);
  const rows = vocabulary.split("\n").length;
  const dimension = vectors.length / rows;
  const levelsAt = Math.ceil((16 + words.length) / 4) * 4;
  const scalesAt = levelsAt + levels.length * 4;
  const codesAt = scalesAt + rows * 4;
  const file = new Uint8Array(codesAt + (rows * dimension) / 2);
  const view = new DataView(file.buffer);
  file.set(new TextEncoder().encode("CST2"));
  for (const [at, value] of [rows, dimension, words.length].entries())
    view.setUint32(4 + at * 4, value, true);
  file.set(words, 16);
  for (const [at, level] of levels.entries()) view.setFloat32(levelsAt + at * 4, level, true);
  for (let row = 0; row < rows; row += 1) {
    const { scale, codes } = packRow(vectors.subarray(row * dimension, (row + 1) * dimension));
    view.setFloat32(scalesAt + row * 4, scale, true);
    for (let d = 0; d < dimension; d += 2)
      file[codesAt + (row * dimension + d) / 2] = (codes[d] ?? 0) | ((codes[d + 1] ?? 0) << 4);
  }
  return file;
}

/** The words of a model file and their vectors as they were packed. */
export function unpackModel(file: Uint8Array): {
  readonly words: readonly string[];
  readonly dimension: number;
  readonly row: (at: number) => Float32Array;
} {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const [rows = 0, dimension = 0, bytes = 0] = [4, 8, 12].map((at) => view.getUint32(at, true));
  if (new TextDecoder().decode(file.subarray(0, 4)) !== "CST2") throw new Error("no CST2 model");
  const levelsAt = Math.ceil((16 + bytes) / 4) * 4;
  const scalesAt = levelsAt + levels.length * 4;
  const codesAt = scalesAt + rows * 4;
  const level = (code: number): number => view.getFloat32(levelsAt + code * 4, true);
  return {
    words: new TextDecoder().decode(file.subarray(16, 16 + bytes)).split("\n"),
    dimension,
    row: (at) => {
      const scale = view.getFloat32(scalesAt + at * 4, true);
      return Float32Array.from({ length: dimension }, (_, d) => {
        const pair = file[codesAt + (at * dimension + d) / 2 - (d % 2) / 2] ?? 0;
        return scale * level(d % 2 === 0 ? pair & 15 : pair >> 4);
      });
    },
  };
}

if (import.meta.main) {
  const [vocabulary = "", vectors = "", out = ""] = process.argv.slice(2);
  const file = packModel(
    readFileSync(vocabulary, "utf8"),
    new Float32Array(await Bun.file(vectors).arrayBuffer()),
  );
  writeFileSync(out, file);
  console.log(
    `${out}: ${file.length} bytes, sha256 ${new Bun.CryptoHasher("sha256").update(file).digest("hex")}`,
  );
}
