import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { embedOnce, isPacked, packModel, unpackModel } from "./packed-model.ts";
import { openStaticEmbedder } from "./static-embedder.ts";

let model: Uint8Array;
let packed: Uint8Array;

beforeAll(async () => {
  model = await Bun.file(join(import.meta.dir, "../../models/cst-256-v4.bin")).bytes();
  packed = packModel(model);
});

const parts = (bytes: Uint8Array) => ({
  read: async (from: number, to: number) => bytes.slice(from, to),
});

test("a packed model unpacks to the same bytes", () => {
  expect(isPacked(model)).toBe(false);
  expect(isPacked(packed)).toBe(true);
  expect(Bun.sha(unpackModel(packed), "hex")).toBe(Bun.sha(model, "hex"));
});

test.each([
  "the",
  "which port does our payment gateway listen on, and why?",
  "Kubernetes-Ingress zqxjkv gRPC myHTTPServer 8080 20481",
  "データベースの移行を元に戻す",
  "откат миграции базы данных",
  "größer als die Grenze, déjà vu",
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen",
])("%j: one text gets the vector of the opened model", async (text) => {
  const opened = openStaticEmbedder(model);
  const whole = opened.ok ? opened.value.embed(text) : null;
  expect(whole).not.toBeNull();
  expect(await embedOnce(parts(packed), text)).toEqual(whole);
});

test("the last word of the vocabulary is found too", async () => {
  const vocabularyBytes = new DataView(model.buffer, model.byteOffset).getUint32(12, true);
  const vocabulary = new TextDecoder().decode(model.subarray(16, 16 + vocabularyBytes)).trimEnd();
  const last = vocabulary.slice(vocabulary.lastIndexOf("\n") + 1);
  const opened = openStaticEmbedder(model);
  const whole = opened.ok ? opened.value.embed(last) : null;
  expect(await embedOnce(parts(packed), last)).toEqual(whole);
});

test("without a word, or without a packed model, there is no vector", async () => {
  expect(await embedOnce(parts(packed), "?!")).toBeNull();
  expect(await embedOnce(parts(model), "the port")).toBeNull();
  expect(await embedOnce(parts(packed.subarray(0, 7)), "the port")).toBeNull();
});
