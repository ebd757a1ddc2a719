import { expect, test } from "bun:test";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";
import type { FeedJson, FeedPageJson } from "../forms-search.ts";

const say = (t: TestService, prompt: string): void => {
  t.store.sessions.upsert({
    sessionId: "s",
    project: "github.com/acme/api",
    atMs: t.clock.nowMs(),
  });
  t.store.sessions.openTurn({ sessionId: "s", promptId: prompt, prompt, atMs: t.clock.nowMs() });
};

const page = (t: TestService, limit: number, cursor: string | null = null): FeedPageJson => {
  const found = t.service.feed({ limit, cursor });
  if (!found.ok) throw new Error(found.error.type);
  return found.value;
};

const since = (t: TestService, id: string): readonly FeedJson[] => {
  const found = t.service.feedSince(id);
  if (found.type === "reset") throw new Error(found.reason);
  return found.entries;
};

const told = (items: readonly FeedJson[]): readonly string[] => items.map(({ title }) => title);

test("every kind of thing is told in one line", () => {
  using t = openTestService();
  say(t, "Fix\nthe port");
  t.add({ uri: "mem://user/entities/a", l0: "A is a service", sourceSession: "s" });
  t.store.exposure.addInjection({
    sessionId: "s",
    atMs: testNowMs,
    channel: "prompt",
    cause: "vocabulary",
    text: "memory text",
    tokens: 12,
    reasons: "[]",
  });
  t.store.exposure.addInjection({
    sessionId: "s",
    atMs: testNowMs,
    channel: "prompt",
    cause: "nothing wanted",
    text: "",
    tokens: 0,
    reasons: "[]",
  });
  t.store.ledger.add({
    atMs: testNowMs,
    purpose: "session",
    provider: "anthropic",
    model: "small",
    sessionId: "s",
    inputTokens: 10,
    outputTokens: 1,
    isEstimate: false,
    costUsd: null,
    latencyMs: 3,
    outcome: "ok",
  });
  const items = page(t, 10).items;
  expect(items.map(({ kind, title, detail, tokens }) => [kind, title, detail, tokens])).toEqual([
    ["call", "session", "small: ok", 11],
    ["injection", "prompt", "vocabulary", 12],
    ["memory", "A is a service", "given", null],
    ["prompt", "Fix the port", null, null],
  ]);
  expect(items[2]).toMatchObject({
    uri: "mem://user/entities/a",
    action: "create",
    category: "entities",
  });
  expect(items[3]).toMatchObject({ session_id: "s", project: "github.com/acme/api" });
});

test("no two entries have one key, and an entry has the same on a page as in the stream", () => {
  using t = openTestService();
  const start = t.service.feedNow();
  say(t, "one");
  t.add({ uri: "mem://user/entities/a", l0: "two" });
  t.add({ uri: "mem://user/entities/b", l0: "three" });
  const keys = page(t, 10).items.map(({ key }) => key);
  expect(new Set(keys).size).toBe(3);
  expect(
    since(t, start)
      .map(({ key }) => key)
      .toSorted(),
  ).toEqual(keys.toSorted());
});

test("what comes after an id is told once, in order, and its last id goes on from there", () => {
  using t = openTestService();
  const start = t.service.feedNow();
  expect(since(t, start)).toEqual([]);
  say(t, "one");
  t.clock.advance(1_000);
  t.add({ uri: "mem://user/entities/a", l0: "two" });
  t.clock.advance(1_000);
  say(t, "three");
  const entries = since(t, start);
  expect(told(entries)).toEqual(["one", "two", "three"]);
  expect(told(since(t, entries[0]?.id ?? ""))).toEqual(["two", "three"]);
  expect(told(since(t, entries[1]?.id ?? ""))).toEqual(["three"]);
  expect(entries[2]?.id).toBe(t.service.feedNow());
});

test("an event that comes late is told all the same", () => {
  using t = openTestService();
  const start = t.service.feedNow();
  say(t, "now");
  t.store.sessions.openTurn({ sessionId: "s", promptId: "old", prompt: "from the spool", atMs: 5 });
  say(t, "later");
  expect(told(since(t, start))).toEqual(["now", "from the spool", "later"]);
});

