/** Days are the user's. Bun's tests run in UTC, so the zone of a process is tried in children. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { saidEndOf } from "./said-end.ts";

const isoOf = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

test.each([
  // Tuesday evening in UTC: already Wednesday in Tokyo, still Tuesday in Los Angeles.
  ["no deploys today", "2026-09-01T20:00:00Z", "Asia/Tokyo", "2026-09-02T15:00:00.000Z"],
  ["no deploys today", "2026-09-01T20:00:00Z", "America/Los_Angeles", "2026-09-02T07:00:00.000Z"],
  ["no deploys today", "2026-09-01T20:00:00Z", "Asia/Kathmandu", "2026-09-02T18:15:00.000Z"],
  ["no deploys today", "2026-09-01T20:00:00Z", "UTC", "2026-09-02T00:00:00.000Z"],
  ["freeze until Friday", "2026-09-01T20:00:00Z", "Asia/Tokyo", "2026-09-04T15:00:00.000Z"],
  ["freeze until 2 December", "2026-11-27T20:00:00Z", "Asia/Kathmandu", "2026-12-02T18:15:00.000Z"],
  // Sunday 8 March: clocks go forward in between, and the end is of the new offset.
  [
    "freeze until Monday",
    "2026-03-06T20:00:00Z",
    "America/Los_Angeles",
    "2026-03-10T07:00:00.000Z",
  ],
  [
    "freeze until Monday",
    "2026-10-30T20:00:00Z",
    "America/Los_Angeles",
    "2026-11-03T08:00:00.000Z",
  ],
  ["no deploys today", "2026-03-08T18:00:00Z", "America/Los_Angeles", "2026-03-09T07:00:00.000Z"],
])("%s, said at %s in %s, ends at %s", (text, said, zone, end) => {
  expect(isoOf(saidEndOf(text, Date.parse(said), zone))).toBe(end);
});

test("a zone that nobody knows is that of the process", () => {
  const ms = Date.parse("2026-09-01T20:00:00Z");
  expect(saidEndOf("no deploys today", ms, "Mars/Olympus")).toBe(saidEndOf("no deploys today", ms));
});

test.each([
  [
    "Asia/Tokyo",
    "2026-08-31T15:00:00.000Z",
    "2026-09-01T15:00:00.000Z",
    "2026-09-02T15:00:00.000Z",
  ],
  [
    "America/Los_Angeles",
    "2026-08-31T07:00:00.000Z",
    "2026-09-01T07:00:00.000Z",
    "2026-09-02T07:00:00.000Z",
  ],
  [
    "Asia/Kathmandu",
    "2026-08-31T18:15:00.000Z",
    "2026-09-01T18:15:00.000Z",
    "2026-09-02T18:15:00.000Z",
  ],
])("in %s yesterday and today are the days of that zone", (zone, since, until, end) => {
  const script = `
    const { saidEndOf, timeWindowOf } = await import(${JSON.stringify(join(import.meta.dir, "index.ts"))});
    const now = Date.parse("2026-09-01T20:00:00Z");
    const { sinceMs, untilMs } = timeWindowOf("what did we do yesterday", now);
    const all = [sinceMs, untilMs, saidEndOf("no deploys today", now)];
    console.log(JSON.stringify(all.map((ms) => new Date(ms).toISOString())));
  `;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", script], {
    env: { ...process.env, TZ: zone },
  });
  expect(JSON.parse(stdout.toString())).toEqual([since, until, end]);
});
