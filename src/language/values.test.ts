/** Values and identifiers of a sentence in comparable form. */
import { describe, expect, test } from "bun:test";
import { identifiersOf, valuesOf } from "./values.ts";

describe("values", () => {
  test.each([
    ["at 03:15 or 3:15", ["time:03:15", "time:03:15"]],
    ["before 8am and after 5 pm", ["time:08:00", "time:17:00"]],
    ["half past four", ["time:04:30"]],
    ["24h, one day, 1440 minutes", ["duration:86400", "duration:86400", "duration:86400"]],
    ["30s and 250 ms", ["duration:30", "duration:0.25"]],
    ["spread across a day", ["duration:86400"]],
    ["350 kB gzipped", ["size:350000"]],
    ["10% of users", ["percent:10"]],
    ["release 2026.10.3 and v7", ["version:2026.10.3", "version:7"]],
    ["since 2026-09-01", ["date:2026-09-01"]],
    ["14 november or Nov 14th", ["date:11-14", "date:11-14"]],
    ["five or 5, 1,200 and 5k", ["number:5", "number:5", "number:1200", "number:5000"]],
    ["$40 and 15 cents", ["money:40", "money:15cent"]],
    ["one of them", []],
    ["src/v8 and utf8", []],
  ])("%s", (text, expected) => {
    expect(valuesOf(text).map(({ canonical }) => canonical)).toEqual(expected);
  });
});

describe("identifiers", () => {
  test.each([
    ["see src/lock.ts and `queue_wait_ms`", ["src/lock.ts", "queue_wait_ms"]],
    ["post it in #data-alerts, cc @corp/kit", ["#data-alerts", "@corp/kit"]],
    ["at https://a.example/x. Then s3://b-c", ["https://a.example/x", "s3://b-c"]],
    ["getByRole in pt-BR on eu-west-3", ["getbyrole", "pt-br", "eu-west-3"]],
    ["e.g. the merchant-facing copy, yes/no, 30s", []],
  ])("%s", (text, expected) => {
    expect(identifiersOf(text)).toEqual(expected);
  });
});
