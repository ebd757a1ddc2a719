import { expect, test } from "bun:test";
import type { JobDraft } from "#domain";
import { cause, draft, noonMs, openOk, tempFolder, tempStore } from "../../test/support/store.ts";

const leaseMs = 60_000;
const job = (key: string, over: Partial<JobDraft> = {}): JobDraft => ({
  key,
  kind: "turn",
  sessionId: null,
  payload: { n: 1 },
  runAfterMs: 0,
  ...over,
});

test("a job is leased once, carries its payload, and is gone when complete", () => {
  using store = tempStore();
  expect(store.jobs.enqueue(job("a", { payload: { turn: 3, deep: { x: [1] } } }))).toBe("added");
  const leased = store.jobs.lease(noonMs, leaseMs);
  expect(leased).toMatchObject({
    key: "a",
    state: "leased",
    attempt: 1,
    payload: { turn: 3, deep: { x: [1] } },
  });
  expect(store.jobs.lease(noonMs, leaseMs)).toBeNull();
  store.jobs.complete(leased!.id);
  expect(store.jobs.lease(noonMs + 10 * leaseMs, leaseMs)).toBeNull();
  expect(store.jobs.counts()).toEqual({ queued: 0, leased: 0, done: 1, skipped: 0 });
});

test.each(["queued", "leased", "done", "skipped"] as const)(
  "the same key is not added again while a job with it is %s",
  (state) => {
    using store = tempStore();
    store.jobs.enqueue(job("a"));
    if (state !== "queued") {
      const { id } = store.jobs.lease(noonMs, leaseMs)!;
      if (state === "done") store.jobs.complete(id);
      if (state === "skipped") for (let i = 0; i < 3; i += 1) store.jobs.fail(id, "no", noonMs);
    }
    expect(store.jobs.enqueue(job("a"))).toBe("already-there");
    expect(store.jobs.counts()[state]).toBe(1);
  },
);

test("a queued job is put off by a later time and never brought forward", () => {
  using store = tempStore();
  store.jobs.enqueue(job("quiet", { runAfterMs: noonMs + 100 }));
  store.jobs.enqueue(job("quiet", { runAfterMs: noonMs + 500 }));
  store.jobs.enqueue(job("quiet", { runAfterMs: noonMs + 200 }));
  expect(store.jobs.nextDueMs(noonMs)).toBe(noonMs + 500);
  expect(store.jobs.lease(noonMs + 499, leaseMs)).toBeNull();
  expect(store.jobs.lease(noonMs + 500, leaseMs)?.key).toBe("quiet");
});

test("a session's jobs run in order and one at a time; other sessions run beside it", () => {
  using store = tempStore();
  for (const [key, sessionId] of [
    ["a1", "a"],
    ["a2", "a"],
    ["b1", "b"],
    ["free", null],
  ] as const)
    store.jobs.enqueue(job(key, { sessionId }));
  const first = store.jobs.lease(noonMs, leaseMs);
  expect(first?.key).toBe("a1");
  expect(store.jobs.lease(noonMs, leaseMs)?.key).toBe("b1");
  expect(store.jobs.lease(noonMs, leaseMs)?.key).toBe("free");
  expect(store.jobs.lease(noonMs, leaseMs)).toBeNull();
  store.jobs.complete(first!.id);
  expect(store.jobs.lease(noonMs, leaseMs)?.key).toBe("a2");
});

test("a job set for later does not hold its session back", () => {
  using store = tempStore();
  store.jobs.enqueue(job("quiet", { sessionId: "a", runAfterMs: noonMs + 600_000 }));
  store.jobs.enqueue(job("turn", { sessionId: "a" }));
  expect(store.jobs.lease(noonMs, leaseMs)?.key).toBe("turn");
});

test("a job that failed holds its session back until it ran or is parked", () => {
  using store = tempStore();
  store.jobs.enqueue(job("first", { sessionId: "a" }));
  store.jobs.enqueue(job("second", { sessionId: "a" }));
  store.jobs.fail(store.jobs.lease(noonMs, leaseMs)!.id, "model away", noonMs);
  expect(store.jobs.lease(noonMs, leaseMs)).toBeNull();
  expect(store.jobs.lease(noonMs + 1_000, leaseMs)).toMatchObject({ key: "first", attempt: 2 });
});

