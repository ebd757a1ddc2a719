import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { defaultSettings, type MemoryNode } from "#domain";
import { msPerDay } from "#kit";
import { knownNode } from "../../../test/support/memory/candidates.ts";
import { expiryAfterUse, relevanceAt } from "./relevance.ts";

const settings = defaultSettings.decay;
const node = (over: Partial<MemoryNode> = {}): MemoryNode =>
  knownNode("x", {}, { category: "entities", createdAt: 1_000 * msPerDay, ...over });
const after = (days: number): number => (1_000 + days) * msPerDay;

test.each([
  { name: "a fresh memory has full relevance", over: {}, days: 0, expected: 1 },
  { name: "one half-life halves it", over: {}, days: 90, expected: 0.5 },
  { name: "it never falls below the floor", over: {}, days: 10_000, expected: 0.1 },
  {
    name: "the last use counts, not the creation",
    over: { lastAccess: after(90) },
    days: 180,
    expected: 0.5,
  },
  {
    name: "the archive fades as memories do",
    over: { category: "sessions" as const },
    days: 90,
    expected: 0.5,
  },
  { name: "profile does not fade", over: { category: "profile" as const }, days: 900, expected: 1 },
  {
    name: "preferences do not fade",
    over: { category: "preferences" as const },
    days: 900,
    expected: 1,
  },
  { name: "a pinned memory does not fade", over: { pinned: true }, days: 900, expected: 1 },
  {
    name: "a clock that ran backwards neither weakens nor strengthens",
    over: {},
    days: -400,
    expected: 1,
  },
])("$name", ({ over, days, expected }) => {
  expect(relevanceAt(node(over), after(days), settings)).toBeCloseTo(expected, 10);
});

test("relevance stays between floor and 1 and never rises as time passes", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e4, max: 1e5 }), fc.nat(1e4), (days, more) => {
      const now = relevanceAt(node(), after(days), settings);
      const later = relevanceAt(node(), after(days + more), settings);
      expect(now).toBeGreaterThanOrEqual(settings.floor);
      expect(now).toBeLessThanOrEqual(1);
      expect(later).toBeLessThanOrEqual(now);
    }),
  );
});

test("use extends a life by the same span, again and again", () => {
  const first = node({ expiresAt: after(30), createdAt: after(0) });
  const second = { ...first, expiresAt: expiryAfterUse(first, after(10)), lastAccess: after(10) };
  expect(second.expiresAt).toBe(after(40));
  expect(expiryAfterUse(second, after(15))).toBe(after(45));
});

test("use never shortens a life and gives none to what does not expire", () => {
  const moment = node({ expiresAt: after(30), lastAccess: after(10), createdAt: after(0) });
  expect(expiryAfterUse(moment, after(2))).toBe(after(30));
  expect(expiryAfterUse({ ...moment, expiresAt: null }, after(12))).toBeNull();
});
