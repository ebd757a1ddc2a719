import { expect, test } from "bun:test";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";
import type { EditAsk } from "./edit.ts";
import type { NodeJson } from "../forms-memory.ts";

const uri = "mem://user/entities/acme";
const page = { limit: 100, order: "oldest" } as const;

const opened = (): TestService => {
  const t = openTestService();
  t.add({ uri, l0: "Acme listens on port 5433", origin: "tool", tags: ["ops"] });
  return t;
};

const edit = (t: TestService, change: Partial<EditAsk>): NodeJson => {
  const edited = t.service.edit({ uri, expected: null, nowMs: testNowMs + 1_000, ...change });
  if (!edited.ok) throw new Error(edited.error.type);
  return edited.value;
};

const refusal = (t: TestService, change: Partial<EditAsk>): string => {
  const edited = t.service.edit({ uri, expected: null, nowMs: testNowMs, ...change });
  return edited.ok ? "done" : edited.error.type;
};

const revisions = (t: TestService, at = uri) => {
  const history = t.service.history({ ...page, uri: at });
  return history.ok ? history.value.items : [];
};

const found = (t: TestService, text: string): readonly string[] => {
  const hits = t.service.search({
    q: text,
    mode: "find",
    format: "index",
    kind: ["memory"],
    limit: 10,
    sort: "relevance",
    nowMs: testNowMs,
  });
  return hits.ok ? hits.value.results.map((hit) => hit.uri) : [];
};

test("a new text is found at once, the old one no more, and it is the user's own from then on", () => {
  using t = opened();
  const node = edit(t, { l0: "  Acme answers on\nport 6000 ", l1: "Overview", l2: "Everything" });
  expect(node).toMatchObject({
    l0: "Acme answers on port 6000",
    l1: "Overview",
    l2: "Everything",
    origin: "user",
    tags: ["ops"],
  });
  expect(found(t, "port 6000")).toEqual([uri]);
  expect(revisions(t).map(({ action, by, l0 }) => [action, by, l0])).toEqual([
    ["create", "test", "Acme listens on port 5433"],
    ["edit", "user", "Acme answers on port 6000"],
  ]);
});

test("the meaning moves with the text", () => {
  using t = opened();
  edit(t, { l0: "The kitchen has a new coffee machine" });
  expect(found(t, "espresso maker in the kitchen")).toEqual([
    "mem://user/entities/kitchen-new-coffee-machine",
  ]);
});

test("tags and importance change without a word about who said it", () => {
  using t = opened();
  expect(edit(t, { tags: ["a", " a ", "b"], importance: 5 })).toMatchObject({
    tags: ["a", "b"],
    importance: 5,
    origin: "tool",
  });
});

test("null takes a tier away, and so does nothing but spaces", () => {
  using t = opened();
  edit(t, { l1: "one", l2: "two" });
  expect(edit(t, { l1: null, l2: "  " })).toMatchObject({ l1: null, l2: null });
});

test("what is so already writes nothing", () => {
  using t = opened();
  edit(t, { l0: "Acme listens on port 5433", tags: ["ops"], importance: 3, pinned: false });
  expect(revisions(t).length).toBe(1);
});

test("a pin is a change of its own that does not make the memory look new", () => {
  using t = opened();
  const node = edit(t, { pinned: true });
  expect([node.pinned, node.updated_at]).toEqual([true, testNowMs]);
  expect(revisions(t).at(-1)).toMatchObject({ action: "pin", pinned: true });
});

test("whoever was slower is told so, and nothing changes", () => {
  using t = opened();
  const before = edit(t, { importance: 4 });
  expect(edit(t, { importance: 5, expected: before.revision }).importance).toBe(5);
  expect(refusal(t, { importance: 1, expected: before.revision })).toBe("memory.changed");
  expect(t.store.nodes.byUri(uri)?.importance).toBe(5);
});

test("over-long text is cut, never refused", () => {
  using t = opened();
  const node = edit(t, {
    l0: "word ".repeat(500),
    l1: "word ".repeat(5_000),
    l2: "x".repeat(50_000),
  });
  expect(node.tokens.l0).toBeLessThanOrEqual(100);
  expect(node.tokens.l1).toBeLessThanOrEqual(2_000);
  expect(node.l2?.length).toBeLessThanOrEqual(40_000);
});

test("secrets are taken out of every field before it is stored", () => {
  using t = opened();
  const key = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
  const node = edit(t, {
    l0: `Token ${key}`,
    l1: key,
    l2: `<private>x</private>y ${key}`,
    tags: [key],
  });
  expect(JSON.stringify(node)).not.toContain("ghp_");
  expect(JSON.stringify(revisions(t))).not.toContain("ghp_");
  expect(node.l2).not.toContain("x</");
});

