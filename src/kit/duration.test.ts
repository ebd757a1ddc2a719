import { expect, test } from "bun:test";
import { parseDuration } from "./duration.ts";

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