test("failures back off 1 s and 10 s; the third parks the job with its reason", () => {
  using store = tempStore();
  store.jobs.enqueue(job("a", { sessionId: "s" }));
  store.jobs.enqueue(job("b", { sessionId: "s" }));
  let now = noonMs;
  for (const pause of [1_000, 10_000]) {
    store.jobs.fail(store.jobs.lease(now, leaseMs)!.id, "no", now);
    expect(store.jobs.lease(now + pause - 1, leaseMs)).toBeNull();
    // A flush waits for the next attempt too.
    expect(store.jobs.pending(now)).toBe(2);
    now += pause;
  }
  const last = store.jobs.lease(now, leaseMs);
  expect(last).toMatchObject({ key: "a", attempt: 3, reason: "no" });
  store.jobs.fail(last!.id, "still no", now);
  expect(store.jobs.counts()).toMatchObject({ queued: 1, skipped: 1 });
  expect(store.jobs.lease(now, leaseMs)?.key).toBe("b");
});

test("a lease that ran out is leased again, with the reply that was saved", () => {
  using store = tempStore();
  store.jobs.enqueue(job("a", { sessionId: "s" }));
  store.jobs.enqueue(job("b", { sessionId: "s" }));
  const { id } = store.jobs.lease(noonMs, leaseMs)!;
  store.jobs.saveReply(id, '{"memories":[]}');
  expect(store.jobs.lease(noonMs + leaseMs - 1, leaseMs)).toBeNull();
  expect(store.jobs.lease(noonMs + leaseMs, leaseMs)).toMatchObject({
    id,
    // Dying is not failing.
    attempt: 1,
    reply: '{"memories":[]}',
  });
});

test("after a crash, leases are put back and everything runs once more", () => {
  using folder = tempFolder();
  {
    using store = openOk(folder.database);
    store.jobs.enqueue(job("a"));
    store.jobs.lease(noonMs, leaseMs);
  }
  using store = openOk(folder.database);
  expect(store.jobs.releaseAll()).toBe(1);
  expect(store.jobs.lease(noonMs, leaseMs)?.key).toBe("a");
});

test("a job that ends the process each time is parked in the end", () => {
  using store = tempStore();
  store.jobs.enqueue(job("poison"));
  store.jobs.enqueue(job("good"));
  const keys = new Set<string>();
  for (let i = 0; i < 20; i += 1) {
    keys.add(store.jobs.lease(noonMs, leaseMs)!.key);
    store.jobs.releaseAll();
  }
  expect([...keys]).toEqual(["poison"]);
  expect(store.jobs.lease(noonMs, leaseMs)?.key).toBe("good");
  expect(store.jobs.counts().skipped).toBe(1);
});

test("pending counts what is due or running, not what is set for later", () => {
  using store = tempStore();
  store.jobs.enqueue(job("due"));
  store.jobs.enqueue(job("running"));
  store.jobs.enqueue(job("later", { runAfterMs: noonMs + 1 }));
  store.jobs.lease(noonMs, leaseMs);
  expect(store.jobs.pending(noonMs)).toBe(2);
  expect(store.jobs.pending(noonMs + 1)).toBe(3);
});

test("a job is done together with its effect or not at all", () => {
  using store = tempStore();
  store.jobs.enqueue(job("a"));
  const { id } = store.jobs.lease(noonMs, leaseMs)!;
  expect(() =>
    store.transaction(() => {
      store.nodes.insert(draft(), cause());
      store.jobs.complete(id);
      throw new Error("power cut");
    }),
  ).toThrow("power cut");
  expect(store.nodes.count({})).toBe(0);
  expect(store.jobs.counts()).toMatchObject({ leased: 1, done: 0 });
});

test("a parked job is shown with its reason and can be queued again by hand", () => {
  using store = tempStore();
  store.jobs.enqueue(job("a"));
  const { id } = store.jobs.lease(noonMs, leaseMs)!;
  expect(store.jobs.retry(id, noonMs)).toBe(false);
  for (let i = 0; i < 3; i += 1) store.jobs.fail(id, "unreadable reply", noonMs);
  expect(store.jobs.parked(5)).toMatchObject([
    { key: "a", state: "skipped", reason: "unreadable reply" },
  ]);
  expect(store.jobs.retry(id, noonMs)).toBe(true);
  expect(store.jobs.parked(5)).toEqual([]);
  expect(store.jobs.lease(noonMs, leaseMs)).toMatchObject({ key: "a", attempt: 1 });
});

