import { expect, test } from "bun:test";
import { createService } from "#api/server";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";
import type { FoundJson, SearchJson } from "../forms-search.ts";
import type { SearchAsk } from "./search.ts";

const ask: SearchAsk = {
  q: "database port",
  mode: "find",
  format: "index",
  kind: ["memory", "moment", "prompt", "checkpoint"],
  limit: 10,
  sort: "relevance",
  nowMs: testNowMs,
};

const search = (t: TestService, asked: Partial<SearchAsk> = {}): SearchJson => {
  const found = t.service.search({ ...ask, ...asked });
  if (!found.ok) throw new Error(found.error.type);
  return found.value;
};

const uris = ({ results }: SearchJson): readonly string[] => results.map(({ uri }) => uri);

const withPorts = (t: TestService): void => {
  t.add({
    uri: "mem://user/entities/db",
    l0: "The staging database listens on port 5433",
    l1: "Staging database: host db.internal, port 5433",
    l2: "Full notes about the staging database",
  });
  t.add({ uri: "mem://user/entities/mail", l0: "The mail server runs on port 2525" });
  t.add({ uri: "mem://user/preferences/pm", l0: "Use pnpm, not npm", category: "preferences" });
};

test("the index gives one line with its costs, and no more text than asked for", () => {
  using t = openTestService();
  withPorts(t);
  const found = search(t, { limit: 1 });
  expect(uris(found)).toEqual(["mem://user/entities/db"]);
  const [first] = found.results as readonly [FoundJson];
  expect(Object.keys(first)).not.toContain("l1");
  expect(Object.keys(first)).not.toContain("l2");
  expect(first.tokens).toEqual({ l0: 11, l1: 12, l2: 10 });
  expect(found.tokens).toBe(11);
});

test.each([
  {
    format: "overview",
    l1: "Staging database: host db.internal, port 5433",
    l2: undefined,
    tokens: 23,
  },
  {
    format: "full",
    l1: "Staging database: host db.internal, port 5433",
    l2: "Full notes about the staging database",
    tokens: 33,
  },
] as const)("the format $format carries its tiers", ({ format, l1, l2, tokens }) => {
  using t = openTestService();
  withPorts(t);
  const found = search(t, { format, limit: 1 });
  expect(found.results[0]?.l1).toBe(l1);
  expect(found.results[0]?.l2).toBe(l2);
  expect(found.tokens).toBe(tokens);
});

test("a missing overview falls back to the one line", () => {
  using t = openTestService();
  withPorts(t);
  const found = search(t, { q: "mail server", format: "overview", limit: 1 });
  expect(found.results[0]?.l1).toBe("The mail server runs on port 2525");
});

test("searching again gives the same scores: exposure is not use", () => {
  using t = openTestService();
  withPorts(t);
  const first = search(t, { reader: "s1" });
  expect(search(t, { reader: "s1" })).toEqual(first);
  expect(t.store.nodes.byUri("mem://user/entities/db")).toMatchObject({
    accessCount: 0,
    lastAccess: null,
  });
});

test("what a session is shown counts as seen by it; what a person is shown does not", () => {
  using t = openTestService();
  withPorts(t);
  search(t);
  expect(t.store.exposure.seen("s1").size).toBe(0);
  search(t, { limit: 1, reader: "s1" });
  expect([...t.store.exposure.seen("s1")]).toEqual([
    t.store.nodes.byUri("mem://user/entities/db")?.id ?? 0,
  ]);
});

test("a read-only service journals nothing", () => {
  using t = openTestService();
  withPorts(t);
  expect(t.readOnly.search({ ...ask, reader: "s1" }).ok).toBe(true);
  expect(t.store.exposure.seen("s1").size).toBe(0);
});

test("the parts of a question are looked up too", () => {
  using t = openTestService();
  withPorts(t);
  const text = "on which port is the staging database and do we use npm or pnpm";
  const found = search(t, { q: text, mode: "search" });
  expect(found.clauses.length).toBeGreaterThan(1);
  expect(uris(found).slice(0, 2).toSorted()).toEqual([
    "mem://user/entities/db",
    "mem://user/preferences/pm",
  ]);
});

test("each result appears once, and never more than the limit", () => {
  using t = openTestService();
  withPorts(t);
  const text = "staging database port? mail server port? package manager";
  for (const limit of [1, 2, 3, 10]) {
    const found = uris(search(t, { q: text, mode: "search", limit }));
    expect(new Set(found).size).toBe(found.length);
    expect(found.length).toBeLessThanOrEqual(limit);
  }
});

