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

test("the oldest answers go first, so that what is kept is bounded", () => {
  const { asked, memo } = counting(4);
  for (const text of ["a", "b", "c", "a", "d", "e", "b"]) memo(text);
  expect(asked).toEqual(["a", "b", "c", "d", "e", "b"]);
});

test("long texts are not kept", () => {
  const { asked, memo } = counting();
  const long = "x".repeat(2_001);
  expect(memo(long)).toBe(memo(long));
  expect(asked).toHaveLength(2);
});
