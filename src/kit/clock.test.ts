import { expect, test } from "bun:test";
import { isoDate, parseNow, parseDuration } from "./clock.ts";

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

test.each([
  ["30m", 1_800_000],
  ["1h", 3_600_000],
  ["90s", 90_000],
  ["2d", 172_800_000],
  ["1w", 604_800_000],
  ["500ms", 500],
  [" 10 Min ", 600_000],
  ["0s", 0],
  ["never", Infinity],
  ["Never", Infinity],
])("%j is %d milliseconds", (text, ms) => expect(parseDuration(text)).toBe(ms));

test.each(["", "30", "m", "-5m", "1.5h", "5 fortnights", "1h30m", "9999999999s", "1constructor"])(
  "%j is no duration",
  (text) => expect(parseDuration(text)).toBeNull(),
);
