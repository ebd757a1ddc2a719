import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { isoDate, parseNow } from "#kit";
import { timeWindowOf } from "./time-windows.ts";

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
  { text: "what was decided on 3 March 2026", since: "2026-03-03", until: "2026-03-06" },
  { text: "the meeting of March 3rd", since: "2026-03-03", until: "2026-03-06" },
  { text: "what broke on the 20th of Nov.", since: "2025-11-20", until: "2025-11-23" },
  { text: "between 1 Feb and Feb 4, 2026", since: "2026-02-01", until: "2026-02-07" },
  { text: "the week before 10 February", since: "2026-02-03", until: "2026-02-13" },
  { text: "as of 10 February", since: null, until: "2026-02-11" },
  { text: "the last week of January", since: "2026-01-18", until: "2026-02-04" },
  { text: "in mid-January 2025", since: "2025-01-09", until: "2025-01-24" },
  { text: "at the beginning of May 2024", since: "2024-05-01", until: "2024-05-13" },
  { text: "in 2025", since: "2025-01-01", until: "2026-01-01" },
  { text: "what changed lately, on 1 March", since: "2026-03-01", until: "2026-03-04" },
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
  "the 31 June build",
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

test.each([
  { text: "in October", isDated: true },
  { text: "on 3 March", isDated: true },
  { text: "between 1 Feb and 4 Feb", isDated: true },
  { text: "since january", isDated: false },
  { text: "by 3 March", isDated: false },
  { text: "last week", isDated: false },
  { text: "recently", isDated: false },
])("$text names a stretch of the calendar: $isDated", ({ text, isDated }) => {
  expect(timeWindowOf(text, nowMs)?.isDated).toBe(isDated);
});
