import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import profile from "../../models/cst-256-v4.json";
import { loadEmbeddedModel, openStaticEmbedder, unpackedVectors } from "./embedded-model.ts";
import { modelFile } from "../../test/support/models/embed.ts";
import { modelWords } from "./model-rows.ts";
import { cpuMs } from "../../test/support/cpu-ms.ts";

const small = modelFile({
  red: [3, 0, 0, 0],
  car: [0, 4, 0, 0],
  "2026": [0, 0, 5, 0],
  "maschin~": [0, 0, 1, 1],
  база: [1, 1, 0, 0],
  数据: [2, 0, 0, 1],
  库: [0, 0, 2, 1],
});

const open = (bytes: ArrayBuffer | Uint8Array = small) => {
  const opened = openStaticEmbedder(bytes);
  if (!opened.ok) throw new Error(opened.error.type);
  return opened.value;
};

test("a text is the normalised sum of its words", () => {
  expect([...(open().embed("Red car!") ?? [])]).toEqual([
    expect.closeTo(0.6, 5),
    expect.closeTo(0.8, 5),
    0,
    0,
  ]);
});

test.each([
  { name: "no text", text: "" },
  { name: "no known word", text: "zzz ??" },
  { name: "another script", text: "ภาษาไทย" },
  { name: "a word too short to be cut", text: "re ca" },
])("$name has no vector", ({ text }) => {
  expect(open().embed(text)).toBeNull();
});

test.each([
  { text: "redCar", as: "red car" },
  { text: "rédçar", as: "redcar" },
  { text: "xredxcar", as: "red car" },
  { text: "20261231", as: "2026" },
  { text: "Réd CÄR", as: "red car" },
  { text: "БАЗА", as: "база" },
  { text: "数据库", as: "数据 库" },
  { text: "的数据", as: "数据" },
  { text: "maschinen", as: "maschinist" },
])("$text reads as $as", ({ text, as }) => {
  expect(open().embed(text)).toEqual(open().embed(as));
});

test.each([
  { text: "parseHTTPHeader2Map", words: ["parse", "httpheader", "2", "map"] },
  { text: "Ünïcode naïve", words: ["unicode", "naive"] },
  { text: "snake_case-42.5", words: ["snake", "case", "42", "5"] },
  { text: "Größe über 12345 Ёлки", words: ["grosse", "uber", "1234", "елки"] },
  { text: "Redisを使う", words: ["redis", "を使う"] },
])("words of $text", ({ text, words }) => {
  expect(modelWords(text)).toEqual(words);
});

test("the identity changes with the bytes and names the dimension", () => {
  const other = modelFile({ red: [3, 0, 0, 0], car: [0, 4, 1, 0], "2026": [0, 0, 5, 0] });
  expect(open().identity.id).toMatch(/^cst2@[0-9a-f]{12}$/);
  expect(open(other).identity.id).not.toBe(open().identity.id);
  expect(open().identity.dimension).toBe(4);
});

test("a model at an odd offset of a larger buffer reads the same", () => {
  const shifted = new Uint8Array(small.length + 7);
  shifted.set(small, 7);
  expect(open(shifted.subarray(7)).embed("red car")).toEqual(open().embed("red car"));
});

test("a Node buffer from a pool reads the same", () => {
  expect(open(Buffer.concat([small])).embed("red car")).toEqual(open().embed("red car"));
  const pooled = Buffer.from(Buffer.concat([Buffer.from("abc"), small])).subarray(3);
  expect(open(pooled).embed("red car")).toEqual(open().embed("red car"));
});

test.each([
  { name: "empty", bytes: new Uint8Array(0) },
  { name: "another format", bytes: new TextEncoder().encode("GGUF and then some more bytes") },
  { name: "cut short", bytes: small.slice(0, -1) },
  { name: "header only", bytes: small.slice(0, 16) },
  { name: "of an odd dimension", bytes: modelFile({ red: [3, 0, 0] }) },
])("a file that is $name is an error, never an exception", ({ bytes }) => {
  const opened = openStaticEmbedder(bytes);
  expect(opened.ok ? "opened" : opened.error.type).toBe("embed.unreadable");
});

test("any bytes at all are a model or an error", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (tail) => {
      const file = new Uint8Array([...small.slice(0, 4), ...tail]);
      expect(typeof openStaticEmbedder(file).ok).toBe("boolean");
    }),
  );
});

test("a very long unknown word costs no more than its length", () => {
  const startMs = cpuMs();
  open().embed("q".repeat(200_000));
  expect(cpuMs() - startMs).toBeLessThan(500);
});

test("the shipped model is the one its profile describes", () => {
  const file = readFileSync(new URL("../../models/cst-256-v4.bin", import.meta.url));
  expect(new Bun.CryptoHasher("sha256").update(file).digest("hex")).toBe(profile.sha256);
  const opened = openStaticEmbedder(file, profile);
  const loaded = loadEmbeddedModel();
  expect(opened.ok && loaded.ok && loaded.value.identity).toEqual(
    opened.ok && opened.value.identity,
  );
});

