/** Ends as agents name them: dates, and words as people say them. */
import { expect, test } from "bun:test";
import { isoTime } from "#kit";
import { untilOf } from "./extent.ts";

/** A Tuesday, in the evening in Berlin. */
const nowMs = Date.UTC(2026, 10, 24, 19);
const endOf = (said: string, zone = "Europe/Berlin"): string | null => {
  const ms = untilOf(said, nowMs, zone);
  return ms === null ? null : isoTime(ms).replace(":00.000Z", "");
};

test.each([
  ["2026-12-04", "2026-12-04T23:00"],
  ["2026-12-4", "2026-12-04T23:00"],
  ["2026-12-04T15:00:00Z", "2026-12-04T15:00"],
  ["Friday", "2026-11-27T23:00"],
  ["until Friday", "2026-11-27T23:00"],
  ["through Friday.", "2026-11-27T23:00"],
  ["tomorrow", "2026-11-25T23:00"],
  ["today", "2026-11-24T23:00"],
  ["this week", "2026-11-29T23:00"],
  ["end of the week", "2026-11-29T23:00"],
  ["the end of the month", "2026-11-30T23:00"],
  ["end of December", "2026-12-31T23:00"],
  ["2 December", "2026-12-02T23:00"],
  ["December 2nd, 2027", "2027-12-02T23:00"],
  ["two weeks", "2026-12-08T23:00"],
  ["for the next 3 days", "2026-11-27T23:00"],
  ["Freitag", "2026-11-27T23:00"],
  ["Ende Dezember", "2026-12-31T23:00"],
  ["4. Dezember", "2026-12-04T23:00"],
  ["vendredi", "2026-11-27T23:00"],
  ["el viernes", "2026-11-27T23:00"],
  ["sexta-feira", "2026-11-27T23:00"],
  ["пятницы", "2026-11-27T23:00"],
  ["周五", "2026-11-27T23:00"],
  ["12月底", "2026-12-31T23:00"],
  ["金曜日", "2026-11-27T23:00"],
  ["月末", "2026-11-30T23:00"],
])("%s ends at %s", (said, end) => {
  expect(endOf(said)).toBe(end);
});

test.each([
  "Q3",
  "next release",
  "release 3",
  "5",
  "2026",
  "the merge",
  "",
  "31 June 2027",
  "soon",
])("%p names no day", (said) => {
  expect(endOf(said)).toBeNull();
});

test("days are those of who asks", () => {
  expect(endOf("2026-12-04", "Asia/Tokyo")).toBe("2026-12-04T15:00");
  expect(endOf("Friday", "America/Los_Angeles")).toBe("2026-11-28T08:00");
});
