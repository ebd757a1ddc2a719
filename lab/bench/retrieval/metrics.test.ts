import { expect, test } from "bun:test";
import { fractionalRecall, ndcgAny, recallAll, recallAny, reciprocalRank } from "./metrics.ts";

const ranked = ["a", "b", "c", "d", "e"];

test.each([
  { gold: ["a"], k: 1, any: 1, all: 1, fraction: 1 },
  { gold: ["c"], k: 2, any: 0, all: 0, fraction: 0 },
  { gold: ["c"], k: 3, any: 1, all: 1, fraction: 1 },
  { gold: ["a", "e"], k: 3, any: 1, all: 0, fraction: 0.5 },
  { gold: ["a", "z"], k: 5, any: 1, all: 0, fraction: 0.5 },
  { gold: ["z"], k: 5, any: 0, all: 0, fraction: 0 },
])("recall of $gold at $k", ({ gold, k, any, all, fraction }) => {
  const wanted = new Set(gold);
  expect(recallAny(ranked, wanted, k)).toBe(any);
  expect(recallAll(ranked, wanted, k)).toBe(all);
  expect(fractionalRecall(ranked, wanted, k)).toBe(fraction);
});

test("of no gold documents all are found and none is", () => {
  const none = new Set<string>();
  expect(recallAny(ranked, none, 5)).toBe(0);
  expect(recallAll(ranked, none, 5)).toBe(1);
  expect(ndcgAny(ranked, none, 5)).toBe(0);
});

// By hand from the authors' formula: gain₁ + Σ gainᵢ / log₂(i), i from 2, over the same sum with all gold first.
test.each([
  { gold: ["a"], k: 5, ndcg: 1 },
  { gold: ["b"], k: 5, ndcg: 1 },
  { gold: ["c"], k: 5, ndcg: 1 / Math.log2(3) },
  { gold: ["e"], k: 5, ndcg: 1 / Math.log2(5) },
  { gold: ["a", "c"], k: 5, ndcg: (1 + 1 / Math.log2(3)) / 2 },
  { gold: ["a", "b", "z"], k: 2, ndcg: 1 },
  { gold: ["d"], k: 3, ndcg: 0 },
])("nDCG of $gold at $k", ({ gold, k, ndcg }) => {
  expect(ndcgAny(ranked, new Set(gold), k)).toBeCloseTo(ndcg, 12);
});

test("the first gold document decides the reciprocal rank", () => {
  expect(reciprocalRank(ranked, new Set(["d", "c"]))).toBeCloseTo(1 / 3, 12);
  expect(reciprocalRank(ranked, new Set(["z"]))).toBe(0);
});
