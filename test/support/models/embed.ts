/** Small models in the CST2 format, for tests. */

/** Level `n` of the sixteen stands for `n - 8`. */
const codeOf = (value: number): number => value + 8;

/** A model file in the CST2 format. Every word gets one row of `dimension` whole numbers from -8 to 7. */
export function modelFile(
  rows: Readonly<Record<string, readonly number[]>>,
  scale = 0.5,
): Uint8Array {
  const words = Object.keys(rows);
  const dimension = rows[words[0] ?? ""]?.length ?? 0;
  const vocabulary = new TextEncoder().encode(words.join("\n"));
  const levelsAt = Math.ceil((16 + vocabulary.length) / 4) * 4;
  const scalesAt = levelsAt + 64;
  const codesAt = scalesAt + words.length * 4;
  const file = new Uint8Array(codesAt + (words.length * dimension) / 2);
  const view = new DataView(file.buffer);
  file.set(new TextEncoder().encode("CST2"));
  view.setUint32(4, words.length, true);
  view.setUint32(8, dimension, true);
  view.setUint32(12, vocabulary.length, true);
  file.set(vocabulary, 16);
  for (let code = 0; code < 16; code += 1) view.setFloat32(levelsAt + code * 4, code - 8, true);
  words.forEach((_, i) => view.setFloat32(scalesAt + i * 4, scale, true));
  const values = Object.values(rows).flat();
  for (let at = 0; at < values.length; at += 2)
    file[codesAt + at / 2] = codeOf(values[at] ?? 0) | (codeOf(values[at + 1] ?? 0) << 4);
  return file;
}
