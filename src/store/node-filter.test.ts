import { expect, test } from "bun:test";
import type { NodeDraft, NodeStatus } from "#domain";
import { cause, draft, noonMs, tempStore } from "../../test/support/store.ts";

const all = { limit: 100 };

const one = (name: string, over: Partial<NodeDraft>): NodeDraft =>
  draft({ uri: `mem://user/entities/${name}`, ...over });

test.each([
  {
    name: "by default what holds and what held",
    filter: {},
    expected: ["global", "held", "here", "there"],
  },
  {
    name: "a project and what is global",
    filter: { projects: ["here"] },
    expected: ["global", "held", "here"],
  },
  { name: "only global in no project", filter: { projects: [] }, expected: ["global", "held"] },
  { name: "one status", filter: { statuses: ["pending"] as NodeStatus[] }, expected: ["waiting"] },
  { name: "a tag, whole", filter: { tags: ["db"] }, expected: ["here"] },
  { name: "not a part of a tag", filter: { tags: ["d"] }, expected: [] },
  { name: "not one of two tags", filter: { tags: ["db", "dbx"] }, expected: [] },
  { name: "a file by its last segments", filter: { file: "open.ts" }, expected: ["here"] },
  { name: "a file by its whole path", filter: { file: "src/open.ts" }, expected: ["here"] },
  { name: "not a file that ends alike", filter: { file: "pen.ts" }, expected: [] },
  { name: "a session", filter: { session: "s1" }, expected: ["there"] },
  { name: "an origin", filter: { origin: "tool" as const }, expected: ["there"] },
  { name: "a maker", filter: { maker: "signal" as const }, expected: ["there"] },
  { name: "pinned ones", filter: { pinned: true }, expected: ["global"] },
  { name: "changed since", filter: { sinceMs: noonMs + 1 }, expected: ["held"] },
  { name: "changed until", filter: { untilMs: noonMs, tags: ["db"] }, expected: ["here"] },
  { name: "a category", filter: { categories: ["cases"] as const }, expected: [] },
  {
    name: "what has not expired by then",
    filter: { nowMs: noonMs + 10, session: "s1" },
    expected: [],
  },
  { name: "the archive apart", filter: { archive: true }, expected: ["moment"] },
])("list and count take $name", ({ filter, expected }) => {
  using store = tempStore();
  const drafts = [
    one("global", { pinned: true }),
    one("here", { project: "here", tags: ["db", "x"], files: ["src/open.ts"] }),
    one("there", {
      project: "there",
      sourceSession: "s1",
      origin: "tool",
      maker: "signal",
      expiresAt: noonMs + 10,
    }),
    one("waiting", { status: "pending" }),
    draft({ uri: "mem://sessions/s1/moments/moment", category: "sessions", project: "here" }),
  ];
  for (const each of drafts) store.nodes.insert(each, cause());
  const held = store.nodes.insert(one("held", {}), cause());
  store.nodes.update(
    held.id,
    { status: "superseded" },
    cause({ atMs: noonMs + 1, action: "supersede" }),
  );
  const found = store.nodes.list(filter, "uri", all).map(({ uri }) => uri.split("/").at(-1)!);
  expect(found.sort()).toEqual([...expected]);
  expect(store.nodes.count(filter)).toBe(expected.length);
});

test("lists sort by change, use, importance or place", () => {
  using store = tempStore();
  const ids = [1, 5, 3].map(
    (importance, i) =>
      store.nodes.insert(one(`n${i}`, { importance }), cause({ atMs: noonMs + i })).id,
  );
  store.nodes.use(ids[0]!, noonMs + 50);
  const order = (sort: "recent" | "used" | "importance" | "uri"): readonly number[] =>
    store.nodes.list({}, sort, all).map(({ id }) => ids.indexOf(id));
  expect(order("recent")).toEqual([2, 1, 0]);
  expect(order("used")).toEqual([0, 2, 1]);
  expect(order("importance")).toEqual([1, 2, 0]);
  expect(order("uri")).toEqual([0, 1, 2]);
});
