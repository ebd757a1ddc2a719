import { expect, test } from "bun:test";
import { systemClock } from "#kit";
import {
  ago,
  beside,
  bytes,
  dayOf,
  fieldName,
  fieldValue,
  isDay,
  leafName,
  plural,
  projectName,
  span,
  spanOf,
  startOf,
  worded,
} from "./format.ts";

test.each([
  [0, "now"],
  [-5_000, "now"],
  [59_000, "now"],
  [5 * 60_000, "5m"],
  [3 * 3_600_000, "3h"],
  [2 * 86_400_000, "2d"],
])("%d ms ago is %p", (ms, expected) => {
  expect(ago(systemClock.nowMs() - ms)).toBe(expected);
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 KB"],
  [913_408, "913 KB"],
  [1_500_000, "1.5 MB"],
  [7_000_000_000_000, "7000 GB"],
])("%d bytes are %p", (value, expected) => {
  expect(bytes(value)).toBe(expected);
});

test.each([
  [-1, "0 s"],
  [4_000, "4 s"],
  [4 * 60_000, "4 min"],
  [3_600_000, "1 h"],
  [7_800_000, "2 h 10 min"],
  [3 * 86_400_000, "3 days"],
])("%d ms last %p", (ms, expected) => {
  expect(span(ms)).toBe(expected);
});

test("names of projects and memories are their last parts", () => {
  expect(projectName("github.com/acme/shop")).toBe("acme/shop");
  expect(projectName("/home/ada/work/shop")).toBe("work/shop");
  expect(projectName("shop")).toBe("shop");
  const key = "dir:e9671acd244849c57167c658fa2f9697";
  expect(projectName(key)).toBe("folder e9671acd");
  expect(projectName(key, [{ key, name: "notes" }])).toBe("notes");
  const other = { key: "dir:0c1f0ac9118bb7fd", name: "notes" };
  expect(projectName(key, [{ key, name: "notes" }, other])).toBe("notes:e9671acd");
  expect(leafName("mem://user/profile/name")).toBe("name");
  expect(leafName("mem://")).toBe("mem:");
});

test("one or many", () => {
  expect([plural(1, "memory", "memories"), plural(1_200, "turn")]).toEqual([
    "1 memory",
    "1,200 turns",
  ]);
});

test.each([
  ['["secret","token"]', "secret, token"],
  ["[]", "–"],
  ["null", "–"],
  [null, "–"],
  ['"pending"', "pending"],
  ["true", "true"],
  ["4", "4"],
  ["4 or so", "4 or so"],
])("the value %p of a field reads %p", (json, words) => {
  expect(worded(json)).toBe(words);
});

test("names, times and makers of a history are said in a person's words", () => {
  expect([fieldName("aliases"), fieldName("source_session")]).toEqual([
    "other words for search",
    "source session",
  ]);
  expect(fieldValue("valid_to", "1792512628068")).not.toContain("1792512628068");
  expect(fieldValue("tags", '["a","b"]')).toBe("a, b");
});

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
