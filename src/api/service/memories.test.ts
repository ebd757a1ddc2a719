import { describe, expect, test } from "bun:test";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";
import { shortIdOf } from "#domain";
import { msPerDay } from "#kit";
import type { RememberAsk } from "./candidate.ts";
import type { ListAsk } from "./search.ts";

const listAsk: ListAsk = {
  sort: "uri",
  archive: false,
  expired: false,
  limit: 10,
  nowMs: testNowMs,
};

const rememberAsk: RememberAsk = {
  text: "The staging database listens on port 5433",
  category: "entities",
  project: null,
  tags: [],
  importance: 5,
  sessionId: null,
  by: "user",
  nowMs: testNowMs,
};

const uris = (t: TestService, ask: Partial<ListAsk> = {}): readonly string[] => {
  const page = t.service.list({ ...listAsk, ...ask });
  return page.ok ? page.value.items.map(({ uri }) => uri) : [page.error.type];
};

test("a list has memories only; the archive has its own", () => {
  using t = openTestService();
  t.add({ uri: "mem://user/entities/a", l0: "A is a service" });
  t.add({
    uri: "mem://sessions/s1/moments/1",
    l0: "The cause was found",
    category: "sessions",
    maker: "stop",
  });
  expect(uris(t)).toEqual(["mem://user/entities/a"]);
  expect(uris(t, { archive: true })).toEqual(["mem://sessions/s1/moments/1"]);
});

test("what has expired has a list of its own, and no other", () => {
  using t = openTestService();
  t.add({ uri: "mem://user/entities/a", l0: "A is a service" });
  t.add({ uri: "mem://user/events/b", l0: "The freeze ends", expiresAt: testNowMs - 1 });
  t.add({ uri: "mem://user/events/c", l0: "The trip begins", expiresAt: testNowMs + 1 });
  expect(uris(t)).toEqual(["mem://user/entities/a", "mem://user/events/c"]);
  expect(uris(t, { expired: true })).toEqual(["mem://user/events/b"]);
  expect(t.service.list({ ...listAsk, expired: true })).toMatchObject({ value: { total: 1 } });
});

test("pages follow one another and end", () => {
  using t = openTestService();
  for (const name of ["a", "b", "c"]) t.add({ uri: `mem://user/entities/${name}`, l0: name });
  const first = t.service.list({ ...listAsk, limit: 2 });
  expect(first).toMatchObject({ ok: true, value: { total: 3, next_cursor: "o2" } });
  const last = t.service.list({ ...listAsk, limit: 2, cursor: "o2" });
  expect(last).toMatchObject({ ok: true, value: { next_cursor: null } });
  expect(last.ok && last.value.items.map(({ l0 }) => l0)).toEqual(["c"]);
});

test.each(["", "2", "o-1", "o99999999999", "x2"])("the cursor %p is refused", (cursor) => {
  using t = openTestService();
  expect(t.service.list({ ...listAsk, cursor })).toEqual({
    ok: false,
    error: { type: "cursor.invalid" },
  });
});

test("a project's list has its own and global memories, and no other's", () => {
  using t = openTestService();
  t.add({ uri: "mem://user/entities/own", l0: "own", project: "github.com/acme/api" });
  t.add({ uri: "mem://user/entities/global", l0: "global" });
  t.add({ uri: "mem://user/entities/other", l0: "other", project: "github.com/acme/web" });
  expect(uris(t, { project: ["github.com/acme/api"] })).toEqual([
    "mem://user/entities/global",
    "mem://user/entities/own",
  ]);
});

test("a project can be named as people call it", () => {
  using t = openTestService();
  t.store.sessions.upsert({
    sessionId: "s1",
    project: "github.com/acme/api",
    projectName: "api",
    atMs: testNowMs,
  });
  t.add({ uri: "mem://user/entities/own", l0: "own", project: "github.com/acme/api" });
  expect(uris(t, { project: ["API"] })).toEqual(["mem://user/entities/own"]);
  expect(uris(t, { project: ["nowhere"] })).toEqual(["project.unknown"]);
});