test("a folder holds the unpacked vectors and nothing of an earlier model", () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-model-"));
  for (const name of ["cst-256-v3-0123456789ab.bin", "cst-256-v4-half-written.bin.7"])
    writeFileSync(join(folder, name), "earlier");
  const file = readFileSync(new URL("../../models/cst-256-v4.bin", import.meta.url));
  const [inPlace, inMemory] = [loadEmbeddedModel(folder), openStaticEmbedder(file, profile)];
  if (!inPlace.ok || !inMemory.ok) throw new Error("the model opens");
  expect(inPlace.value.embed("the login endpoint")).toEqual(
    inMemory.value.embed("the login endpoint"),
  );
  expect(readdirSync(folder)).toEqual([basename(unpackedVectors(folder))]);
  expect(statSync(unpackedVectors(folder)).mode & 0o777).toBe(0o600);
  // A search of the home for a forgotten word finds it nowhere.
  expect(file.includes("\nmarzipan\n")).toBe(true);
  expect(readFileSync(unpackedVectors(folder)).includes("marzipan")).toBe(false);
});

test.each(["", "CST2", "CST2 and more than a header"])(
  "a model file that was cut short is made anew: %p",
  (rest) => {
    const folder = mkdtempSync(join(tmpdir(), "continuity-model-"));
    writeFileSync(unpackedVectors(folder), rest);
    const loaded = loadEmbeddedModel(folder);
    expect(loaded.ok && loaded.value.isWord?.("login")).toBe(true);
    expect(statSync(unpackedVectors(folder)).size).toBeGreaterThan(10_000_000);
  },
);

test("a process that has the model in a folder reads it from there, whoever asks", () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-model-"));
  const [inPlace, other] = [loadEmbeddedModel(folder), loadEmbeddedModel()];
  if (!inPlace.ok || !other.ok) throw new Error("the model opens");
  const vector = inPlace.value.embed("the login endpoint");
  expect(other.value.embed("the login endpoint")).toBe(vector);
});

test("where no folder can be made, the model is read from memory", () => {
  const folder = join(mkdtempSync(join(tmpdir(), "continuity-model-")), "model");
  writeFileSync(folder, "a file in its place");
  const loaded = loadEmbeddedModel(folder);
  expect(loaded.ok && loaded.value.isWord?.("login")).toBe(true);
});

test("the shipped model gives unit vectors and prefers related words", () => {
  const loaded = loadEmbeddedModel();
  if (!loaded.ok) throw new Error(loaded.error.type);
  const { embed, identity } = loaded.value;
  const cosine = (a: string, b: string): number => {
    const other = embed(b);
    return [...(embed(a) ?? [])].reduce((sum, value, i) => sum + value * (other?.[i] ?? 0), 0);
  };
  expect(identity.id).toBe(`cst-256-v4@${profile.sha256.slice(0, 12)}`);
  expect(embed("database")).toHaveLength(identity.dimension);
  expect(cosine("the login endpoint", "the login endpoint")).toBeCloseTo(1, 4);
  expect(cosine("user sign in", "authentication")).toBeGreaterThan(
    cosine("user sign in", "css grid layout"),
  );
  const wifi = cosine("WiFi trouble", "the wireless network drops connections");
  expect(wifi).toBeGreaterThan(identity.similarityFloor);
  expect(cosine("WiFi trouble", "invoices are numbered per year")).toBeLessThan(wifi / 2);
});

test("any text has a unit vector or none", () => {
  const loaded = loadEmbeddedModel();
  if (!loaded.ok) throw new Error(loaded.error.type);
  const { embed } = loaded.value;
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const vector = embed(text);
      if (vector !== null) expect(Math.hypot(...vector)).toBeCloseTo(1, 3);
    }),
  );
});

test.each([
  {
    question: "kill switch for one customer?",
    fact: "Feature flags live in Unleash",
    other: "Invoices are sent from Stripe",
  },
  {
    question: "where do crashes go",
    fact: "Errors are collected in Sentry",
    other: "Designs are kept in Figma",
  },
  {
    question: "Wo läuft die Datenbank?",
    fact: "Postgres runs at Hetzner",
    other: "The team meets every Monday",
  },
  {
    question: "кто дежурит на этой неделе",
    fact: "Maria is on call this week",
    other: "The logo is drawn in Figma",
  },
  {
    question: "数据库备份在哪里",
    fact: "Database dumps are stored in S3 every night",
    other: "Code reviews take one day",
  },
  {
    question: "テストはどうやって実行する?",
    fact: "Unit tests run with Vitest",
    other: "The customer pays by invoice",
  },
])("$question is nearer to what answers it", ({ question, fact, other }) => {
  const loaded = loadEmbeddedModel();
  if (!loaded.ok) throw new Error(loaded.error.type);
  const { embed } = loaded.value;
  const asked = embed(question);
  const cosine = (text: string): number =>
    [...(embed(text) ?? [])].reduce((sum, value, i) => sum + value * (asked?.[i] ?? 0), 0);
  expect(cosine(fact)).toBeGreaterThan(cosine(other) + 0.1);
});
