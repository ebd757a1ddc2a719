import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openStaticEmbedder } from "#embed";
import { found } from "./measure.ts";
import { packModel, unpackModel } from "./pack.ts";
import { wordPieces } from "./teacher.ts";
import { writtenTexts } from "./texts.ts";
import { createEncoder, stemsOf } from "./vocabulary.ts";

const data = join(import.meta.dir, "data");
const leftOut = join(import.meta.dir, "left-out");
const linesOf = (path: string): string[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");

test("the lexicon has three thousand terms, each with what people call it", () => {
  const lexicon = writtenTexts(data).filter(({ source }) => source === "lexicon");
  expect(lexicon.length).toBeGreaterThan(3_000);
  for (const { same } of lexicon) expect(same.length).toBeGreaterThan(2);
});

test("what was written makes twenty thousand pairs and more", () => {
  const pairs = writtenTexts(data).reduce(
    (sum, { same }) => sum + (same.length * (same.length - 1)) / 2,
    0,
  );
  expect(pairs).toBeGreaterThan(20_000);
});

test("a sentence stands in all eight languages", () => {
  for (const { source, same } of writtenTexts(data))
    if (source === "multi") expect(same).toHaveLength(8);
});

test("no text that is left out is trained on", () => {
  const trained = new Set(
    writtenTexts(data)
      .filter(({ source }) => source !== "lexicon")
      .flatMap(({ same }) => same.map((text) => text.toLowerCase())),
  );
  for (const file of readdirSync(leftOut))
    for (const line of linesOf(join(leftOut, file)))
      for (const text of line.split(/\t| \| /))
        if (text !== "") expect(trained.has(text.toLowerCase()) ? text : "").toBe("");
});

test("a packed model has the words and nearly the vectors that went in", () => {
  const words = ["red", "car", "база", "数据"];
  const vectors = Float32Array.from(
    { length: 4 * 64 },
    (_, at) => Math.sin(at * at + 1) * (1 + (at % 7)),
  );
  const file = packModel(words.join("\n"), vectors);
  const back = unpackModel(file);
  expect(back.words).toEqual(words);
  for (const [at, word] of words.entries()) {
    const own = vectors.subarray(at * 64, (at + 1) * 64);
    const cosine =
      back.row(at).reduce((sum, value, d) => sum + value * (own[d] ?? 0), 0) /
      (Math.hypot(...back.row(at)) * Math.hypot(...own));
    expect(cosine).toBeGreaterThan(0.98);
    const opened = openStaticEmbedder(file);
    const vector = opened.ok ? opened.value.embed(word) : null;
    const norm = Math.hypot(...back.row(at));
    expect([...(vector ?? [])]).toEqual(
      [...back.row(at)].map((value) => expect.closeTo(value / norm, 4)),
    );
  }
});

test("unknown words are cut into known ones and stems", () => {
  const encoder = createEncoder(["daten", "bank", "verbind~", "база", "数据", "库"]);
  expect(encoder.rows("Datenbankverbindung")).toEqual([0, 1, 2]);
  expect(encoder.rows("数据库")).toEqual([4, 5]);
  expect(encoder.pieces("数据库")).toEqual([4, 5]);
  expect(encoder.rows("xyz")).toEqual([]);
});

test("a stem is shared by three words or more", () => {
  const counts = new Map(
    ["migration", "migrations", "migrating", "cache", "caches"].map((word) => [word, 5]),
  );
  expect(stemsOf(counts, new Set(), 10)).toContain("migrati~");
  expect(stemsOf(counts, new Set(), 10)).not.toContain("cach~");
});

test("the teacher's words are cut as BERT cuts them", () => {
  const ids = { "[UNK]": 0, "[CLS]": 1, "[SEP]": 2, feature: 3, flag: 4, "##s": 5, "?": 6 };
  expect(wordPieces(new Map(Object.entries(ids)))("Féature flags?")).toEqual([1, 3, 4, 5, 6, 2]);
  expect(wordPieces(new Map(Object.entries(ids)))("qqq")).toEqual([1, 0, 2]);
});

test("what is similar to nothing is not found", () => {
  const finding = {
    name: "toy",
    documents: ["a b", "c"],
    questions: [{ text: "?", gold: [0], kind: "toy" }],
  };
  expect(found(finding, () => null, 0).byKind.get("all")?.at).toEqual([0, 1, 1]);
});
