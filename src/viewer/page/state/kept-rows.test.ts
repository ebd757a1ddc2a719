import { expect, test } from "bun:test";
import { createKeptRows } from "./kept-rows.ts";
import { createFixed } from "./paged.ts";

test("a list that was left is there again, until something changed or four others came", () => {
  let changes = 0;
  const lists = createKeptRows<string>(() => `${changes}`);
  const list = (key: string) => lists.of(key, () => createFixed([key]));
  const first = list("a");
  expect(list("a")).toBe(first);
  changes += 1;
  const second = list("a");
  expect(second).not.toBe(first);
  for (const key of ["b", "c", "d"]) list(key);
  expect(list("a")).toBe(second);
  for (const key of ["b", "c", "d", "e"]) list(key);
  expect(list("a")).not.toBe(second);
});
