/**
 * From texts to what the trainer reads: the vocabulary, where its vectors start, and the records.
 * Usage: bun prepare.ts SOURCES PARALLEL.tsv START.bin OUT [LEFT-OUT-INGREDIENT…]
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stemMark } from "#embed";
import { debian, web, wordnet } from "./english.ts";
import { unpackModel } from "./pack.ts";
import { voiceTexts, writtenTexts, type Texts } from "./texts.ts";
import { countedWords, createEncoder, stemsOf } from "./vocabulary.ts";

const [sources = "", parallelPath = "", startPath = "", out = "", ...leftOut] =
  process.argv.slice(2);
const isUsed = (ingredient: string): boolean => !leftOut.includes(ingredient);
let seed = 7;
const limits = {
  english: 33_000,
  foreign: 3,
  stems: 9_000,
  words: 86_000,
  texts: 96,
  taught: { parallel: 2, debian: 16, wordnet: 24 } as Record<string, number>,
};

const written = writtenTexts(join(import.meta.dir, "data")).filter(({ source }) => isUsed(source));
// Neither words nor the teacher's texts are chosen by them: with a developer left out, nothing may hint at what
// they say.
const voices = isUsed("voices") ? voiceTexts(join(import.meta.dir, "../voices")) : [];
const isVoice = new Set(voices.map(({ source }) => source));
const parallel: Texts[] = isUsed("parallel")
  ? readFileSync(parallelPath, "utf8")
      .split("\n")
      .map((line) => line.split("\t").slice(1))
      .map((texts) => ({ source: "parallel", same: texts.filter((text) => text !== "") }))
  : [];
const pairs = (source: string, all: readonly (readonly [string, string])[]): Texts[] =>
  all.map((same) => ({ source, same }));
const english = [
  ...pairs("wordnet", wordnet(sources)),
  ...pairs("debian", debian(sources)),
  ...pairs("web", web(sources)),
].filter(({ source }) => isUsed(source));
const all = [...written, ...voices, ...parallel, ...english].filter(({ same }) => same.length > 1);

// English keeps the most frequent words of the model it starts from; the other languages bring those met often enough.
const start = unpackModel(readFileSync(startPath));
const counts = new Map<string, number>();
const writtenCounts = new Map<string, number>();
const count = (into: Map<string, number>, text: string): void => {
  for (const word of countedWords(text)) into.set(word, (into.get(word) ?? 0) + 1);
};
for (const { same } of parallel) for (const text of same) count(counts, text);
for (const { same, negative } of written)
  for (const text of [...same, negative ?? ""]) {
    count(counts, text);
    count(writtenCounts, text);
  }
const englishWords = start.words.slice(0, limits.english);
const known = new Set(englishWords);
for (const [word, times] of writtenCounts) if (times >= 1 && word.length < 24) known.add(word);
for (const [word, times] of [...counts].toSorted(([, a], [, b]) => b - a))
  if (times >= limits.foreign && known.size < limits.words && word.length < 24) known.add(word);
// Single characters of unspaced scripts, so that every run of them can be cut.
for (const word of counts.keys())
  if (/^\p{Script=Han}+$/u.test(word)) for (const character of word) known.add(character);
const rank = new Map(start.words.map((word, at) => [word, at]));
const vocabulary = [...known, ...stemsOf(counts, known, limits.stems)];
const encoder = createEncoder(vocabulary);

mkdirSync(out, { recursive: true });
writeFileSync(join(out, "vocabulary.txt"), vocabulary.join("\n"));

const dimension = start.dimension;
const vectors = new Float32Array(vocabulary.length * dimension);
const known0 = new Uint8Array(vocabulary.length);
vocabulary.forEach((word, row) => {
  const from = rank.get(word);
  if (from === undefined) return;
  known0[row] = 1;
  vectors.set(start.row(from), row * dimension);
});

// The texts that the teacher is asked: every English word, and English texts. What says the same in
// another language is to lie where the English text does.
const lines = new Map<string, number>();
const lineOf = (text: string): number => {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const at = lines.get(line) ?? lines.size;
  lines.set(line, at);
  return at;
};
const taught: number[] = [];
const teach = (line: number, rows: readonly number[]): void =>
  void taught.push(line, rows.length, ...rows);
vocabulary.forEach((word, row) => {
  if (known0[row] === 1 || (/^[a-z]+$/.test(word) && writtenCounts.has(word)))
    teach(lineOf(word), [row]);
});

const sourcesOf = [...new Set(all.map(({ source }) => source))];
const records: number[] = [];
for (const [index, { source, same, negative, kept: notes = 0 }] of all.entries()) {
  const texts = [...same, ...(negative === undefined ? [] : [negative])].map((text) =>
    encoder.rows(text).slice(0, limits.texts),
  );
  const isAsked = limits.taught[source] === undefined || index % (limits.taught[source] ?? 1) === 0;
  if (isAsked && !isVoice.has(source)) {
    const isEnglish = (text: string): boolean =>
      /^[\0-\x7f‘’“”–—…•]*$/.test(text) && /[a-z]/i.test(text);
    const translated = source === "parallel" || source === "multi";
    for (const [at, text] of same.entries()) {
      const rows = texts[at] ?? [];
      if (rows.length === 0 || text.length > 300) continue;
      if (notes === 2 && at === 0) teach(lineOf(same[1] ?? ""), rows);
      else if (translated && isEnglish(same[0] ?? "")) teach(lineOf(same[0] ?? ""), rows);
      else if (!translated && isEnglish(text)) teach(lineOf(text), rows);
      else if (source === "lexicon") teach(lineOf(same[0] ?? ""), rows);
    }
  }
  const kept = texts.filter((rows) => rows.length > 0);
  if (kept.length < 2 || (negative !== undefined && kept.length < texts.length)) continue;
  const isMarked = texts.slice(0, notes).every((rows) => rows.length > 0);
  const marks = (negative === undefined ? 0 : 1 << 16) + (isMarked ? notes << 17 : 0);
  records.push(sourcesOf.indexOf(source) + marks, kept.length);
  for (const rows of kept) records.push(rows.length, ...rows);
}
writeFileSync(join(out, "lines.txt"), [...lines.keys()].join("\n"));
writeFileSync(join(out, "taught.u32"), new Uint8Array(Uint32Array.from(taught).buffer));

const typical = typicalNorm();
vocabulary.forEach((_, row) => {
  if (known0[row] === 1) return;
  for (let d = 0; d < dimension; d += 1)
    vectors[row * dimension + d] = (0.1 * typical * noise()) / Math.sqrt(dimension);
});
writeFileSync(join(out, "start.f32"), new Uint8Array(vectors.buffer));
writeFileSync(join(out, "known.u8"), known0);
writeFileSync(join(out, "records.u32"), new Uint8Array(Uint32Array.from(records).buffer));
writeFileSync(join(out, "sources.txt"), sourcesOf.join("\n"));
// The pieces of each word: the trainer drops whole words at times, so that their pieces learn what they mean.
const pieces = vocabulary.flatMap((word) => {
  const found = word.endsWith(stemMark) ? [] : encoder.pieces(word);
  return [found.length, ...found];
});
writeFileSync(join(out, "pieces.u32"), new Uint8Array(Uint32Array.from(pieces).buffer));
const tally = new Map<string, number>();
for (const { source } of all) tally.set(source, (tally.get(source) ?? 0) + 1);
console.error(
  "rows",
  vocabulary.length,
  "of them known",
  known0.reduce((a, b) => a + b, 0),
  Object.fromEntries(tally),
);

/** Roughly normal, and the same in every run. */
function noise(): number {
  let sum = 0;
  for (let i = 0; i < 4; i += 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    sum += seed / 1_073_741_824 - 1;
  }
  return sum * 0.87;
}

function typicalNorm(): number {
  const norms = Array.from({ length: 2_000 }, (_, at) =>
    Math.hypot(...vectors.subarray((2_000 + at) * dimension, (2_001 + at) * dimension)),
  );
  return norms.toSorted((a, b) => a - b)[1_000] ?? 1;
}
