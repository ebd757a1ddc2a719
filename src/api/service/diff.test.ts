import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { diffText } from "./history.ts";
import type { DiffPartJson } from "../forms-history.ts";
import { cpuMs } from "../../../test/support/cpu-ms.ts";

const side = (parts: readonly DiffPartJson[], other: "removed" | "added"): string =>
  parts
    .filter(({ op }) => op !== other)
    .map(({ text }) => text)
    .join("");

test("within one line words differ", () => {
  expect(diffText("Use npm for installs", "Use pnpm for all installs")).toEqual([
    { op: "same", text: "Use " },
    { op: "removed", text: "npm for" },
    { op: "added", text: "pnpm for all" },
    { op: "same", text: " installs" },
  ]);
});

test("of several lines whole lines differ", () => {
  expect(diffText("a\nb\nc\n", "a\nB\nc\n")).toEqual([
    { op: "same", text: "a\n" },
    { op: "removed", text: "b\n" },
    { op: "added", text: "B\n" },
    { op: "same", text: "c\n" },
  ]);
});

test.each([
  ["", ""],
  ["", "new"],
  ["old", ""],
  ["same", "same"],
  ["one line", "two\nlines"],
])("%j and %j come back from their parts", (before, after) => {
  const parts = diffText(before, after);
  expect([side(parts, "added"), side(parts, "removed")]).toEqual([before, after]);
});

test("whatever the texts, same and removed are the older one, same and added the newer", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", " ", "\n", "cc", "東", "\u{1f600}"), { maxLength: 60 })
    .map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = diffText(before, after);
      expect(side(parts, "added")).toBe(before);
      expect(side(parts, "removed")).toBe(after);
      const ops = parts.map(({ op }) => op);
      expect(ops.some((op, at) => op === ops[at - 1])).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test("two long texts without anything in common take no time", () => {
  const text = (word: string): string =>
    Array.from({ length: 4_000 }, (_, at) => `${word}${at}\n`).join("");
  const startMs = cpuMs();
  const parts = diffText(text("a"), text("b"));
  expect(parts.map(({ op }) => op)).toEqual(["removed", "added"]);
  expect(cpuMs() - startMs).toBeLessThan(500);
});
