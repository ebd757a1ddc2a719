import { expect, test } from "bun:test";
import { dayStart, msPerHour, offsetsOf } from "./clock.ts";

const at = (text: string): number => Date.parse(text);

test.each([
  ["Asia/Tokyo", "2026-03-02T15:00:00Z", "2026-03-03T15:00:00Z"],
  ["America/Los_Angeles", "2026-03-02T08:00:00Z", "2026-03-03T08:00:00Z"],
  ["Asia/Kathmandu", "2026-03-02T18:15:00Z", "2026-03-03T18:15:00Z"],
])("a day of %s begins by its clocks", (zone, today, tomorrow) => {
  const noon = at(today) + 12 * msPerHour;
  expect(dayStart(noon, zone)).toBe(at(today));
  expect(dayStart(at(today) - 1, zone, 1)).toBe(at(today));
  expect(dayStart(noon, zone, 1)).toBe(at(tomorrow));
});

test("the day on which summer time begins has 23 hours, the one on which it ends 25", () => {
  const hours = (text: string): number =>
    (dayStart(at(text), "Europe/Berlin", 1) - dayStart(at(text), "Europe/Berlin")) / msPerHour;
  expect(
    ["2026-03-28", "2026-03-29", "2026-10-25"].map((day) => hours(`${day}T12:00:00Z`)),
  ).toEqual([24, 23, 25]);
});

test("changes of clocks are found to the minute", () => {
  const year = [at("2026-01-01T00:00:00Z"), at("2027-01-01T00:00:00Z")] as const;
  expect(offsetsOf(...year, "Europe/Berlin")).toEqual([
    { fromMs: year[0], aheadMs: msPerHour },
    { fromMs: at("2026-03-29T01:00:00Z"), aheadMs: 2 * msPerHour },
    { fromMs: at("2026-10-25T01:00:00Z"), aheadMs: msPerHour },
  ]);
  expect(offsetsOf(...year, "Asia/Kathmandu")).toHaveLength(1);
});
