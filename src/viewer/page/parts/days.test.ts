import { expect, test } from "bun:test";
import { beside, dayOf, isDay, spanOf, startOf } from "./days.ts";

test("a day has one before and one after, also where a month or a year ends", () => {
  expect([beside("2026-03-01", -1), beside("2026-12-31", 1)]).toEqual(["2026-02-28", "2027-01-01"]);
  expect(dayOf(startOf("2026-07-04"))).toBe("2026-07-04");
});

test("a span holds both its days, and leaves out what is no day", () => {
  const { since, until } = spanOf("2026-07-04", "2026-07-04");
  expect(Number(until) - Number(since)).toBeGreaterThan(22 * 3_600_000);
  expect(spanOf("yesterday", null)).toEqual({});
  expect(isDay("2026-13-40")).toBe(false);
});
