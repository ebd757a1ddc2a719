/** Sessions, injections, figures and the pause switch. */
import { expect, test } from "bun:test";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";

const withSession = (t: TestService): void => {
  t.store.sessions.upsert({
    sessionId: "s1",
    project: "github.com/acme/api",
    projectName: "api",
    title: "Fix the flaky test",
    atMs: testNowMs,
  });
  t.store.sessions.openTurn({
    sessionId: "s1",
    promptId: "p1",
    prompt: "Fix the flaky test",
    atMs: testNowMs,
  });
};

const inject = (t: TestService, sessionId: string, text: string, atMs: number): void =>
  t.store.exposure.addInjection({
    sessionId,
    atMs,
    channel: "start",
    cause: "startup",
    text,
    tokens: 5,
    reasons: JSON.stringify([{ uri: "mem://user/entities/a", as: "shown" }]),
  });

test("sessions are listed with a cursor and shown whole", () => {
  using t = openTestService();
  withSession(t);
  t.store.sessions.upsert({ sessionId: "s2", atMs: testNowMs + 1 });
  const page = t.service.sessions({ limit: 1 });
  expect(page).toMatchObject({ ok: true, value: { next_cursor: "o1" } });
  const rest = t.service.sessions({ limit: 1, cursor: "o1" });
  expect(rest).toMatchObject({ ok: true, value: { next_cursor: null } });
  expect(t.service.session("s1")).toMatchObject({
    ok: true,
    value: {
      session_id: "s1",
      title: "Fix the flaky test",
      turns: [{ n: 1, prompt: "Fix the flaky test", status: "open" }],
      checkpoints: [],
      observations: [],
      moments: [],
    },
  });
});

test("an unknown session is an error everywhere but in a preview", () => {
  using t = openTestService();
  const error = { ok: false, error: { type: "session.not-found", sessionId: "none" } } as const;
  expect(t.service.session("none")).toEqual(error);
  expect(t.service.why("none")).toEqual(error);
  const ask = { project: "github.com/acme/api", nowMs: testNowMs };
  expect(t.service.context("none", ask)).toEqual(error);
  expect(t.service.sessionTimeline("none", { limit: 5, cursor: null })).toEqual(error);
  expect(t.service.context("preview", ask)).toMatchObject({
    ok: true,
    value: { session_id: "preview", state: "preview", text: "hello github.com/acme/api" },
  });
});

test("a session is found by a beginning of its id that no other has", () => {
  using t = openTestService();
  for (const sessionId of ["aaaa1111-x", "aaaa2222-x"]) {
    t.store.sessions.upsert({ sessionId, project: "github.com/acme/api", atMs: testNowMs });
    t.store.sessions.openTurn({ sessionId, promptId: null, prompt: "Fix it", atMs: testNowMs });
  }
  const ask = { nowMs: testNowMs };
  const page = { limit: 5 };
  const around = { around: "aaaa1111", nowMs: testNowMs, ...page };
  const value = { session_id: "aaaa1111-x" };
  expect(t.service.session("aaaa1")).toMatchObject({ ok: true, value });
  expect(t.service.why("aaaa1111")).toMatchObject({ ok: true, value });
  expect(t.service.context("aaaa1111", ask)).toMatchObject({ ok: true, value });
  expect(t.service.sessionTimeline("aaaa1111", page)).toMatchObject({
    ok: true,
    value: { items: [{ session_id: "aaaa1111-x" }] },
  });
  expect(t.service.timeline(around)).toMatchObject({ ok: true });
  expect(t.service.timeline({ ...around, around: "aaaa1111/1" })).toMatchObject({ ok: true });
  expect(t.service.why("aaaa")).toEqual({
    ok: false,
    error: {
      type: "session.ambiguous",
      sessionId: "aaaa",
      candidates: ["aaaa1111-x", "aaaa2222-x"],
    },
  });
  for (const given of ["aaa", "aaaa3", "%", "aaaa____"])
    expect(t.service.why(given)).toMatchObject({ error: { type: "session.not-found" } });
});

test("a context that was injected is replayed, not made again", () => {
  using t = openTestService();
  withSession(t);
  inject(t, "s1", "first", testNowMs);
  inject(t, "s1", "second", testNowMs + 1);
  const context = t.service.context("s1", { nowMs: testNowMs + 2 });
  expect(context).toMatchObject({
    ok: true,
    value: {
      state: "injected",
      text: "second",
      reasons: [{ uri: "mem://user/entities/a", as: "shown" }],
    },
  });
});

test("a known session without an injection previews its own project", () => {
  using t = openTestService();
  withSession(t);
  const context = t.service.context("s1", { project: "github.com/else/where", nowMs: testNowMs });
  expect(context).toMatchObject({ ok: true, value: { text: "hello github.com/acme/api" } });
});

test("why replays in order, and finds the latest session by itself", () => {
  using t = openTestService();
  expect(t.service.why("latest")).toEqual({
    ok: true,
    value: { session_id: null, injections: [] },
  });
  withSession(t);
  inject(t, "s1", "first", testNowMs);
  inject(t, "s1", "second", testNowMs + 1);
  const why = t.service.why("latest");
  expect(why).toMatchObject({ ok: true, value: { session_id: "s1" } });
  expect(why.ok && why.value.injections.map(({ text }) => text)).toEqual(["first", "second"]);
});

test("status tells figures and facts; without a daemon it says so", () => {
  using t = openTestService();
  withSession(t);
  t.add({ uri: "mem://user/entities/a", l0: "A is a service" });
  t.add({ uri: "mem://sessions/s1/moments/1", l0: "Found", category: "sessions", maker: "stop" });
  t.add({
    uri: "mem://sessions/s1/narrative/1",
    l0: "Tried",
    category: "sessions",
    maker: "precompact",
  });
  expect(t.service.status()).toMatchObject({
    version: "1.2.3",
    daemon: { pid: 77, uptime_ms: 60_000, port: 37_777 },
    counts: { memories: 1, exchanges: 1, sessions: 1, turns: 1 },
    pause: { paused: false },
  });
  expect(t.service.stats(30)).toMatchObject({
    by_category: { entities: 1, sessions: 2 },
    by_status: { active: 1, pending: 0 },
    by_maker: { manual: 1 },
    projects: [{ key: "github.com/acme/api", name: "api", sessions: 1 }],
  });
});

test("health tells liveness and version, nothing else", () => {
  using t = openTestService();
  expect(t.service.health()).toEqual({ ok: true, version: "1.2.3" });
});

test("pausing has an end or none, and a read-only service cannot", () => {
  using t = openTestService();
  expect(t.service.pause(60_000)).toEqual({
    ok: true,
    value: { paused: true, until: testNowMs + 60_000 },
  });
  expect(t.service.resume()).toMatchObject({ ok: true, value: { paused: false } });
  expect(t.service.pause(null)).toEqual({ ok: true, value: { paused: true, until: null } });
  expect(t.readOnly.pause(null)).toMatchObject({ error: { type: "service.read-only" } });
  expect(t.readOnly.resume()).toMatchObject({ error: { type: "service.read-only" } });
});
