import { expect, test } from "bun:test";
import { msPerDay, stoppedClock } from "#kit";
import { createBudget } from "./create-llm.ts";
import { llmSettings, memoryLedger, noonMs } from "../../../test/support/models/llm.ts";

function open(limits: { readonly tokensPerDay?: number; readonly tokensPerSession?: number }) {
  const ledger = memoryLedger();
  const clock = stoppedClock(noonMs);
  const budget = createBudget(ledger, clock, () => llmSettings(limits));
  const spend = (tokens: number, sessionId: string | null, atMs = clock.nowMs()): void =>
    ledger.add({
      atMs,
      purpose: "session",
      provider: "anthropic",
      model: "m",
      sessionId,
      inputTokens: tokens,
      outputTokens: 0,
      isEstimate: false,
      costUsd: null,
      latencyMs: 1,
      outcome: "ok",
    });
  const reserve = (tokens: number, sessionId: string | null = "s") => {
    const reserved = budget.reserve({ tokens, sessionId });
    return reserved.ok ? reserved.value : reserved.error;
  };
  return { budget, clock, spend, reserve };
}

const dayLimit = (limit: number) => ({ type: "llm.budget" as const, scope: "day" as const, limit });
const sessionLimit = (limit: number) => ({
  type: "llm.budget" as const,
  scope: "session" as const,
  limit,
});

test("what fits exactly is let in, one token more is not", () => {
  const { spend, reserve } = open({ tokensPerDay: 1_000, tokensPerSession: 1_000 });
  spend(900, "other");
  expect(reserve(101)).toEqual(dayLimit(1_000));
  expect(reserve(100)).toBeFunction();
});

test("what calls under way may cost at most counts, until they are in the ledger", () => {
  const { budget, spend, reserve } = open({ tokensPerDay: 1_000 });
  const release = reserve(700);
  expect(budget.usedToday()).toBe(700);
  expect(reserve(301)).toEqual(dayLimit(1_000));
  spend(50, "s");
  if (typeof release !== "function") throw new Error("the first fits");
  release();
  release(); // Twice does no harm.
  expect(budget.usedToday()).toBe(50);
  expect(reserve(950)).toBeFunction();
});

test("a session has a limit of its own, over all its days; others are not held up by it", () => {
  const { clock, spend, reserve } = open({ tokensPerDay: 10_000, tokensPerSession: 100 });
  spend(60, "s");
  clock.advance(3 * msPerDay);
  expect(reserve(41)).toEqual(sessionLimit(100));
  expect(reserve(40)).toBeFunction();
  expect(reserve(1)).toEqual(sessionLimit(100));
  expect(reserve(100, "other")).toBeFunction();
  expect(reserve(5_000, null)).toBeFunction();
});

test("a new day begins with nothing used, at midnight and not a day later", () => {
  const { budget, clock, spend, reserve } = open({ tokensPerDay: 100 });
  spend(100, null);
  expect(reserve(1)).toEqual(dayLimit(100));
  clock.advance(msPerDay / 2 - 1);
  expect(reserve(1)).toEqual(dayLimit(100));
  clock.advance(1);
  expect(budget.usedToday()).toBe(0);
  expect(reserve(100)).toBeFunction();
});

test("a limit of nothing lets nothing in", () => {
  expect(open({ tokensPerDay: 0 }).reserve(1)).toEqual(dayLimit(0));
  expect(open({ tokensPerSession: 0 }).reserve(1)).toEqual(sessionLimit(0));
});