test("reading counts as use only when asked to, and never on a read-only store", () => {
  using t = openTestService();
  t.add({ uri: "mem://user/entities/a", l0: "A is a service" });
  const read = (service: TestService["service"], use: boolean): unknown => {
    const node = service.read("mem://user/entities/a", { use, nowMs: testNowMs + 5 });
    return node.ok ? [node.value.access_count, node.value.last_access] : node.error;
  };
  expect(read(t.service, false)).toEqual([0, null]);
  expect(read(t.readOnly, true)).toEqual([0, null]);
  expect(read(t.service, true)).toEqual([1, testNowMs + 5]);
});

test("use extends the life of what expires by the span it had", () => {
  using t = openTestService();
  t.add({
    uri: "mem://sessions/s1/moments/1",
    l0: "The cause was found",
    category: "sessions",
    maker: "stop",
    expiresAt: testNowMs + 7 * msPerDay,
  });
  const uri = "mem://sessions/s1/moments/1";
  t.service.read(uri, { use: false, nowMs: testNowMs + msPerDay });
  const used = t.service.read(uri, { use: true, nowMs: testNowMs + msPerDay });
  expect(used).toMatchObject({ ok: true, value: { expires_at: testNowMs + 8 * msPerDay } });
});

test("what a memory was replaced by is told with it", () => {
  using t = openTestService();
  t.add({ uri: "mem://user/entities/old", l0: "The port is 1" });
  t.add({ uri: "mem://user/entities/new", l0: "The port is 2" });
  const id = (uri: string): number => t.store.nodes.byUri(uri)?.id ?? 0;
  const [from, to] = [id("mem://user/entities/new"), id("mem://user/entities/old")];
  t.store.nodes.relate(from, to, "supersedes", testNowMs);
  const cause = { atMs: testNowMs, action: "supersede", by: "test", reason: "changed" } as const;
  t.store.nodes.update(to, { status: "superseded" }, cause);
  const read = t.service.read("mem://user/entities/old", { use: false, nowMs: testNowMs });
  expect(read).toMatchObject({
    ok: true,
    value: {
      superseded_by: "mem://user/entities/new",
      links: [{ relation: "supersedes", direction: "from", uri: "mem://user/entities/new" }],
    },
  });
});

test.each([
  { uri: "mem://user/entities/none", type: "memory.not-found" },
  { uri: "https://example.com/x", type: "memory.uri-invalid" },
  { uri: "mem://user/../../etc/passwd", type: "memory.uri-invalid" },
] as const)("$uri is $type", ({ uri, type }) => {
  using t = openTestService();
  const read = t.service.read(uri, { use: true, nowMs: testNowMs });
  expect(read).toEqual({ ok: false, error: { type, uri } });
  const page = { limit: 10, order: "oldest" } as const;
  expect(t.service.history({ ...page, uri })).toEqual({ ok: false, error: { type, uri } });
});

test("the tree is browsed from its root, also when it is empty", () => {
  using t = openTestService();
  const page = { limit: 10, cursor: null };
  expect(t.service.tree("mem://", page)).toMatchObject({ ok: true, value: { items: [] } });
  t.add({ uri: "mem://user/entities/a", l0: "A is a service" });
  expect(t.service.tree("mem://", page)).toMatchObject({
    ok: true,
    value: { items: [{ uri: "mem://user", node_type: "dir", leaves: 1 }], next_cursor: null },
  });
  expect(t.service.tree("mem://user/entities/", page)).toMatchObject({
    ok: true,
    value: { items: [{ uri: "mem://user/entities/a", node_type: "leaf", tokens: { l0: 4 } }] },
  });
});

test("the profile has profile and preferences, and the relational profile apart", () => {
  using t = openTestService();
  t.add({ uri: "mem://user/profile/communication", l0: "Be brief", category: "profile" });
  t.add({ uri: "mem://user/profile/role", l0: "Backend developer", category: "profile" });
  t.add({ uri: "mem://user/preferences/pm", l0: "Use pnpm", category: "preferences" });
  t.add({ uri: "mem://user/entities/a", l0: "A is a service" });
  const profile = t.service.profile(null);
  expect(profile).toMatchObject({
    ok: true,
    value: {
      communication: { l0: "Be brief" },
      profile: [{ l0: "Backend developer" }],
      preferences: [{ l0: "Use pnpm" }],
    },
  });
});