test("pages lead back to the beginning, each entry once", () => {
  using t = openTestService();
  for (let n = 0; n < 7; n += 1) {
    say(t, `p${n}`);
    t.add({ uri: `mem://user/entities/m${n}`, l0: `m${n}` });
    t.clock.advance(1_000);
  }
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const { items, next_cursor: next }: FeedPageJson = page(t, 3, cursor);
    found.push(...told(items));
    cursor = next;
  } while (cursor !== null);
  expect(found.length).toBe(14);
  expect(new Set(found).size).toBe(14);
  expect(found.slice(0, 2).toSorted()).toEqual(["m6", "p6"]);
});

test("what an import brings stands where it happened, on every page once", () => {
  using t = openTestService();
  const old = testNowMs - 400 * 24 * 3_600_000;
  const at = (atMs: number) => ({ atMs, action: "create", by: "import:x", reason: "" }) as const;
  const memory = (name: string) =>
    ({
      uri: `mem://user/events/${name}`,
      category: "events",
      origin: "import",
      maker: "import",
      project: null,
    }) as const;
  say(t, "today");
  for (let n = 0; n < 5; n += 1)
    t.store.nodes.insert({ ...memory(`i${n}`), l0: `import ${n}` }, at(old + n));
  t.store.sessions.openTurn({ sessionId: "s", promptId: "o", prompt: "long ago", atMs: old + 2 });
  const found: FeedJson[] = [];
  let cursor: string | null = null;
  do {
    const { items, next_cursor: next }: FeedPageJson = page(t, 2, cursor);
    found.push(...items);
    cursor = next;
  } while (cursor !== null);
  expect(told(found)).toEqual([
    "today",
    "import 4",
    "import 3",
    "import 2",
    "long ago",
    "import 1",
    "import 0",
  ]);
});

test("after a forget everybody must look anew, and nothing forgotten is told", () => {
  using t = openTestService();
  const start = t.service.feedNow();
  t.add({ uri: "mem://user/entities/a", l0: "The vault code is 7431" });
  const [entry] = since(t, start);
  t.service.forget(["mem://user/entities/a"], testNowMs);
  for (const id of [start, entry?.id ?? ""])
    expect(t.service.feedSince(id)).toMatchObject({ type: "reset", reason: "forgotten" });
  expect(JSON.stringify([page(t, 50), t.service.feedSince(t.service.feedNow())])).not.toContain(
    "7431",
  );
});

test("whoever missed too much, or comes with an id of another database, starts anew", () => {
  using t = openTestService();
  const start = t.service.feedNow();
  t.store.transaction(() => {
    for (let n = 0; n < 300; n += 1) say(t, `p${n}`);
  });
  expect(t.service.feedSince(start)).toMatchObject({ type: "reset", reason: "too-far" });
  for (const id of ["", "x", "1.2", `${t.service.feedNow()}.1`, "9.9.999999.9.9.9.0"])
    expect(t.service.feedSince(id), id).toMatchObject({ type: "reset", reason: "too-far" });
});

test("an id is never used again, so that nothing new looks old", () => {
  using t = openTestService();
  t.add({ uri: "mem://user/entities/a", l0: "first" });
  const before = t.store.activity.marks().memory;
  t.service.forget(["mem://user/entities/a"], testNowMs);
  t.add({ uri: "mem://user/entities/b", l0: "second" });
  expect(t.store.activity.marks().memory).toBeGreaterThan(before);
});

test("a cursor of another list is none", () => {
  using t = openTestService();
  expect(t.service.feed({ limit: 3, cursor: "o10" })).toEqual({
    ok: false,
    error: { type: "cursor.invalid" },
  });
});

test("only the kinds that were asked for are told, however many others came since", () => {
  using t = openTestService();
  say(t, "first prompt");
  say(t, "second prompt");
  for (let n = 0; n < 70; n += 1) t.add({ uri: `mem://user/entities/n${n}`, l0: `Service ${n}` });
  const found = t.service.feed({ limit: 1, cursor: null, kind: ["prompt"] });
  if (!found.ok) throw new Error(found.error.type);
  expect(told(found.value.items)).toEqual(["second prompt"]);
  const cursor = found.value.next_cursor;
  const next = t.service.feed({ limit: 1, cursor, kind: ["prompt"] });
  expect(next.ok && [told(next.value.items), next.value.next_cursor]).toEqual([
    ["first prompt"],
    null,
  ]);
});
