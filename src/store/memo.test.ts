import { expect, test } from "bun:test";
import { cause, noonMs, openOk, tempFolder, tempStore } from "../../test/support/store.ts";

const draft = {
  uri: "mem://user/entities/a",
  category: "entities",
  project: null,
  origin: "user",
  maker: "manual",
  l0: "one",
} as const;

test("a count is right after every kind of change, and after one that failed", () => {
  using store = tempStore();
  const counted = (): readonly number[] => [
    store.nodes.count({}),
    store.nodes.count({ used: true }),
    store.nodes.countBelow("mem://"),
    store.figures.breakdown().reduce((sum, { count }) => sum + count, 0),
  ];
  expect(counted()).toEqual([0, 0, 0, 0]);
  const { id } = store.nodes.insert(draft, cause());
  expect(counted()).toEqual([1, 0, 1, 1]);
  store.nodes.use(id, noonMs);
  expect(counted()).toEqual([1, 1, 1, 1]);
  expect(() =>
    store.transaction(() => {
      store.nodes.insert({ ...draft, uri: "mem://user/entities/b" }, cause());
      expect(counted()).toEqual([2, 1, 2, 2]);
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(counted()).toEqual([1, 1, 1, 1]);
  store.nodes.retract(id, cause({ action: "retract" }));
  expect(counted()).toEqual([0, 0, 0, 1]);
  store.nodes.forget([id], ["one"], noonMs);
  expect(counted()).toEqual([0, 0, 0, 0]);
});

test("what another process writes is counted as well", () => {
  using folder = tempFolder();
  using writer = openOk(folder.database);
  writer.nodes.insert(draft, cause());
  using reader = openOk(folder.database, { mode: "readonly" });
  expect(reader.nodes.count({})).toBe(1);
  writer.nodes.insert({ ...draft, uri: "mem://user/entities/b" }, cause());
  expect(reader.nodes.count({})).toBe(2);
});

test("what expires leaves the count without a write", () => {
  using store = tempStore();
  store.nodes.insert({ ...draft, expiresAt: noonMs + 60_000 }, cause());
  expect(store.nodes.count({ nowMs: noonMs })).toBe(1);
  expect(store.nodes.count({ nowMs: noonMs + 120_000 })).toBe(0);
});