test("what is remembered by hand is the user's, and searchable text stays whole", () => {
  using t = openTestService();
  const remembered = t.service.remember(rememberAsk);
  expect(remembered).toMatchObject({
    ok: true,
    value: {
      action: "created",
      redactions: 0,
      cut_characters: 0,
      memory: { l0: rememberAsk.text, origin: "user", maker: "manual", importance: 5 },
    },
  });
});

test("the same words again are known already", () => {
  using t = openTestService();
  t.service.remember(rememberAsk);
  expect(t.service.remember(rememberAsk)).toMatchObject({ ok: true, value: { action: "known" } });
  expect(t.store.nodes.count({})).toBe(1);
});

test("long text keeps a short line and the whole", () => {
  using t = openTestService();
  const text = `The deploy has many steps. ${"Check the queue and wait. ".repeat(60)}`.trim();
  const remembered = t.service.remember({ ...rememberAsk, text });
  if (!remembered.ok) throw new Error(remembered.error.type);
  const { uri, l0 } = remembered.value.memory;
  expect(l0.length).toBeLessThanOrEqual(400);
  expect(t.store.nodes.byUri(uri)?.l2).toBe(text);
});

test("what is too long for one memory is cut at a word, and said", () => {
  using t = openTestService();
  const remembered = t.service.remember({ ...rememberAsk, text: "harbour ".repeat(6_000) });
  if (!remembered.ok) throw new Error(remembered.error.type);
  const { cut_characters: cut, memory } = remembered.value;
  const kept = t.store.nodes.byUri(memory.uri)?.l2?.length ?? 0;
  expect(kept).toBeLessThanOrEqual(40_000);
  expect(kept - 1 + cut).toBe("harbour ".repeat(6_000).trim().length);
});

test("secrets never reach the store, and private text leaves nothing", () => {
  using t = openTestService();
  const key = ["AKIA", "QYLPMN5HHHFPZAM2"].join("");
  const secret = t.service.remember({
    ...rememberAsk,
    text: `The deploy key of Bremen, ${key}, opens port 22`,
  });
  expect(secret).toMatchObject({ ok: true, value: { redactions: 1 } });
  expect(JSON.stringify(secret)).not.toContain(key);
  const hidden = t.service.remember({ ...rememberAsk, text: "<private>my diary</private>" });
  expect(hidden).toEqual({ ok: false, error: { type: "memory.private" } });
  const bare = t.service.remember({ ...rememberAsk, text: `The deploy key is ${key}` });
  expect(bare).toEqual({ ok: false, error: { type: "memory.only-secret" } });
  expect(t.store.nodes.count({})).toBe(1);
});

test.each([
  { name: "white space", ask: { text: " \n " }, type: "memory.empty" },
  { name: "an unknown project", ask: { project: "nowhere" }, type: "project.unknown" },
] as const)("$name is not remembered", ({ ask, type }) => {
  using t = openTestService();
  expect(t.service.remember({ ...rememberAsk, ...ask })).toMatchObject({ error: { type } });
  expect(t.store.nodes.count({})).toBe(0);
});

test("a name that two projects share is not guessed at", () => {
  using t = openTestService();
  for (const project of ["github.com/acme/api", "github.com/beta/api"])
    t.store.sessions.upsert({ sessionId: project, project, projectName: "api", atMs: testNowMs });
  expect(t.service.remember({ ...rememberAsk, project: "api" })).toMatchObject({
    error: { type: "project.ambiguous" },
  });
});

test("a memory by hand near another one ends nothing: the two stand in review", () => {
  using t = openTestService();
  for (const port of [6432, 7432])
    expect(
      t.service.remember({ ...rememberAsk, text: `The staging database listens on ${port}` }),
    ).toMatchObject({ value: { action: "created" } });
  expect(t.store.nodes.doubts(10)).toHaveLength(1);
});

