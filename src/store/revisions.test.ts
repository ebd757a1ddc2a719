import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cause, noonMs, tempStore } from "../../test/support/store.ts";

const draft = {
  uri: "mem://user/entities/a",
  category: "entities",
  project: null,
  origin: "user",
  maker: "manual",
  l0: "one",
} as const;

test("a revision holds all that a patch may change, so that it can be restored whole", () => {
  using store = tempStore();
  const { id } = store.nodes.insert(draft, cause());
  const before = store.nodes.byId(id);
  store.nodes.update(
    id,
    { l0: "two", tags: ["t"], pinned: true, uri: "mem://agent/cases/a", category: "cases" },
    cause({ action: "edit" }),
  );
  const first = store.history.page(id, { order: "oldest", afterId: null, limit: 1 })[0];
  const { l0, l1, l2, status, fields } = first ?? {};
  const restored = store.nodes.update(
    id,
    { ...fields, l0: l0 ?? "", l1: l1 ?? null, l2: l2 ?? null, status: status ?? "active" },
    cause({ action: "revert", atMs: before?.updatedAt ?? noonMs }),
  );
  expect(restored).toEqual(before ?? restored);
});

test("moving a node takes its directories along and leaves none empty behind", () => {
  using store = tempStore();
  const { id } = store.nodes.insert({ ...draft, uri: "mem://user/entities/deep/er/a" }, cause());
  store.nodes.update(
    id,
    { uri: "mem://agent/cases/x/a", category: "cases" },
    cause({ action: "edit" }),
  );
  expect(store.nodes.byUri("mem://user/entities/deep")).toBeNull();
  expect(store.nodes.byUri("mem://user/entities")).not.toBeNull();
  expect(store.nodes.byUri("mem://agent/cases/x")).toMatchObject({ nodeType: "dir" });
  expect(store.nodes.byUri("mem://agent/cases/x/a")).toMatchObject({ id, category: "cases" });
});

test("the column mergeable says what the category's rules say, also after a move", () => {
  using store = tempStore();
  using db = new Database(store.folder.database);
  const column = (): unknown =>
    db.query("SELECT mergeable FROM mem_nodes WHERE l0_abstract = 'one'").get();
  const { id } = store.nodes.insert(draft, cause());
  expect(column()).toEqual({ mergeable: 0 });
  store.nodes.update(
    id,
    { uri: "mem://agent/patterns/a", category: "patterns" },
    cause({ action: "edit" }),
  );
  expect(column()).toEqual({ mergeable: 1 });
});

test("forgetting a node that was moved forgets its old places as well", () => {
  using store = tempStore();
  const { id } = store.nodes.insert(
    { ...draft, uri: "mem://user/entities/vault-code-7431" },
    cause(),
  );
  store.nodes.update(
    id,
    { uri: "mem://agent/cases/b", category: "cases" },
    cause({ action: "edit" }),
  );
  store.exposure.addInjection({
    sessionId: "s",
    atMs: noonMs,
    channel: "prompt",
    cause: "x",
    tokens: 3,
    text: "see mem://user/entities/vault-code-7431",
    reasons: "[]",
  });
  store.nodes.forget([id], ["one"], noonMs);
  expect(store.exposure.injections(null, 10).map(({ text }) => text)).toEqual(["[forgotten]"]);
  expect(store.activity.forgets()).toBe(1);
});

test("an archive leaf cannot become a memory by being moved", () => {
  using store = tempStore();
  const { id } = store.nodes.insert(
    { ...draft, uri: "mem://sessions/s/moments/1", category: "sessions" },
    cause(),
  );
  expect(() =>
    store.nodes.update(id, { uri: "mem://user/entities/m", category: "entities" }, cause()),
  ).toThrow("stays");
  expect(store.nodes.byId(id)?.uri).toBe("mem://sessions/s/moments/1");
});
