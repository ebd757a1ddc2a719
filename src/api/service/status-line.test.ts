import { expect, test } from "bun:test";
import { openTestService, testNowMs } from "../../../test/support/service.ts";
import { createService } from "./service.ts";
import type { Context as ServiceContext } from "./context.ts";

type Test = ReturnType<typeof openTestService>;

const ask = { session: "s-1", cwd: "/home/dev/api", age_ms: 60_000 };

/** The answer of a service with other dependencies than usual. */
const answer = (t: Test, other: Partial<ServiceContext> = {}, over: Partial<typeof ask> = {}) =>
  createService({ ...t.deps, ...other }).statusLine({ ...ask, ...over });

function openSession(t: Test, turns: number): void {
  t.store.sessions.upsert({ sessionId: "s-1", atMs: testNowMs, status: "active" });
  for (let n = 0; n < turns; n += 1)
    t.store.sessions.openTurn({
      sessionId: "s-1",
      promptId: `p-${n}`,
      prompt: "x",
      atMs: testNowMs,
    });
}

test("counts different memories shown to this session, not what it said itself", () => {
  using t = openTestService();
  openSession(t, 1);
  const shown = (nodeId: number, channel: "start" | "prompt" | "said", sessionId = "s-1") =>
    t.store.exposure.add([{ sessionId, nodeId, uri: `mem://${nodeId}`, channel, atMs: testNowMs }]);
  shown(1, "start");
  shown(1, "prompt");
  shown(2, "prompt");
  shown(3, "said");
  shown(4, "start", "another");
  expect(answer(t).surfaced).toBe(2);
  t.store.exposure.resetSeen("s-1");
  expect(answer(t).surfaced).toBe(2);
});

test("tokens are told only where a model is on", () => {
  using t = openTestService();
  openSession(t, 1);
  expect(answer(t).tokens).toBeNull();
  const language = () => ({
    ...t.deps.models.language(),
    provider: "ollama",
    reason: "chosen",
    tokensPerDay: 5_000,
  });
  expect(answer(t, { models: { ...t.deps.models, language } }).tokens).toEqual({
    today: 0,
    per_day: 5_000,
  });
});

const waiting =
  (oldestMs: number): ServiceContext["spoolSize"] =>
  () => ({ files: 2, bytes: 10, oldestMs });

test("nothing is wrong with a session that was seen and a spool that is empty or fresh", () => {
  using t = openTestService();
  openSession(t, 1);
  expect(answer(t).trouble).toBeNull();
  expect(answer(t, { spoolSize: waiting(testNowMs - 5_000) }).trouble).toBeNull();
});

test("what keeps capture from working is named", () => {
  using t = openTestService();
  expect(answer(t).trouble).toBe("no hook seen in this session");
  expect(answer(t, {}, { age_ms: 1_000 }).trouble).toBeNull();
  expect(answer(t, { isCaptured: () => false }).trouble).toBe("switched off here");
  expect(answer(t, { spoolSize: waiting(testNowMs - 90_000) }).trouble).toBe("2 events wait");
  t.deps.pause.pause(null, testNowMs);
  expect(answer(t, { spoolSize: waiting(testNowMs - 90_000) }).trouble).toBe("paused");
});
