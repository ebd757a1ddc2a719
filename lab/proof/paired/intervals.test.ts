import { expect, test } from "bun:test";
import { difference, mcnemar, pairsOf } from "./intervals.ts";

test("Newcombe's own example (1998, table II): 36, 12, 2 and 0 of 50 pairs", () => {
  const [d, low, high] = difference({ both: 36, first: 12, second: 2, neither: 0 });
  expect(d).toBeCloseTo(0.2, 4);
  expect(low).toBeCloseTo(0.0569, 4);
  expect(high).toBeCloseTo(0.3404, 4);
});

test("McNemar's test doubles the smaller tail of unlike pairs", () => {
  expect(mcnemar({ both: 3, first: 5, second: 0, neither: 1 })).toBeCloseTo(0.0625);
  expect(mcnemar({ both: 3, first: 0, second: 0, neither: 1 })).toBe(1);
});

test("pairs are counted by what each side came to", () => {
  const pairs = [
    [true, true],
    [true, false],
    [false, false],
    [true, false],
  ] as const;
  expect(pairsOf(pairs)).toEqual({ both: 1, first: 2, second: 0, neither: 1 });
});
