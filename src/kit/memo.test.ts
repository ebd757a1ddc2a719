import { expect, test } from "bun:test";
import { memoised } from "./memo.ts";

const counting = (max?: number) => {
  const asked: string[] = [];
  const memo = memoised((text) => (asked.push(text), text.length), max);
  return { asked, memo };
};

test("a text is computed once, also where the answer is nothing", () => {
  const { asked, memo } = counting();
  expect([memo("abc"), memo("abc"), memo(""), memo("")]).toEqual([3, 3, 0, 0]);
  expect(asked).toEqual(["abc", ""]);
});

test("the oldest answer goes first, so that what is kept is bounded", () => {
  const { asked, memo } = counting(2);
  for (const text of ["a", "b", "c", "b", "a"]) memo(text);
  expect(asked).toEqual(["a", "b", "c", "a"]);
});

test("long texts are not kept", () => {
  const { asked, memo } = counting();
  const long = "x".repeat(2_001);
  expect(memo(long)).toBe(memo(long));
  expect(asked).toHaveLength(2);
});
