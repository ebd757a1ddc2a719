import { expect, test } from "bun:test";
import type { LlmCall } from "#domain";
import { msPerDay, msPerHour, offsetsOf } from "#kit";
import { noonMs, openOk, tempFolder, tempStore } from "../../test/support/store.ts";

const call = (over: Partial<LlmCall> = {}): LlmCall => ({
  atMs: noonMs,
  purpose: "session",
  provider: "anthropic",
  model: "small",
  sessionId: "s",
  inputTokens: 100,
  outputTokens: 10,
  isEstimate: false,
  costUsd: 0.001,
  latencyMs: 420,
  outcome: "ok",
  ...over,
});

test("tokens in and out count from a time on, of one session or of all", () => {
  using store = tempStore();
  expect(store.ledger.tokensSince(0, null)).toBe(0);
  store.ledger.add(call({ atMs: noonMs - 1 }));
  store.ledger.add(call());
  store.ledger.add(call({ sessionId: "t", inputTokens: 7, outputTokens: 0 }));
  store.ledger.add(call({ sessionId: null, inputTokens: 1, outputTokens: 1 }));
  expect(store.ledger.tokensSince(0, null)).toBe(229);
  expect(store.ledger.tokensSince(noonMs, null)).toBe(119);
  expect(store.ledger.tokensSince(0, "s")).toBe(220);
  expect(store.ledger.tokensSince(noonMs, "s")).toBe(110);
  expect(store.ledger.tokensSince(noonMs, "nobody")).toBe(0);
});

test("the last call is the one that ended last, whatever its time says", () => {
  using store = tempStore();
  expect(store.ledger.last()).toBeNull();
  store.ledger.add(call({ model: "small" }));
  store.ledger.add(call({ model: "nope", outcome: "llm.refused", atMs: noonMs - 5 }));
  expect(store.ledger.last()).toEqual({
    atMs: noonMs - 5,
    model: "nope",
    outcome: "llm.refused",
    provider: "anthropic",
    purpose: "session",
  });
});

/** Purpose of an earlier version. */
const ofEarlier = "search" as string as "session";

test("usage is summed by UTC day, purpose and model, the newest day first; failures count and cost", () => {
  using store = tempStore();
  store.ledger.add(call({ atMs: noonMs - msPerDay }));
  store.ledger.add(call());
  store.ledger.add(call({ atMs: noonMs + 11 * msPerHour, outcome: "llm.unreadable" }));
  store.ledger.add(call({ model: "large", costUsd: null }));
  store.ledger.add(call({ purpose: ofEarlier, costUsd: null }));
  store.ledger.add(call({ purpose: ofEarlier, costUsd: 0.5 }));
  const line = {
    model: "small",
    calls: 1,
    failed: 0,
    estimated: 0,
    inputTokens: 100,
    outputTokens: 10,
  };
  expect(store.ledger.usage(0)).toEqual([
    {
      day: "2026-03-01",
      purpose: "search",
      model: "small",
      calls: 2,
      failed: 0,
      estimated: 0,
      inputTokens: 200,
      outputTokens: 20,
      costUsd: 0.5,
    },
    { ...line, day: "2026-03-01", purpose: "session", model: "large", costUsd: null },
    {
      day: "2026-03-01",
      purpose: "session",
      model: "small",
      calls: 2,
      failed: 1,
      estimated: 0,
      inputTokens: 200,
      outputTokens: 20,
      costUsd: 0.002,
    },
    { ...line, day: "2026-02-28", purpose: "session", costUsd: 0.001 },
  ]);
  expect(store.ledger.usage(noonMs)).toHaveLength(3);
});

test("the ledger outlives the process, and a transaction that fails leaves no line", () => {
  using folder = tempFolder();
  {
    using store = openOk(folder.database);
    store.ledger.add(call());
    expect(() =>
      store.transaction(() => {
        store.ledger.add(call());
        throw new Error("no");
      }),
    ).toThrow("no");
  }
  using store = openOk(folder.database);
  expect(store.ledger.tokensSince(0, "s")).toBe(110);
});

test("calls whose tokens are an estimate are told apart, and count like the others", () => {
  using store = tempStore();
  store.ledger.add(call());
  store.ledger.add(call({ isEstimate: true }));
  expect(store.ledger.usage(0)).toMatchObject([{ calls: 2, estimated: 1, inputTokens: 200 }]);
  expect(store.ledger.tokensSince(0, null)).toBe(220);
});

test("a day on which summer time ends has its 25 hours", () => {
  using t = tempStore();
  const [since, until] = [Date.parse("2026-10-20T00:00:00Z"), Date.parse("2026-10-27T00:00:00Z")];
  for (const time of ["24T22:30", "25T22:30", "25T23:30"])
    t.ledger.add(call({ atMs: Date.parse(`2026-10-${time}:00Z`) }));
  const days = offsetsOf(since, until, "Europe/Berlin");
  expect(t.ledger.usage(since, days).map((line) => [line.day, line.calls])).toEqual([
    ["2026-10-26", 1],
    ["2026-10-25", 2],
  ]);
});
