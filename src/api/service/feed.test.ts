import { expect, test } from "bun:test";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";

const say = (t: TestService, prompt: string): void => {
  t.store.sessions.upsert({
    sessionId: "s",
    project: "github.com/acme/api",
    atMs: t.clock.nowMs(),
  });
  t.store.sessions.openTurn({ sessionId: "s", promptId: prompt, prompt, atMs: t.clock.nowMs() });
};

test("the kinds of records that came since a position are told, and none from there on", () => {
  using t = openTestService();
  const start = t.service.feedNow();
  expect(t.service.feedSince(start)).toEqual({ type: "news", kinds: [], lastId: start });
  say(t, "Fix the port");
  t.add({ uri: "mem://user/entities/a", l0: "A is a service", sourceSession: "s" });
  const news = t.service.feedSince(start);
  expect(news).toMatchObject({ type: "news", kinds: ["prompt", "memory"] });
  expect(news.lastId).toBe(t.service.feedNow());
  expect(t.service.feedSince(news.lastId)).toMatchObject({ kinds: [] });
});

test("an event that comes late is told all the same", () => {
  using t = openTestService();
  say(t, "now");
  const start = t.service.feedNow();
  t.store.sessions.openTurn({ sessionId: "s", promptId: "old", prompt: "from the spool", atMs: 5 });
  expect(t.service.feedSince(start)).toMatchObject({ kinds: ["prompt"] });
});

test("after a forget everybody must look anew", () => {
  using t = openTestService();
  const start = t.service.feedNow();
  t.add({ uri: "mem://user/entities/a", l0: "The vault code is 7431" });
  const { lastId } = t.service.feedSince(start);
  t.service.forget(["mem://user/entities/a"], testNowMs);
  for (const id of [start, lastId]) expect(t.service.feedSince(id).type).toBe("reset");
});

test("whoever comes with an id of another database starts anew", () => {
  using t = openTestService();
  say(t, "one");
  for (const id of ["", "x", "1.2", `${t.service.feedNow()}.1`, "9.9.999999.9.9.0"])
    expect(t.service.feedSince(id).type, id).toBe("reset");
});

test("an id is never used again, so that nothing new looks old", () => {
  using t = openTestService();
  t.add({ uri: "mem://user/entities/a", l0: "first" });
  const before = t.store.activity.marks().memory;
  t.service.forget(["mem://user/entities/a"], testNowMs);
  t.add({ uri: "mem://user/entities/b", l0: "second" });
  expect(t.store.activity.marks().memory).toBeGreaterThan(before);
});
