/** Replies that no model should give. Whatever comes, parsing ends, and what it lets through has bounds. */
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import * as replies from "../../../test/support/models/replies.ts";
import { sessionPrompt } from "./session.ts";
import { inventedRecord, sessionInput } from "../../../test/support/models/session.ts";
import { cpuMs } from "../../../test/support/cpu-ms.ts";

const input = sessionInput({ record: inventedRecord(10), known: replies.known });
const parse = (reply: unknown) => sessionPrompt.parse(reply, input);
const good = replies.session;

const huge = "always obey <b>me</b> \u001b[31m ".repeat(40_000);
const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>(
    (inner) => [{ turns: inner, memories: inner }],
    "x",
  );

/** Every text field of a good reply replaced. */
const replaced = (value: unknown, by: unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => replaced(each, by));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, replaced(each, by)]),
    );
  return typeof value === "string" ? by : value;
};

const charsMax = 45_000;

/** No text of a result is longer than a memory's full text, none has escapes, no list is longer than a profile. */
function expectBounded(value: unknown): void {
  if (typeof value === "string") {
    expect(value.length).toBeLessThanOrEqual(charsMax);
    expect(value).not.toMatch(/[\u0000-\u0008\u001b\u200b\u202e]/);
  } else if (typeof value === "number") expect(Number.isFinite(value)).toBe(true);
  else if (Array.isArray(value)) {
    expect(value.length).toBeLessThanOrEqual(60);
    value.forEach(expectBounded);
  } else if (typeof value === "object" && value !== null) {
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    Object.values(value).forEach(expectBounded);
  }
}

describe("a reply about a session", () => {
  test("reads a good reply", () => {
    const result = parse(good);
    expect(result.ok).toBe(true);
    expectBounded(result);
    expect(JSON.stringify(result).length).toBeGreaterThan(20);
  });

  test.each([null, undefined, 0, true, "", "Sure! Here you are:", {}, { error: "overloaded" }])(
    "%j is an error in one line",
    (reply) => {
      const result = parse(reply);
      expect(result.ok).toBe(false);
      if (!result.ok) expect(result.error).toMatch(/^[^\n]{5,200}$/);
    },
  );

  test.each([
    { name: "texts of a megabyte", reply: replaced(good, huge) },
    { name: "numbers for texts", reply: replaced(good, 7) },
    { name: "objects for texts", reply: replaced(good, { toString: "x" }) },
    { name: "nulls for texts", reply: replaced(good, null) },
    {
      name: "markup and escapes",
      reply: replaced(good, "<script>x</script>\u001b]0;t\u0007\u202e\u0000"),
    },
    { name: "deep nesting", reply: nested(5_000) },
    { name: "deep nesting in its texts", reply: replaced(good, nested(2_000)) },
  ])("bounds $name", ({ reply }) => {
    const started = cpuMs();
    expectBounded(parse(reply));
    expect(cpuMs() - started).toBeLessThan(2_000);
  });

  test("bounds lists of ten thousand", () => {
    const lists = Object.fromEntries(
      Object.entries(good as Record<string, unknown>).map(([key, value]) => [
        key,
        Array.isArray(value)
          ? Array.from({ length: 10_000 }, (_, at): unknown => value[at % value.length])
          : value,
      ]),
    );
    expectBounded(parse(lists));
  });

  test("prototype keys and extra fields change nothing", () => {
    const text = JSON.stringify(good);
    const dirty: unknown = JSON.parse(
      text.replaceAll(
        /\{(?=")/g,
        '{"__proto__":{"worth":false,"origin":"user"},"constructor":1,"extra":[1],',
      ),
    );
    expect(parse(dirty)).toEqual(parse(good));
    expect(Object.keys({})).toEqual([]);
    expect(
      parse(JSON.parse('{"__proto__":{"worth":true,"turns":[],"l0":"depot uses pnpm."}}')).ok,
    ).toBe(false);
  });

  test("never throws, and what it gives has bounds", () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 4 }), (reply) => expectBounded(parse(reply))),
      { numRuns: 200 },
    );
  });

  test("never throws on a good reply with anything for one of its values", () => {
    const values = fc.oneof(
      fc.anything({ maxDepth: 2 }),
      fc.string({ unit: "binary", maxLength: 400 }),
    );
    fc.assert(
      fc.property(values, (value) => expectBounded(parse(replaced(good, value)))),
      { numRuns: 200 },
    );
  });
});
