/**
 * Days and times of a command are those of the zone that it runs in; Bun's tests run in UTC, so each zone is a child.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";

const script = `
  const { ageOf, timeOf } = await import(${JSON.stringify(join(import.meta.dir, "text.ts"))});
  const { momentOf } = await import(${JSON.stringify(join(import.meta.dir, "context.ts"))});
  const day = 86_400_000;
  const told = process.argv.slice(1).map((text) => {
    const ms = momentOf(text, 0);
    return [new Date(ms).toISOString(), timeOf(ms), ageOf(ms, ms + 40 * day)].join(" | ");
  });
  console.log(JSON.stringify(told));
`;

const inZone = (zone: string, ...moments: readonly string[]): readonly string[] => {
  const child = Bun.spawnSync([process.execPath, "-e", script, ...moments], {
    env: { ...process.env, TZ: zone },
  });
  return JSON.parse(child.stdout.toString());
};

test.each([
  ["Asia/Tokyo", "2026-09-01", "2026-08-31T15:00:00.000Z"],
  ["America/Los_Angeles", "2026-09-01", "2026-09-01T07:00:00.000Z"],
  ["Asia/Kathmandu", "2026-09-01", "2026-08-31T18:15:00.000Z"],
  ["UTC", "2026-09-01", "2026-09-01T00:00:00.000Z"],
  // The days on which summer time begins and ends, and those after them.
  ["America/Los_Angeles", "2026-03-08", "2026-03-08T08:00:00.000Z"],
  ["America/Los_Angeles", "2026-03-09", "2026-03-09T07:00:00.000Z"],
  ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00.000Z"],
  ["Europe/Berlin", "2026-10-26", "2026-10-25T23:00:00.000Z"],
])("in %s the day %s begins at %s, and is printed as that day", (zone, day, begins) => {
  expect(inZone(zone, day)).toEqual([`${begins} | ${day} 00:00 | ${day}`]);
});

test("a time is one of the zone, unless it names another", () => {
  expect(
    inZone("Asia/Tokyo", "2026-09-01T10:00", "2026-09-01T10:00Z", "2026-09-01T10:00+02:00"),
  ).toEqual([
    "2026-09-01T01:00:00.000Z | 2026-09-01 10:00 | 2026-09-01",
    "2026-09-01T10:00:00.000Z | 2026-09-01 19:00 | 2026-09-01",
    "2026-09-01T08:00:00.000Z | 2026-09-01 17:00 | 2026-09-01",
  ]);
});
