/** Words as they are compared. */
import { expect, test } from "bun:test";
import { contentWords, jaccard, stem } from "./lists.ts";

test.each([
  ["locks", "lock"],
  ["locking", "lock"],
  ["locked", "lock"],
  ["running", "run"],
  ["dates", "dat"],
  ["date", "dat"],
  ["queries", "query"],
  ["boxes", "box"],
  ["status", "status"],
  ["redis", "redis"],
])("the stem of %s is %s", (word, expected) => {
  expect(stem(word)).toBe(expected);
});

test("forms of one word, abbreviations and past forms meet", () => {
  expect(contentWords("the DBs we kept")).toEqual(contentWords("databases that we keep"));
});

test("identifiers stay whole and stop words go", () => {
  expect(contentWords("it is in src/lock.ts of acme-x")).toEqual(["src/lock.ts", "acme-x"]);
});

test("nothing in common is zero, also for two empty sets", () => {
  expect(jaccard(new Set(), new Set())).toBe(0);
  expect(jaccard(new Set(["a"]), new Set(["a", "b"]))).toBe(0.5);
});
