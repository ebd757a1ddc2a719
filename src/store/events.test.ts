import { expect, test } from "bun:test";
import type { EventLog } from "#domain";
import { noonMs, tempStore } from "../../test/support/store.ts";

type Event = Parameters<EventLog["accept"]>[0];
const event = (over: Partial<Event> = {}): Event => ({
  key: "k1",
  contentHash: "h",
  anonymous: false,
  hook: "submit",
  sessionId: "s",
  atMs: noonMs,
  receivedAtMs: noonMs,
  via: "socket",
  ...over,
});

test("a key is accepted once, whichever way it comes", () => {
  using store = tempStore();
  expect(store.events.accept(event())).toBe("fresh");
  expect(store.events.accept(event({ via: "spool", receivedAtMs: noonMs + 9e9 }))).toBe(
    "duplicate",
  );
  expect(store.events.count()).toBe(1);
});

test.each([
  {
    name: "within a second from one session",
    over: { atMs: noonMs + 1_000 },
    expected: "duplicate",
  },
  { name: "a moment earlier (drained later)", over: { atMs: noonMs - 400 }, expected: "duplicate" },
  { name: "after more than a second", over: { atMs: noonMs + 1_001 }, expected: "fresh" },
  { name: "from another session", over: { sessionId: "other" }, expected: "fresh" },
  { name: "of another hook", over: { hook: "start" }, expected: "fresh" },
  { name: "with other content", over: { contentHash: "other" }, expected: "fresh" },
])("an anonymous event $name is $expected", ({ over, expected }) => {
  using store = tempStore();
  store.events.accept(event({ anonymous: true }));
  expect(store.events.accept(event({ key: "k2", anonymous: true, ...over }))).toBe(
    expected as "fresh",
  );
});

test("events with ids of their own are never taken for one another", () => {
  using store = tempStore();
  store.events.accept(event());
  expect(store.events.accept(event({ key: "k2" }))).toBe("fresh");
});

test("the latest event of each hook is told with its count", () => {
  using store = tempStore();
  store.events.accept(event({ key: "a", receivedAtMs: 10, atMs: 9 }));
  store.events.accept(event({ key: "b", receivedAtMs: 30, atMs: 3 }));
  store.events.accept(event({ key: "c", receivedAtMs: 20, atMs: 19 }));
  store.events.accept(event({ key: "d", hook: "stop" }));
  expect(store.events.lastByHook()).toEqual([
    { hook: "stop", atMs: noonMs, receivedAtMs: noonMs, count: 1 },
    { hook: "submit", atMs: 3, receivedAtMs: 30, count: 3 },
  ]);
});

test("how long hooks took is told by hook, the newest first; a key that has a figure keeps it", () => {
  using store = tempStore();
  for (const [at, key] of ["a", "b", "c"].entries())
    store.events.accept(event({ key, receivedAtMs: at }));
  store.events.accept(event({ key: "d", hook: "stop" }));
  store.events.noteLatencies([
    { key: "a", ms: 4.5 },
    { key: "c", ms: 6 },
    { key: "gone", ms: 1 },
  ]);
  store.events.noteLatencies([{ key: "a", ms: 99 }]);
  expect(store.events.latencies(10)).toEqual(new Map([["submit", [6, 4.5]]]));
  expect(store.events.latencies(1)).toEqual(new Map([["submit", [6]]]));
});

test("the last session is one that a hook reported, not one fed through the API or made by hand", () => {
  using store = tempStore();
  expect(store.events.lastSession()).toBeNull();
  store.events.accept(event({ key: "a", sessionId: "old", receivedAtMs: 1 }));
  store.events.accept(event({ key: "b", sessionId: "last", receivedAtMs: 2, via: "spool" }));
  store.events.accept(event({ key: "c", sessionId: "fed", receivedAtMs: 3, via: "http" }));
  store.events.accept(event({ key: "d", sessionId: "by hand", receivedAtMs: 4 }));
  const transcriptPath = "/t.jsonl";
  for (const sessionId of ["old", "last", "fed"])
    store.sessions.upsert({ sessionId, project: "p", atMs: 1, transcriptPath });
  store.sessions.upsert({ sessionId: "by hand", project: "p", atMs: 4 });
  expect(store.events.lastSession()).toBe("last");
});

test("which hooks fired in a session, and how often", () => {
  using store = tempStore();
  store.events.accept(event({ key: "a" }));
  store.events.accept(event({ key: "b" }));
  store.events.accept(event({ key: "c", hook: "stop" }));
  store.events.accept(event({ key: "d", sessionId: "another" }));
  const { sessionId } = event();
  expect(store.events.firedIn(sessionId ?? "")).toEqual(
    new Map([
      ["stop", 1],
      ["submit", 2],
    ]),
  );
});

test.each(["start", "end"])(
  "a session that did something since has another %s, however soon",
  (hook) => {
    using store = tempStore();
    const told = (key: string, atMs: number) =>
      store.events.accept(event({ key, hook, anonymous: true, atMs }));
    expect(told("a", noonMs)).toBe("fresh");
    expect(told("b", noonMs + 5)).toBe("duplicate");
    store.events.accept(event({ key: "c", hook: "submit", atMs: noonMs + 300 }));
    expect(told("d", noonMs + 800)).toBe("fresh");
    expect(told("e", noonMs + 810)).toBe("duplicate");
  },
);
