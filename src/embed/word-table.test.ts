import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { createWordTable } from "./model-rows.ts";

const tableOf = (words: readonly string[]) =>
  createWordTable(new TextEncoder().encode(words.join("\n")));

test("each word has the number of its first line", () => {
  const table = tableOf(["port", "größe", "port", "日本", ""]);
  expect(["port", "größe", "日本", ""].map(table.rowOf)).toEqual([0, 1, 3, 4]);
  expect(table.count).toBe(5);
});

test("what is not among the words has none, however it begins or how long it is", () => {
  const table = tableOf(["port", "ports"]);
  for (const word of ["por", "portss", "p", "", "port\n", "größe", "x".repeat(10_000)])
    expect(table.rowOf(word)).toBe(-1);
});

test("no bytes at all are one empty word", () => {
  expect(createWordTable(new Uint8Array()).count).toBe(1);
});

test("it answers as a Map of the same lines would", () => {
  const word = fc
    .string({ unit: "grapheme", maxLength: 12 })
    .filter((text) => !text.includes("\n"));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), fc.array(word), (words, others) => {
      const table = tableOf(words);
      const rows = new Map(words.toReversed().map((one, at) => [one, words.length - 1 - at]));
      for (const one of [...words, ...others]) expect(table.rowOf(one)).toBe(rows.get(one) ?? -1);
    }),
  );
});