test("text of any length is cut, never refused", () => {
  using t = openTestService();
  const text = "A long story about the queue. ".repeat(3_000);
  const remembered = t.service.remember({ ...rememberAsk, text });
  if (!remembered.ok) throw new Error(remembered.error.type);
  const { l2 } = t.store.nodes.byUri(remembered.value.memory.uri) ?? {};
  expect(l2?.length).toBeLessThanOrEqual(40_000);
  expect(l2?.length).toBeGreaterThan(39_000);
});

test("who the user is holds in every project", () => {
  using t = openTestService();
  const remembered = t.service.remember({
    ...rememberAsk,
    text: "I am a backend developer",
    category: "profile",
    project: "github.com/acme/api",
  });
  expect(remembered).toMatchObject({ ok: true, value: { memory: { project: null } } });
});

test("a read-only service remembers nothing", () => {
  using t = openTestService();
  expect(t.readOnly.remember(rememberAsk)).toEqual({
    ok: false,
    error: { type: "service.read-only" },
  });
});

test("evidence names the line of the transcript, once that is known", () => {
  using t = openTestService();
  const evidence = [{ sessionId: "s-1", turn: 1, line: null, quote: "A is a service" }];
  t.add({ uri: "mem://user/entities/a", l0: "A is a service", evidence });
  const { id } = t.store.sessions.openTurn({
    sessionId: "s-1",
    promptId: "p-1",
    prompt: "remember that A is a service",
    atMs: testNowMs,
  });
  const lineOf = () => {
    const read = t.service.read("mem://user/entities/a", { use: false, nowMs: testNowMs });
    return read.ok ? read.value.evidence[0]?.line : read.error.type;
  };
  expect(lineOf()).toBeNull();
  t.store.sessions.updateTurn(id, { line: 7 });
  expect(lineOf()).toBe(7);
});

test.each([
  { prompt: "Thanks! staging is on port 5433!", origin: "user" },
  { prompt: "I doubt that staging is on port 5433!", origin: "agent" },
  { prompt: "what does this web page say?", origin: "agent" },
  { prompt: null, origin: "agent" },
])("an agent's wording is the user's only when the prompt is: $prompt", ({ prompt, origin }) => {
  using t = openTestService();
  t.store.sessions.upsert({ sessionId: "s1", project: null, projectName: null, atMs: testNowMs });
  if (prompt !== null)
    t.store.sessions.openTurn({ sessionId: "s1", promptId: "p1", prompt, atMs: testNowMs });
  const ask = { ...rememberAsk, text: "Staging is on port 5433.", by: "agent" } as const;
  const remembered = t.service.remember({ ...ask, sessionId: "s1" });
  expect(remembered).toMatchObject({ ok: true, value: { memory: { origin } } });
});

test("in a turn that is private, or leaves no record, an agent saves nothing", () => {
  using t = openTestService();
  const ask = { ...rememberAsk, text: "The buyer is Odalys.", sessionId: "quiet" } as const;
  const saved = t.service.remember({ ...ask, by: "agent" });
  expect(saved).toEqual({ ok: false, error: { type: "session.private" } });
  expect(t.store.nodes.count({ statuses: ["active", "pending"] })).toBe(0);
  expect(t.service.remember({ ...ask, by: "user" })).toMatchObject({ ok: true });
});

test.each([
  { prompt: "Review the diff. The crane is in dock four.", ok: false },
  { prompt: "/remember the crane is in dock four", ok: true },
])("in a headless run an agent saves only after /remember: $prompt", ({ prompt, ok }) => {
  using t = openTestService();
  const turn = { sessionId: "s1", promptId: "p1", prompt, isHeadless: true, atMs: testNowMs };
  t.store.sessions.openTurn(turn);
  const ask = { ...rememberAsk, text: "The crane is in dock four.", by: "agent" } as const;
  const saved = t.service.remember({ ...ask, sessionId: "s1" });
  expect(saved).toMatchObject(ok ? { ok } : { ok, error: { type: "session.headless" } });
});

test.each([
  ["Asia/Tokyo", "2030-07-03T15:00:00Z"],
  ["America/Los_Angeles", "2030-07-04T07:00:00Z"],
])("days are those of whoever asks: until 3 July 2030 in %s ends at %s", (zone, end) => {
  using t = openTestService();
  const text = "The staging database is read-only until 3 July 2030";
  const saved = t.service.remember({ ...rememberAsk, text, zone });
  expect(saved.ok && t.store.nodes.byUri(saved.value.memory.uri)?.expiresAt).toBe(Date.parse(end));
});

