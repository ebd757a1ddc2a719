import { expect, test } from "bun:test";
import { openTestService, testNowMs } from "../../../test/support/service.ts";
import { msPerDay, msPerHour } from "#kit";

test("every day has its line, also the empty ones, and the last is today", () => {
  using t = openTestService();
  const { days } = t.service.stats(7);
  expect(days.map(({ day }) => day)).toEqual([
    "2026-09-09",
    "2026-09-10",
    "2026-09-11",
    "2026-09-12",
    "2026-09-13",
    "2026-09-14",
    "2026-09-15",
  ]);
  expect(days[6]).toMatchObject({
    created: { entities: 0, preferences: 0 },
    surfaced: { start: 0, prompt: 0, search: 0 },
    used: 0,
    tokens_in: 0,
  });
});

test("memories count on the day they were made, by category, whatever became of them", () => {
  using t = openTestService();
  t.add({ uri: "mem://user/entities/a", l0: "a" });
  t.clock.advance(-2 * msPerDay);
  t.add({ uri: "mem://user/entities/b", l0: "b" });
  t.add({ uri: "mem://sessions/s/moments/1", l0: "m", category: "sessions", maker: "stop" });
  t.clock.advance(2 * msPerDay);
  t.service.edit({
    uri: "mem://user/entities/b",
    expected: null,
    status: "retracted",
    nowMs: testNowMs,
  });
  const { days, by_status: byStatus } = t.service.stats(3);
  expect(days.map(({ created }) => created["entities"])).toEqual([1, 0, 1]);
  expect(byStatus).toMatchObject({ active: 1, retracted: 1 });
});

test("being shown and being used are two things", () => {
  using t = openTestService();
  for (const name of ["a", "b", "c"]) t.add({ uri: `mem://user/entities/${name}`, l0: name });
  const shown = (name: string, channel: "start" | "prompt" | "said") => ({
    sessionId: "s",
    nodeId: t.store.nodes.byUri(`mem://user/entities/${name}`)?.id ?? 0,
    uri: `mem://user/entities/${name}`,
    channel,
    atMs: testNowMs,
  });
  t.store.exposure.add([
    shown("a", "start"),
    shown("a", "prompt"),
    shown("b", "prompt"),
    shown("c", "said"),
  ]);
  t.service.read("mem://user/entities/b", { use: true, nowMs: testNowMs });
  t.service.read("mem://user/entities/b", { use: true, nowMs: testNowMs });
  const { surfaced, used, days } = t.service.stats(1);
  expect(surfaced).toEqual({ memories: 2, shown: 3, hints: 0 });
  expect(used).toEqual({ memories: 1, uses: 2, never: 2 });
  expect(days[0]).toMatchObject({ surfaced: { start: 1, prompt: 2, search: 0 }, used: 1 });
});

test("tokens are told by day, given and spent, beside the budget", () => {
  using t = openTestService();
  t.store.exposure.addInjection({
    sessionId: "s",
    atMs: testNowMs,
    channel: "start",
    cause: "startup",
    text: "x",
    tokens: 40,
    reasons: "[]",
  });
  t.store.ledger.add({
    atMs: testNowMs - msPerDay,
    purpose: "session",
    provider: "anthropic",
    model: "small",
    sessionId: null,
    inputTokens: 100,
    outputTokens: 10,
    isEstimate: false,
    costUsd: null,
    latencyMs: 1,
    outcome: "ok",
  });
  const { days, tokens } = t.service.stats(2);
  expect(days).toMatchObject([
    { tokens_in: 100, tokens_out: 10, injections: 0 },
    { tokens_in: 0, injections: 1, tokens_injected: 40 },
  ]);
  expect(tokens).toEqual({ tokens_today: 0, tokens_per_day: 300_000, tokens_per_session: 60_000 });
});

test("how long hooks take is told with its tail and its classes", () => {
  using t = openTestService();
  for (let n = 1; n <= 100; n += 1)
    t.store.events.accept({
      key: `k${n}`,
      contentHash: `h${n}`,
      anonymous: false,
      hook: "submit",
      sessionId: "s",
      atMs: n,
      receivedAtMs: n,
      via: "socket",
    });
  t.store.events.noteLatencies(
    Array.from({ length: 100 }, (_, at) => ({ key: `k${at + 1}`, ms: at + 1 })),
  );
  const [submit] = t.service.stats(1).hooks;
  expect(submit).toMatchObject({
    hook: "submit",
    count: 100,
    p50_ms: 50,
    p95_ms: 95,
    p99_ms: 99,
    max_ms: 100,
  });
  expect(submit?.buckets.slice(0, 4)).toEqual([
    { up_to_ms: 1, count: 1 },
    { up_to_ms: 2, count: 1 },
    { up_to_ms: 5, count: 3 },
    { up_to_ms: 10, count: 5 },
  ]);
  expect(submit?.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(100);
});

test("settings are told and changed, but not what names a program", () => {
  using t = openTestService();
  expect(t.service.settings()).toMatchObject({
    ok: true,
    value: { items: [{}, { editable: false }] },
  });
  expect(t.service.setSetting("inject.prompt", "off")).toMatchObject({
    ok: true,
    value: { value: '"off"', source: "file" },
  });
  expect(t.service.setSetting("llm.claude-cli.path", "/bin/sh")).toEqual({
    ok: false,
    error: { type: "config.locked", key: "llm.claude-cli.path" },
  });
  expect(t.service.setSetting("inject.prompt", "maybe")).toMatchObject({
    error: { type: "config.value" },
  });
  expect(t.service.setSetting("no.such", "1")).toMatchObject({
    error: { type: "config.unknown-key" },
  });
  expect(t.readOnly.setSetting("inject.prompt", "off")).toMatchObject({
    error: { type: "service.read-only" },
  });
});

test.each([
  ["Asia/Tokyo", 1],
  ["America/Los_Angeles", 0],
  ["Asia/Kathmandu", 1],
])("days of figures are the caller's: %s", (zone, made) => {
  using t = openTestService();
  // 22:00 UTC of the day before: early today in the east, yesterday in the west.
  t.clock.advance(-12 * msPerHour);
  t.add({ uri: "mem://user/entities/x", l0: "X" });
  t.clock.advance(12 * msPerHour);
  const last = t.service.stats(2, zone).days.at(-1);
  expect(last?.day).toBe("2026-09-15");
  expect(last?.created["entities"]).toBe(made);
});