test.each([
  { name: "no text", change: { l0: " \n " }, type: "memory.empty" },
  {
    name: "a private text",
    change: { l0: "<private>all of it</private>" },
    type: "memory.private",
  },
  {
    name: "an unknown place",
    change: { uri: "mem://user/entities/none" },
    type: "memory.not-found",
  },
  { name: "no place at all", change: { uri: "file:///etc/passwd" }, type: "memory.uri-invalid" },
  { name: "a directory", change: { uri: "mem://user/entities" }, type: "memory.is-directory" },
])("$name is $type and changes nothing", ({ change, type }) => {
  using t = opened();
  expect(refusal(t, { importance: 5, ...change })).toBe(type);
  expect(revisions(t).length).toBe(1);
});

test("another category is another place, with its rules, and the history goes along", () => {
  using t = opened();
  const node = edit(t, { category: "patterns" });
  expect(node).toMatchObject({ uri: "mem://agent/patterns/acme", category: "patterns" });
  expect(t.store.nodes.byUri(uri)).toBeNull();
  expect(revisions(t, node.uri).map((revision) => revision.uri)).toEqual([uri, node.uri]);
  expect(found(t, "acme port")).toEqual([node.uri]);
  expect(t.service.tree("mem://user/entities", { limit: 10, cursor: null })).toMatchObject({
    ok: true,
    value: { total: 0 },
  });
});

test("a place that is taken is nobody else's", () => {
  using t = opened();
  t.add({ uri: "mem://agent/patterns/acme", l0: "Another", category: "patterns" });
  expect(edit(t, { category: "patterns" }).uri).toBe("mem://agent/patterns/acme-2");
});

test("the profile that many statements make, and the archive, stay where they are", () => {
  using t = opened();
  t.add({ uri: "mem://user/profile/communication", l0: "Likes it short", category: "profile" });
  t.add({
    uri: "mem://sessions/s1/moments/1",
    l0: "Found it",
    category: "sessions",
    maker: "stop",
  });
  for (const fixed of ["mem://user/profile/communication", "mem://sessions/s1/moments/1"])
    expect(refusal(t, { uri: fixed, category: "cases" })).toBe("memory.category-fixed");
});

test("what is put away is not found, and is found again when it is put back", () => {
  using t = opened();
  expect(edit(t, { status: "retracted" }).status).toBe("retracted");
  expect(found(t, "acme port")).toEqual([]);
  expect(revisions(t).at(-1)?.action).toBe("retract");
  expect(edit(t, { status: "active" })).toMatchObject({ status: "active", valid_to: null });
  expect(found(t, "acme port")).toEqual([uri]);
});

test("a service that only reads changes nothing", () => {
  using t = opened();
  const ask = { uri, expected: null, importance: 5, nowMs: testNowMs };
  expect(t.readOnly.edit(ask)).toMatchObject({ error: { type: "service.read-only" } });
});

test("a memory whose value is edited has a URI in the new words; one that states none keeps it", () => {
  using t = openTestService();
  const old = "mem://user/entities/staging-listens-port-5433";
  t.add({ uri: old, l0: "Staging listens on port 5433" });
  t.add({ uri: "mem://user/entities/staging-port", l0: "The port of staging is 5433" });
  const to = (at: string, l0: string) => {
    const edited = t.service.edit({ uri: at, expected: null, nowMs: testNowMs, l0 });
    return edited.ok ? edited.value.uri : edited.error;
  };
  expect(to(old, "Staging listens on port 6000")).toBe(
    "mem://user/entities/staging-listens-port-6000",
  );
  expect(t.store.nodes.byUri(old)).toBeNull();
  // Whoever still has the old one finds it.
  expect(to(old, "Staging listens on port 7000")).toBe(
    "mem://user/entities/staging-listens-port-7000",
  );
  const kept = "mem://user/entities/staging-port";
  expect(to(kept, "The port of staging is 6000")).toBe(kept);
});

test("a new text keeps the words that the memory was found by, beside those of its own", () => {
  using t = openTestService();
  const words = ["bus voltage measurement", "full scale", "resistor divider"];
  t.add({ uri, l0: "The VBUS divider is 17.95 to 1", aliases: words, maker: "extract" });
  expect(edit(t, { l0: "The VBUS divider is 17.96 to 1" }).aliases).toEqual(
    expect.arrayContaining(words),
  );
});