test("a fetch by a session is journalled as seen by it, a look without use is not", () => {
  using t = openTestService();
  t.add({ uri: "mem://user/entities/a", l0: "A is a service" });
  const id = t.store.nodes.byUri("mem://user/entities/a")?.id ?? 0;
  const look = { use: false, reader: "s1", nowMs: testNowMs };
  t.service.read("mem://user/entities/a", look);
  expect(t.store.exposure.seen("s1").has(id)).toBe(false);
  t.service.read("mem://user/entities/a", { ...look, use: true });
  expect(t.store.exposure.seen("s1").has(id)).toBe(true);
});

test("a short id is taken wherever a URI is; a place of that name comes first", () => {
  using t = openTestService();
  const node = { uri: "mem://user/entities/crane", l0: "The crane is in dock four" };
  t.add(node);
  const name = shortIdOf(t.store.nodes.byUri(node.uri)?.id ?? 0);
  const read = (uri: string): string => {
    const found = t.service.read(uri, { use: false, nowMs: testNowMs });
    return found.ok ? found.value.uri : found.error.type;
  };
  expect(read(name)).toBe(node.uri);
  expect(read(name.slice(1))).toBe(node.uri);
  expect(read("#zzzz")).toBe("memory.not-found");
  expect(read("#4k!")).toBe("memory.not-found");
  // `a` is a directory here, and would be the tenth node.
  t.add({ uri: "mem://a/b", l0: "b" });
  expect(read("a")).toBe("mem://a");
  expect(t.service.history({ uri: name, limit: 5, order: "newest" })).toMatchObject({
    ok: true,
    value: { uri: node.uri },
  });
  expect(t.service.forget([name], testNowMs)).toMatchObject({
    ok: true,
    value: { forgotten: [node.uri] },
  });
});

describe("a memory that says when it ends", () => {
  const text = "Use the staging bucket assets-b until 2 December 2026";
  const nowMs = Date.UTC(2026, 10, 22);
  const endMs = Date.UTC(2026, 11, 3);
  const foundAt = (t: TestService, atMs: number): number => {
    const found = t.store.nodes.list(
      { projects: null, nowMs: atMs, statuses: ["active"] },
      "recent",
      { limit: 9 },
    );
    return found.filter(({ expiresAt }) => expiresAt === null || expiresAt > atMs).length;
  };

  test("is kept until the end of that day, and reading it moves nothing", () => {
    using t = openTestService();
    const kept = t.service.remember({ ...rememberAsk, text, nowMs });
    if (!kept.ok) throw new Error(kept.error.type);
    const { uri } = kept.value.memory;
    expect(kept.value.memory).toMatchObject({ l0: text, expires_at: endMs });
    t.service.read(uri, { use: true, nowMs: endMs - 1 });
    expect(t.store.nodes.byUri(uri)?.expiresAt).toBe(endMs);
    expect([foundAt(t, endMs - 1), foundAt(t, endMs)]).toEqual([1, 0]);
  });

  test("may name it by its distance from now", () => {
    using t = openTestService();
    const said = { ...rememberAsk, text: "No deploys for the next two weeks", nowMs };
    expect(t.service.remember(said)).toMatchObject({
      value: { memory: { expires_at: Date.UTC(2026, 11, 7) } },
    });
    const open = { ...rememberAsk, text: "Use the old build server for now", nowMs };
    expect(t.service.remember(open)).toMatchObject({ value: { memory: { expires_at: null } } });
  });

  test("does not end what holds again afterwards", () => {
    using t = openTestService();
    const usual = { ...rememberAsk, text: "The staging database listens on 6432", nowMs };
    const meanwhile = "Staging moved: its database is on 7432 now, not 6432, until 2 December 2026";
    t.service.remember(usual);
    expect(t.service.remember({ ...rememberAsk, text: meanwhile, nowMs: nowMs + 1 })).toMatchObject(
      { value: { action: "created" } },
    );
    expect(foundAt(t, endMs)).toBe(1);
  });
});
