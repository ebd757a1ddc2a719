import { expect, test } from "bun:test";
import { isoDate, parseNow } from "./clock.ts";

test.each([
  ["0", 0],
  ["-86400000", -86_400_000],
  ["1767225600000", 1_767_225_600_000],
  ["2026-01-01T00:00:00Z", 1_767_225_600_000],
  ["9999-12-31T23:59:59.999Z", 253_402_300_799_999],
])("%s is a time", (text, ms) => {
  expect(parseNow(text)).toBe(ms);
  expect(isoDate(ms)).toHaveLength(10);
});

test.each([
  "",
  "soon",
  "NaN",
  // Beyond what a date, a whole number or a year of four digits can hold: nobody could write it down again.
  "99999999999999999999",
  "8640000000000001",
  "9007199254740993",
  "253402300800000",
  "-99999999999999",
  "+010000-01-01T00:00:00Z",
])("%p is none, and the clock goes on", (text) => {
  expect(parseNow(text)).toBeNull();
});
