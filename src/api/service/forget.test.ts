import { expect, test } from "bun:test";
import { openTestService, testNowMs } from "../../../test/support/service.ts";
import { createService } from "./service.ts";

const text = "The staging database listens on port 5433";
const ask = {
  text,
  category: "entities",
  project: null,
  tags: [],
  importance: 5,
  sessionId: null,
  by: "user",
  nowMs: testNowMs,
} as const;

const query = {
  q: "staging database port",
  mode: "find",
  format: "index",
  kind: ["memory", "moment"],
  limit: 10,
  sort: "relevance",
  nowMs: testNowMs,
} as const;

test("a forgotten memory is found by nothing, and files beside the store are scrubbed", () => {
  using t = openTestService();
  const remembered = t.service.remember(ask);
  if (!remembered.ok) throw new Error(remembered.error.type);
  const { uri } = remembered.value.memory;
  expect(t.service.forget([uri], testNowMs)).toEqual({
    ok: true,
    value: { forgotten: [uri], purged: true, redacted: 0, similar: [], notes: [] },
  });
  expect(t.store.nodes.byUri(uri)).toBeNull();
  expect(t.service.search(query)).toMatchObject({ ok: true, value: { results: [] } });
  expect(t.store.nodes.isForgotten(text)).toBe(true);
  expect(t.scrubbed).toContain(text);
});

test("remembering it by name afterwards lifts the ban", () => {
  using t = openTestService();
  const first = t.service.remember(ask);
  if (!first.ok) throw new Error(first.error.type);
  t.service.forget([first.value.memory.uri], testNowMs);
  expect(t.service.remember(ask)).toMatchObject({ ok: true, value: { action: "created" } });
  expect(t.store.nodes.isForgotten(text)).toBe(false);
});

test("an agent cannot bring back what the user had forgotten", () => {
  using t = openTestService();
  const first = t.service.remember(ask);
  if (!first.ok) throw new Error(first.error.type);
  t.service.forget([first.value.memory.uri], testNowMs);
  expect(t.service.remember({ ...ask, by: "agent" })).toEqual({
    ok: false,
    error: { type: "memory.forgotten" },
  });
  expect(t.store.nodes.count({})).toBe(0);
  expect(t.store.nodes.isForgotten(text)).toBe(true);
});

test("earlier wordings are forgotten as well", () => {
  using t = openTestService();
  t.add({
    uri: "mem://user/preferences/pm",
    l0: "Use npm for installing",
    category: "preferences",
  });
  const node = t.store.nodes.byUri("mem://user/preferences/pm");
  const cause = { atMs: testNowMs, action: "merge", by: "test", reason: "newer" } as const;
  t.store.nodes.update(node?.id ?? 0, { l0: "Use pnpm for installing" }, cause);
  t.service.forget(["mem://user/preferences/pm"], testNowMs);
  expect(t.store.nodes.isForgotten("Use npm for installing")).toBe(true);
});

test.each([
  { name: "a directory", uri: "mem://user/entities", type: "memory.is-directory" },
  { name: "an unknown memory", uri: "mem://user/entities/none", type: "memory.not-found" },
])("with $name among them, nothing is forgotten", ({ uri, type }) => {
  using t = openTestService();
  t.add({ uri: "mem://user/entities/a", l0: text });
  const forgotten = t.service.forget(["mem://user/entities/a", uri], testNowMs);
  expect(forgotten).toMatchObject({ ok: false, error: { type } });
  expect(t.store.nodes.count({})).toBe(1);
  expect(t.scrubbed).toEqual([]);
});

test("when the file cannot be cleaned now, the memory is gone and the caller is told", () => {
  using t = openTestService();
  t.add({ uri: "mem://user/entities/a", l0: text });
  const purge = (): never => {
    throw new Error("a reader keeps the log open");
  };
  const admin = { ...t.store.admin, purge };
  const service = createService({ ...t.deps, store: { ...t.store, admin } });
  const forgotten = service.forget(["mem://user/entities/a"], testNowMs);
  expect(forgotten).toMatchObject({ ok: true, value: { purged: false } });
  expect(t.store.nodes.count({})).toBe(0);
});

test("a read-only service forgets nothing", () => {
  using t = openTestService();
  t.add({ uri: "mem://user/entities/a", l0: text });
  const forgotten = t.readOnly.forget(["mem://user/entities/a"], testNowMs);
  expect(forgotten).toEqual({ ok: false, error: { type: "service.read-only" } });
  expect(t.store.nodes.count({})).toBe(1);
});

test("a name that another memory still says is offered in a young home", () => {
  using t = openTestService();
  const uri = "mem://user/entities/tower";
  t.add({ uri, l0: "The tower is called Quendalin" });
  t.add({ uri: `${uri}-2`, l0: "Kim paints Quendalin in May" });
  expect(t.service.forget([uri], testNowMs)).toMatchObject({
    value: { similar: [{ uri: "mem://words/quendalin", kind: "word" }] },
  });
});
