import { expect, test } from "bun:test";
import { createService } from "./service.ts";
import { msPerDay, ok } from "#kit";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";

const park = ({ store }: TestService, key: string): number => {
  store.jobs.enqueue({ key, kind: "session", sessionId: "s", payload: {}, runAfterMs: 0 });
  let id = 0;
  for (let failures = 0; failures < 3; failures += 1) {
    id = store.jobs.lease(testNowMs + failures * msPerDay, 1, "model")?.id ?? 0;
    store.jobs.fail(id, "llm.timeout: no answer within 60000 ms", testNowMs + failures * msPerDay);
  }
  return id;
};

test("jobs that failed are shown with their reason, tried again and given up", () => {
  using t = openTestService();
  const first = park(t, "extract:s:1-9");
  const second = park(t, "extract:s:10-12");
  expect(t.service.jobs()).toMatchObject({
    counts: { skipped: 2 },
    parked: [{ id: second }, { id: first, kind: "session", attempt: 3, session_id: "s" }],
    open: [],
  });
  expect(t.service.jobs().parked[0]?.reason).toContain("llm.timeout");
  expect(t.service.retryJobs([first, 4_711])).toEqual(ok({ changed: 1 }));
  expect(t.service.jobs()).toMatchObject({ parked: [{ id: second }], open: [{ id: first }] });
  expect(t.service.dropJobs(null)).toEqual(ok({ changed: 1 }));
  expect(t.service.jobs()).toMatchObject({ parked: [], open: [{ id: first }] });
});

test("a job that waits or runs can neither be retried nor given up", () => {
  using t = openTestService();
  t.store.jobs.enqueue({ key: "a", kind: "turn", sessionId: "s", payload: {}, runAfterMs: 0 });
  const id = t.service.jobs().open[0]?.id ?? 0;
  expect(t.service.retryJobs([id])).toEqual(ok({ changed: 0 }));
  expect(t.service.dropJobs([id])).toEqual(ok({ changed: 0 }));
  expect(t.readOnly.retryJobs(null).ok).toBe(false);
});

test("usage sums calls, failures, tokens and dollars; where no price is known none is shown", () => {
  using t = openTestService();
  const call = (over: {
    readonly costUsd: number | null;
    readonly outcome?: string;
    readonly isEstimate?: boolean;
  }) =>
    t.store.ledger.add({
      atMs: testNowMs,
      purpose: "session",
      provider: "anthropic",
      model: "small",
      sessionId: null,
      inputTokens: 100,
      outputTokens: 10,
      isEstimate: false,
      latencyMs: 5,
      outcome: "ok",
      ...over,
    });
  expect(t.service.usage(null)).toMatchObject({ items: [], total: { calls: 0, cost_usd: null } });
  call({ costUsd: 0.25, isEstimate: true });
  call({ costUsd: null, outcome: "llm.timeout" });
  expect(t.service.usage(null)).toEqual({
    since: testNowMs - 30 * msPerDay,
    items: [
      {
        day: "2026-09-15",
        purpose: "session",
        model: "small",
        calls: 2,
        failed: 1,
        estimated: 1,
        tokens_in: 200,
        tokens_out: 20,
        cost_usd: 0.25,
      },
    ],
    total: { calls: 2, failed: 1, estimated: 1, tokens_in: 200, tokens_out: 20, cost_usd: 0.25 },
    budget: { tokens_today: 220, tokens_per_day: 300_000 },
  });
  expect(t.service.usage(testNowMs + 1).items).toEqual([]);
  expect(t.service.status().model).toMatchObject({ tokens_today: 220, tokens_per_day: 300_000 });
});

test("a question by hand says what it took, or in words why there was no answer", async () => {
  using t = openTestService();
  expect(await t.service.tryModel()).toMatchObject({
    purpose: "session",
    error: "no model is chosen: choose one with `continuity config set llm.provider NAME`",
    latency_ms: null,
  });
  const usage = {
    model: "small",
    inputTokens: 9,
    outputTokens: 3,
    isEstimate: false,
    costUsd: 0.01,
    latencyMs: 7,
  };
  const answering = createService({
    ...t.deps,
    work: { ...t.deps.work, tryModel: async () => ok({ ...usage, provider: "ollama" }) },
  });
  expect(await answering.tryModel()).toEqual({
    purpose: "session",
    error: null,
    provider: "ollama",
    model: "small",
    latency_ms: 7,
    tokens_in: 9,
    tokens_out: 3,
    estimated: false,
    cost_usd: 0.01,
  });
});
