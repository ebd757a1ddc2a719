import { expect, test } from "bun:test";
import type { PlainFilter, Store } from "#domain";
import { cause, noonMs, openOk, tempFolder, tempStore } from "../../test/support/store.ts";

const acme = "github.com/acme/api";
const other = "github.com/acme/web";

const draft = (uri: string, project: string | null = acme) =>
  ({
    uri: `mem://user/entities/${uri}`,
    category: "entities",
    project,
    origin: "user",
    maker: "manual",
    l0: `what ${uri} says`,
  }) as const;

const inAcme: PlainFilter = { projects: [acme] };

/** `passing` asks in both ways for what is kept in memory. */
function passing({ nodes }: Store, filter: PlainFilter, ids: readonly number[]): readonly number[] {
  const all = [...(nodes.allPassing(filter) ?? [])];
  const some = nodes.passing(ids, filter);
  expect(all.filter((id) => ids.includes(id))).toEqual(some.toSorted((a, b) => a - b));
  return some;
}

test("a filter sees every change at once", () => {
  using store = tempStore();
  const { nodes } = store;
  const a = nodes.insert(draft("a"), cause()).id;
  const b = nodes.insert(draft("b", other), cause()).id;
  const c = nodes.insert(draft("c", null), cause()).id;
  const ids = [c, a, b];
  expect(passing(store, inAcme, ids)).toEqual([c, a]);
  expect(passing(store, { projects: null }, ids)).toEqual(ids);
  nodes.update(b, { project: acme }, cause());
  expect(passing(store, inAcme, ids)).toEqual(ids);
  nodes.update(a, { status: "superseded" }, cause());
  expect(passing(store, inAcme, ids)).toEqual(ids);
  expect(passing(store, { ...inAcme, statuses: ["active"] }, ids)).toEqual([c, b]);
  nodes.update(b, { expiresAt: noonMs }, cause());
  expect(passing(store, { ...inAcme, nowMs: noonMs - 1 }, ids)).toEqual(ids);
  expect(passing(store, { ...inAcme, nowMs: noonMs }, ids)).toEqual([c, a]);
  nodes.retract(c, cause({ action: "retract" }));
  expect(passing(store, inAcme, ids)).toEqual([a, b]);
  nodes.forget([b], ["what b says"], noonMs);
  expect(passing(store, inAcme, ids)).toEqual([a]);
  expect(passing(store, { projects: ["nobody's"] }, ids)).toEqual([]);
});

test("kinds are told apart, and directories are none", () => {
  using store = tempStore();
  const archive = {
    ...draft(""),
    category: "sessions",
    uri: "mem://session/s1/moments/m1",
  } as const;
  const memory = store.nodes.insert(draft("a"), cause()).id;
  const moment = store.nodes.insert(archive, cause()).id;
  const exchange = store.nodes.insert(
    { ...archive, uri: "mem://session/s1/exchanges/e1" },
    cause(),
  ).id;
  const ids = Array.from({ length: store.nodes.lastId() + 5 }, (_, id) => id);
  expect(passing(store, inAcme, ids)).toEqual([memory, moment, exchange]);
  expect(passing(store, { ...inAcme, kinds: ["memory"] }, ids)).toEqual([memory]);
  expect(passing(store, { ...inAcme, kinds: ["moment", "prompt"] }, ids)).toEqual([moment]);
  expect(passing(store, { ...inAcme, kinds: ["exchange"] }, ids)).toEqual([exchange]);
});

test("work that was undone leaves nothing behind", () => {
  using store = tempStore();
  const { id } = store.nodes.insert(draft("a", other), cause());
  expect(passing(store, inAcme, [id])).toEqual([]);
  const failing = (within: () => void): void =>
    expect(() =>
      store.transaction(() => {
        store.nodes.update(id, { project: acme }, cause());
        within();
        throw new Error("no");
      }),
    ).toThrow("no");
  failing(() => expect(passing(store, inAcme, [id])).toEqual([id]));
  expect(passing(store, inAcme, [id])).toEqual([]);
  store.transaction(() => {
    failing(() => expect(passing(store, inAcme, [id])).toEqual([id]));
    expect(passing(store, inAcme, [id])).toEqual([]);
    store.nodes.update(id, { project: acme }, cause());
  });
  expect(passing(store, inAcme, [id])).toEqual([id]);
});

test("what another process writes counts, and a connection that only reads keeps nothing", () => {
  using folder = tempFolder();
  using store = openOk(folder.database);
  const { id } = store.nodes.insert(draft("a", other), cause());
  expect(passing(store, inAcme, [id])).toEqual([]);
  using second = openOk(folder.database);
  second.nodes.update(id, { project: acme }, cause());
  expect(passing(store, inAcme, [id])).toEqual([id]);
  using reader = openOk(folder.database, { mode: "readonly" });
  expect(reader.nodes.passing([id, 99], { projects: [other] })).toEqual([id, 99]);
  expect(reader.nodes.allPassing(inAcme)).toBeNull();
});