test("what asks a model is a lane of its own: it holds nothing local, and is in order in itself", () => {
  using store = tempStore();
  store.jobs.enqueue(job("ask-1", { kind: "session", sessionId: "a" }));
  store.jobs.enqueue(job("ask-2", { kind: "session", sessionId: "a" }));
  store.jobs.enqueue(job("turn", { sessionId: "a" }));
  const asking = store.jobs.lease(noonMs, leaseMs, "model");
  expect(asking?.key).toBe("ask-1");
  expect(store.jobs.lease(noonMs, leaseMs, "model")).toBeNull();
  expect(store.jobs.lease(noonMs, leaseMs)?.key).toBe("turn");
  store.jobs.complete(asking!.id);
  expect(store.jobs.lease(noonMs, leaseMs, "model")?.key).toBe("ask-2");
});

test("a job put off is no failure, holds nothing up and is not waited for", () => {
  using store = tempStore();
  store.jobs.enqueue(job("ask-1", { kind: "session", sessionId: "a" }));
  store.jobs.enqueue(job("ask-2", { kind: "session", sessionId: "a" }));
  const first = store.jobs.lease(noonMs, leaseMs, "model")!;
  store.jobs.fail(first.id, "away", noonMs);
  const again = store.jobs.lease(noonMs + 1_000, leaseMs, "model")!;
  store.jobs.postpone(again.id, "the breaker is open", noonMs + 300_000);
  const second = store.jobs.lease(noonMs + 1_000, leaseMs, "model")!;
  expect(second.key).toBe("ask-2");
  store.jobs.complete(second.id);
  expect(store.jobs.pending(noonMs + 1_000)).toBe(0);
  expect(store.jobs.nextDueMs(noonMs + 1_000)).toBe(noonMs + 300_000);
  expect(store.jobs.lease(noonMs + 300_000, leaseMs, "model")).toMatchObject({
    key: "ask-1",
    attempt: 2,
  });
});

test("a stored reply is progress: the failures before it no longer count", () => {
  using store = tempStore();
  store.jobs.enqueue(job("ask", { kind: "session" }));
  let now = noonMs;
  for (let round = 0; round < 5; round += 1) {
    const { id } = store.jobs.lease(now, leaseMs, "model")!;
    store.jobs.saveReply(id, `{"round":${round}}`);
    store.jobs.fail(id, "no", now);
    now += 1_000;
  }
  expect(store.jobs.counts()).toMatchObject({ queued: 1, skipped: 0 });
});

test("a renewed lease is not given to another before its new end", () => {
  using store = tempStore();
  store.jobs.enqueue(job("ask", { kind: "session" }));
  const { id } = store.jobs.lease(noonMs, leaseMs, "model")!;
  store.jobs.renew(id, noonMs + 3 * leaseMs);
  expect(store.jobs.lease(noonMs + 2 * leaseMs, leaseMs, "model")).toBeNull();
  expect(store.jobs.nextDueMs(noonMs)).toBe(noonMs + 3 * leaseMs);
});

test("waiting for everything makes what waits for silence due now", () => {
  using store = tempStore();
  store.jobs.enqueue(job("quiet", { kind: "quiet", runAfterMs: noonMs + 600_000 }));
  store.jobs.enqueue(job("later", { kind: "turn", runAfterMs: noonMs + 600_000 }));
  expect(store.jobs.expedite("quiet", noonMs)).toBe(1);
  expect(store.jobs.lease(noonMs, leaseMs)?.key).toBe("quiet");
  expect(store.jobs.lease(noonMs, leaseMs)).toBeNull();
});

test("a parked job can be given up by hand; it is not shown again and its key stays taken", () => {
  using store = tempStore();
  store.jobs.enqueue(job("a"));
  expect(store.jobs.open(10).map(({ key }) => key)).toEqual(["a"]);
  const { id } = store.jobs.lease(noonMs, leaseMs)!;
  expect(store.jobs.drop(id)).toBe(false);
  for (let failures = 0; failures < 3; failures += 1) store.jobs.fail(id, "no", noonMs);
  expect(store.jobs.drop(id)).toBe(true);
  expect(store.jobs.parked(10)).toEqual([]);
  expect(store.jobs.enqueue(job("a"))).toBe("already-there");
});

test("what was put off can be tried at once by hand; what merely waits for its time cannot", () => {
  using store = tempStore();
  store.jobs.enqueue(job("ask", { kind: "session" }));
  store.jobs.enqueue(job("quiet", { kind: "quiet", runAfterMs: noonMs + 600_000 }));
  const { id } = store.jobs.lease(noonMs, leaseMs, "model")!;
  store.jobs.postpone(id, "the breaker is open", noonMs + 300_000);
  expect(store.jobs.open(10).map((open) => store.jobs.retry(open.id, noonMs))).toEqual([
    true,
    false,
  ]);
  expect(store.jobs.lease(noonMs, leaseMs, "model")?.key).toBe("ask");
});
