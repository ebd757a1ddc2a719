import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import type { NodeFilter, NodeSort } from "#domain";
import { cause, tempStore } from "./test-support.ts";

const total = 11_000;

/** Many leaves, past the store: what is tested is how they are read. */
function filled() {
  const store = tempStore();
  const draft = { category: "entities", project: null, origin: "user", maker: "manual" } as const;
  store.nodes.insert({ ...draft, uri: "mem://user/entities/first", l0: "first" }, cause());
  const db = new Database(store.folder.database);
  db.run(
    `WITH RECURSIVE c (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM c WHERE n < ?)
     INSERT INTO mem_nodes (uri, parent_uri, node_type, category, status, origin, maker, created_at, updated_at, importance,
                            access_count, last_access, relevance, l0_abstract)
     SELECT 'mem://user/entities/m' || n, 'mem://user/entities', 'leaf', 'entities', iif(n % 100 = 0, 'retracted', 'active'),
            'user', 'manual', n, n % 977, n % 5 + 1, iif(n % 3 = 0, n % 11, 0), iif(n % 3 = 0, n % 501, NULL), n % 7 / 10.0,
            'm' || n FROM c`,
    [total],
  );
  db.close();
  return store;
}

const filter: NodeFilter = { projects: null };

test.each<NodeSort>(["recent", "used", "most-used", "relevance", "importance", "uri"])(
  "sorted by %s, a page is the same whether it is read from the front or from the end",
  (sort) => {
    using store = filled();
    const count = store.nodes.count(filter);
    const all = store.nodes.list(filter, sort, { limit: count, offset: 0 }).map(({ id }) => id);
    expect(new Set(all).size).toBe(count);
    for (const offset of [
      4_999,
      5_000,
      6_000,
      count - 120,
      count - 50,
      count - 1,
      count,
      count + 10,
    ])
      expect(
        store.nodes.list(filter, sort, { limit: 100, offset }).map(({ id }) => id),
        `${offset}`,
      ).toEqual(all.slice(offset, offset + 100));
  },
);

test("only what was ever used, or never", () => {
  using store = filled();
  const [used, never] = [true, false].map((flag) => store.nodes.count({ ...filter, used: flag }));
  expect((used ?? 0) + (never ?? 0)).toBe(store.nodes.count(filter));
  const [first] = store.nodes.list({ ...filter, used: false }, "most-used", {
    limit: 1,
    offset: 0,
  });
  expect(first?.accessCount).toBe(0);
});

test("leaves below a directory are counted through every directory, and children directly", () => {
  using store = filled();
  const live = store.nodes.count(filter);
  expect(store.nodes.countBelow("mem://")).toBe(live);
  expect(store.nodes.countBelow("mem://user")).toBe(live);
  expect(store.nodes.countChildren("mem://user")).toBe(1);
  expect(store.nodes.countChildren("mem://user/entities")).toBe(live);
  expect(store.nodes.countBelow("mem://user/ent")).toBe(0);
});