const withMoments = (t: TestService): void => {
  for (const [n, l0] of [
    "The flaky checkout test was caused by a shared clock",
    "Retries were switched off for good",
  ].entries())
    t.add({ uri: `mem://sessions/s1/moments/${n + 1}`, l0, category: "sessions", maker: "stop" });
  t.add({
    uri: "mem://sessions/s2/moments/1",
    l0: "Nothing to do with it",
    category: "sessions",
    maker: "stop",
  });
};

test("search looks beside a good hit in its session, without passing it", () => {
  using t = openTestService();
  withMoments(t);
  const asked = { q: "flaky checkout test cause", mode: "search" } as const;
  const found = search(t, asked);
  const beside = found.results.find(({ uri }) => uri === "mem://sessions/s1/moments/2");
  expect(found.results[0]?.uri).toBe("mem://sessions/s1/moments/1");
  const alone = search(t, { ...asked, mode: "find" });
  const own = alone.results.find(({ uri }) => uri === "mem://sessions/s1/moments/2")?.score ?? 0;
  expect(beside?.explanation.via).toBe("sibling");
  expect(beside?.score).toBeGreaterThan(own);
  expect(beside?.score).toBeLessThan(found.results[0]?.score ?? 0);
});

test("a narrowed question gets no neighbours that its filters did not judge", () => {
  using t = openTestService();
  withMoments(t);
  const found = search(t, { q: "flaky checkout test cause", mode: "search", tag: "none" });
  expect(found.results).toEqual([]);
});

test("a tag, a concept and a type narrow together", () => {
  using t = openTestService();
  t.add({ uri: "mem://user/entities/a", l0: "The harbour crane", tags: ["red", "crane", "fix"] });
  t.add({ uri: "mem://user/entities/b", l0: "The harbour buoy", tags: ["red", "crane"] });
  const names = (more: object): readonly string[] =>
    search(t, { q: "harbour", ...more }).results.map(({ uri }) => uri.slice(-1));
  expect(names({ tag: "red" }).toSorted()).toEqual(["a", "b"]);
  expect(names({ tag: "red", concept: "crane", type: "fix" })).toEqual(["a"]);
  expect(names({ type: "fix" })).toEqual(["a"]);
});

test("category roots relate nothing", () => {
  using t = openTestService();
  withPorts(t);
  const found = search(t, { q: "staging database", mode: "search" });
  expect(found.results.every(({ explanation }) => explanation.via !== "sibling")).toBe(true);
});

test("from a known project one sees it and global; from an unknown one everything", () => {
  using t = openTestService();
  const [api, web] = ["github.com/acme/api", "github.com/acme/web"] as const;
  t.add({ uri: "mem://user/entities/a", l0: "The api database port is 1", project: api });
  t.add({ uri: "mem://user/entities/b", l0: "The web database port is 2", project: web });
  t.add({ uri: "mem://user/entities/c", l0: "The shared database port is 3" });
  const fromApi = search(t, { home: api });
  expect(fromApi.projects).toEqual([api]);
  expect(uris(fromApi).toSorted()).toEqual(["mem://user/entities/a", "mem://user/entities/c"]);
  expect(search(t, { home: "dir:unknown" }).results.length).toBe(3);
  expect(uris(search(t, { home: api, project: [web] })).toSorted()).toEqual([
    "mem://user/entities/b",
    "mem://user/entities/c",
  ]);
});

test("an unknown project name is an error, not an empty answer", () => {
  using t = openTestService();
  expect(t.service.search({ ...ask, project: ["nowhere"] })).toEqual({
    ok: false,
    error: { type: "project.unknown", project: "nowhere" },
  });
});

test.each([
  { folder: "/code/kiln", isTrusted: true, results: ["mem://user/entities/ledger"] },
  { folder: "/code/vault", isTrusted: true, results: [] },
  { folder: "/code/vault", isTrusted: false, results: ["mem://user/entities/ledger"] },
])("what another project knows stays there once its folder is switched off: %j", (one) => {
  using t = openTestService();
  for (const [project, cwd] of [
    ["dir:shop", "/code/shop"],
    ["dir:other", one.folder],
  ] as const)
    t.store.sessions.upsert({ sessionId: project, project, projectName: project, cwd, atMs: 1 });
  t.store.places.put("dir:other", { root: one.folder, isTrusted: one.isTrusted }, 1);
  t.add({
    uri: "mem://user/entities/ledger",
    l0: "The ledger uses QuillBase",
    project: "dir:other",
  });
  const isCaptured = (cwd: string): boolean => cwd !== "/code/vault";
  const found = createService({ ...t.deps, isCaptured }).search({
    ...ask,
    q: "QuillBase ledger",
    home: "dir:shop",
  });
  expect(found.ok && uris(found.value)).toEqual(one.results);
});
