import { expect, test } from "bun:test";
import { allPicks, between, countOf, isPicked, noPicks, picked } from "./picks.ts";

test("memories are marked one by one and unmarked again", () => {
  const two = picked(noPicks, ["a", "b"], true);
  expect([isPicked(two, "a"), isPicked(two, "c"), countOf(two, 9)]).toEqual([true, false, 2]);
  expect(countOf(picked(two, ["a", "b"], false), 9)).toBe(0);
});

test("of all that match some can be left out, and be taken in again", () => {
  const some = picked(allPicks, ["a"], false);
  expect([isPicked(some, "a"), isPicked(some, "z"), countOf(some, 9)]).toEqual([false, true, 8]);
  expect(countOf(picked(some, ["a"], true), 9)).toBe(9);
});

test("a range is the same from either end", () => {
  expect(between(2, 5)).toEqual([2, 3, 4, 5]);
  expect(between(5, 2)).toEqual([2, 3, 4, 5]);
  expect(between(3, 3)).toEqual([3]);
});
