/** Identifiers of a sentence. */
import { describe, expect, test } from "bun:test";
import { identifiersOf } from "./values.ts";

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
