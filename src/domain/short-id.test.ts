import { expect, test } from "bun:test";
import { idOfShort, shortIdOf } from "./find.ts";

test.each([0, 1, 31, 32, 148, 99_999, 123_456_789])("%d comes back from its short name", (id) => {
  const name = shortIdOf(id);
  expect(name).toMatch(/^#[0-9a-hjkmnp-tv-z]+$/);
  expect(idOfShort(name)).toBe(id);
  expect(idOfShort(name.slice(1).toUpperCase())).toBe(id);
});

test("a hundred thousand memories need four characters", () => {
  expect(shortIdOf(99_999).length).toBeLessThanOrEqual(5);
});

test("letters that look like digits are read as digits", () => {
  expect(idOfShort("#1O")).toBe(idOfShort("10"));
  expect(idOfShort("iL")).toBe(idOfShort("11"));
});

test.each(["", "#", "mem://user", "user", "4k!", "0123456789a"])("%p is no short name", (text) => {
  expect(idOfShort(text)).toBeNull();
});
