import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { isoDate, parseNow } from "#kit";
import { timeWindowOf } from "./temporal.ts";

const nowMs = parseNow("2026-03-18T15:00:00Z") ?? 0; // a Wednesday
const day = (ms: number | null | undefined): string | null | undefined =>
  typeof ms === "number" ? isoDate(ms) : ms;

test.each([
  { text: "what did we do yesterday", since: "2026-03-17", until: "2026-03-18" },
  { text: "today's changes, today", since: "2026-03-18", until: "2026-03-19" },
  { text: "last week", since: "2026-03-04", until: "2026-03-19" },
  { text: "in the last 3 days", since: "2026-03-15", until: "2026-03-19" },
  { text: "two weeks ago", since: "2026-03-01", until: "2026-03-09" },
  { text: "last Friday", since: "2026-03-13", until: "2026-03-14" },
  { text: "in October", since: "2025-10-01", until: "2025-11-01" },
  { text: "in february", since: "2026-02-01", until: "2026-03-01" },
  { text: "in December 2024", since: "2024-12-01", until: "2025-01-01" },
  { text: "since january", since: "2026-01-01", until: null },
  { text: "before 2026-02-10", since: null, until: "2026-02-10" },
  { text: "after 2026-02-10", since: "2026-02-11", until: null },
])("$text is a window", ({ text, since, until }) => {
  const window = timeWindowOf(text, nowMs);
  expect([day(window?.sinceMs), day(window?.untilMs)]).toEqual([since, until]);
});

test.each([
  "before the migration",
  "since it fails",
  "may I deploy",
  "march on",
  "week numbers",
  "2026",
])("%s names no time a calendar could find", (text) => {
  expect(timeWindowOf(text, nowMs)).toBeNull();
});

test("any text and time give a window or none", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), fc.integer({ min: 0, max: 4e12 }), (text, atMs) => {
      const window = timeWindowOf(`${text} last month`, atMs);
      expect(window).not.toBeUndefined();
    }),
  );
});
