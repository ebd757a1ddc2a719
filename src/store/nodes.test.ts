import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import type { NodeDraft } from "#domain";
import { cause, draft, noonMs, tempStore } from "../../test/support/store.ts";

const all = { limit: 100 };
const anywhere = { projects: null };

test("a node is made with its directories, its revision and its index row", () => {
  using store = tempStore();
  const node = store.nodes.insert(
    draft({ uri: "mem://agent/patterns/api/retry", category: "patterns", tags: ["http"] }),
    cause({ reason: "said so" }),
  );
  expect(node).toMatchObject({
    parentUri: "mem://agent/patterns/api",
    nodeType: "leaf",
    importance: 3,
    evidenceCount: 1,
    relevance: 1,
    status: "active",
    createdAt: noonMs,
  });
  expect(store.nodes.byUri("mem://agent/patterns")).toMatchObject({
    nodeType: "dir",
    category: "patterns",
    parentUri: "mem://agent",
  });
  expect(store.nodes.revisions(node.id)).toEqual([
    {
      id: 1,
      nodeId: node.id,
      atMs: noonMs,
      action: "create",
      by: "user",
      reason: "said so",
      l0: node.l0,
      l1: null,
      l2: null,
      status: "active",
      fields: expect.objectContaining({ uri: node.uri, category: "patterns", importance: 3 }),
    },
  ]);
  expect(store.lexical.match("memory", ["billing"], anywhere, 5).map(({ id }) => id)).toEqual([
    node.id,
  ]);
});

test("a node comes back as it was given", () => {
  using store = tempStore();
  const given: NodeDraft = {
    uri: "mem://user/events/2026-02-25-deploy",
    category: "events",
    project: "github.com/acme/api",
    branch: "main",
    l0: "Deployed “α”\nto 東京",
    l1: "- one",
    l2: "whole\0text",
    aliases: ["release", "rollout"],
    importance: 5,
    tags: ["ops"],
    files: ["deploy.yml"],
    anchors: ["deploy.yml#3"],
    pinned: true,
    origin: "tool",
    maker: "extract",
    status: "pending",
    validFrom: 5,
    expiresAt: 9e12,
    sourceSession: "s1",
    evidence: [{ sessionId: "s1", turn: 2, line: null, quote: "deployed" }],
    mergedFrom: [7],
  };
  const node = store.nodes.insert(given, cause());
  expect(store.nodes.byId(node.id)).toEqual(node);
  expect(node).toMatchObject(given);
});

test("a URI that is taken is refused and leaves nothing behind", () => {
  using store = tempStore();
  store.nodes.insert(draft(), cause());
  expect(() => store.nodes.insert(draft({ l0: "Another one" }), cause())).toThrow();
  expect(store.nodes.count({})).toBe(1);
  expect(store.lexical.match("memory", ["another"], anywhere, 5)).toEqual([]);
});

test("an update changes only what it names, appends a revision and moves the index", () => {
  using store = tempStore();
  const { id } = store.nodes.insert(draft({ tags: ["keep"] }), cause());
  store.vectors.put(id, "m", Float32Array.from([1]));
  const after = store.nodes.update(
    id,
    { l0: "The ledger runs on 9090" },
    cause({ atMs: noonMs + 5, action: "edit" }),
  );
  expect(after).toMatchObject({ tags: ["keep"], updatedAt: noonMs + 5, createdAt: noonMs });
  expect(store.nodes.revisions(id).map(({ action, l0 }) => [action, l0])).toEqual([
    ["create", "The billing service listens on port 7070"],
    ["edit", "The ledger runs on 9090"],
  ]);
  expect(store.lexical.match("memory", ["billing"], anywhere, 5)).toEqual([]);
  expect(store.lexical.match("memory", ["ledger"], anywhere, 5)).toHaveLength(1);
  // The old meaning must not be found by its vector either.
  expect(store.vectors.missing("m", 0, 5).leaves).toMatchObject([
    { id, l0: "The ledger runs on 9090" },
  ]);
});

test("a pin does not make a memory look new", () => {
  using store = tempStore();
  const { id } = store.nodes.insert(draft(), cause());
  const after = store.nodes.update(
    id,
    { pinned: true },
    cause({ atMs: noonMs + 9, action: "pin" }),
  );
  expect(after).toMatchObject({ pinned: true, updatedAt: noonMs });
});

test("a retracted node is in no index and no list, but can be restored", () => {
  using store = tempStore();
  const { id, uri } = store.nodes.insert(draft(), cause());
  store.vectors.put(id, "m", Float32Array.from([1]));
  store.nodes.retract(id, cause({ atMs: noonMs + 1, action: "retract" }));
  expect(store.lexical.match("memory", ["billing"], anywhere, 5)).toEqual([]);
  expect(
    store.lexical.match("memory", ["billing"], { ...anywhere, statuses: ["retracted"] }, 5),
  ).toEqual([]);
  expect([...store.vectors.components("m")]).toEqual([]);
  expect(store.nodes.list({}, "uri", all)).toEqual([]);
  expect(store.nodes.children("mem://user/entities", all)).toEqual([]);
  expect(store.nodes.list({ statuses: ["retracted"] }, "uri", all)).toHaveLength(1);
  expect(store.nodes.byUri(uri)).toMatchObject({ status: "retracted", validTo: noonMs + 1 });
  store.nodes.update(id, { status: "active", validTo: null }, cause({ action: "revert" }));
  expect(store.lexical.match("memory", ["billing"], anywhere, 5)).toHaveLength(1);
  expect(store.nodes.revisions(id)).toHaveLength(3);
});

test("use sets the time, adds to the count and restores relevance; reading does none of it", () => {
  using store = tempStore();
  const { id } = store.nodes.insert(draft(), cause());
  store.nodes.refreshRelevanceAfter(0, 10, () => 0.4);
  store.nodes.byId(id);
  store.lexical.match("memory", ["billing"], anywhere, 5);
  expect(store.nodes.byId(id)).toMatchObject({ relevance: 0.4, accessCount: 0, lastAccess: null });
  store.nodes.use(id, noonMs + 7);
  store.nodes.use(id, noonMs + 3);
  expect(store.nodes.byId(id)).toMatchObject({
    relevance: 1,
    accessCount: 2,
    lastAccess: noonMs + 7,
  });
  expect(store.nodes.revisions(id)).toHaveLength(1);
});

test("refreshing relevance visits every leaf once and counts the changes", () => {
  using store = tempStore();
  store.transaction(() => {
    for (let i = 0; i < 1_500; i += 1)
      store.nodes.insert(
        draft({ uri: `mem://user/entities/e${i}`, importance: (i % 5) + 1 }),
        cause(),
      );
  });
  const changed = (): number =>
    store.nodes.refreshRelevanceAfter(0, 2_000, ({ importance }) => (importance === 5 ? 0.5 : 1))
      .changed;
  expect(changed()).toBe(300);
  expect(changed()).toBe(0);
});

test("children come directories first, then by URI, a page at a time", () => {
  using store = tempStore();
  for (const name of ["b", "a", "z/deep", "c"])
    store.nodes.insert(draft({ uri: `mem://user/entities/${name}` }), cause());
  const names = (limit: number, offset: number): readonly string[] =>
    store.nodes.children("mem://user/entities", { limit, offset }).map(({ uri }) => uri.slice(20));
  expect(names(10, 0)).toEqual(["z", "a", "b", "c"]);
  expect(names(2, 1)).toEqual(["a", "b"]);
});

test("leaves below a directory are counted at any depth, and not those of a neighbour", () => {
  using store = tempStore();
  for (const name of ["a/x", "a/y/z", "ab/x"])
    store.nodes.insert(draft({ uri: `mem://user/entities/${name}` }), cause());
  expect(store.nodes.countBelow("mem://user/entities/a")).toBe(2);
  expect(store.nodes.countBelow("mem://user")).toBe(3);
  expect(store.nodes.countBelow("mem://")).toBe(3);
});

test("nodes by ids come in the order asked for, without the unknown", () => {
  using store = tempStore();
  const ids = ["a", "b", "c"].map(
    (name) => store.nodes.insert(draft({ uri: `mem://user/entities/${name}` }), cause()).id,
  );
  expect(store.nodes.byIds([ids[2]!, 999, ids[0]!]).map(({ id }) => id)).toEqual([
    ids[2]!,
    ids[0]!,
  ]);
  expect(store.nodes.byIds([])).toEqual([]);
});

const one = (name: string, over: Partial<NodeDraft>): NodeDraft =>
  draft({ uri: `mem://user/entities/${name}`, ...over });

test("what has expired is listed until it is retracted", () => {
  using store = tempStore();
  const { id } = store.nodes.insert(one("a", { expiresAt: noonMs + 5 }), cause());
  expect(store.nodes.expired(noonMs + 5, 9)).toEqual([]);
  expect(store.nodes.expired(noonMs + 6, 9).map((node) => node.id)).toEqual([id]);
  store.nodes.retract(id, cause({ action: "expire" }));
  expect(store.nodes.expired(noonMs + 6, 9)).toEqual([]);
  expect(store.nodes.revisions(id)).toHaveLength(2);
});

test("the table itself refuses what no node may be", () => {
  using store = tempStore();
  store.nodes.insert(draft(), cause());
  using db = new Database(store.folder.database);
  db.run("PRAGMA foreign_keys = ON");
  const set = (assignment: string): void => {
    db.run(`UPDATE mem_nodes SET ${assignment} WHERE node_type = 'leaf'`);
  };
  for (const wrong of [
    "importance = 6",
    "status = 'lost'",
    "origin = 'god'",
    "parent_uri = 'mem://nowhere'",
    "l0_abstract = NULL",
    "created_at = 'yesterday'",
    "uri = 'mem://user'",
  ])
    expect(() => set(wrong), wrong).toThrow();
  expect(() => db.run("DELETE FROM mem_nodes WHERE uri = 'mem://user'")).toThrow();
});

test("an id is never used twice", () => {
  using store = tempStore();
  const first = store.nodes.insert(draft(), cause()).id;
  store.nodes.forget([first], [], noonMs);
  expect(store.nodes.insert(draft(), cause()).id).toBeGreaterThan(first);
});

test("what ranking reads of a node is the node without its long parts", () => {
  using store = tempStore();
  const node = store.nodes.insert(
    draft({ uri: "mem://user/entities/crane", aliases: ["derrick"], l1: "of the north quay" }),
    cause(),
  );
  const { id } = node;
  const [head, ...others] = store.nodes.headsByIds([id, 999_999]);
  expect(others).toEqual([]);
  expect(node).toMatchObject({ ...head });
  expect(Object.keys(head ?? {})).toHaveLength(11);
  const text = store.nodes.headsWithTexts([id, 999_999])[0]?.text ?? "";
  for (const part of [node.l0, "derrick", "of the north quay"]) expect(text).toContain(part);
  expect(store.nodes.headsByIds([])).toEqual([]);
});
