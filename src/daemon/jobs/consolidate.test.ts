import { expect, test } from "bun:test";
import type { NodeDraft } from "#domain";
import { openTestWorker } from "../../../test/support/worker.ts";
import { consolidateSlice } from "./consolidate.ts";
import { index } from "./remember.ts";

type Room = ReturnType<typeof openTestWorker>;

/** Puts a memory there as it is, past dedup: as two sessions side by side would leave it. */
function put(room: Room, l0: string, over: Partial<NodeDraft> = {}) {
  const { store, clock } = room.deps;
  const slug = `${l0.toLowerCase().replace(/[^a-z0-9]+/g, "-")}-${store.nodes.count({ projects: null })}`;
  const node = store.nodes.insert(
    {
      uri: `mem://user/entities/${slug.slice(0, 80)}`,
      category: "entities",
      project: "p",
      l0,
      origin: "user",
      maker: "signal",
      evidence: [{ sessionId: "s", turn: 1, line: null, quote: l0 }],
      ...over,
    },
    { atMs: clock.nowMs(), action: "create", by: "test", reason: "" },
  );
  index(room.deps, node);
  return node;
}

const run = (room: Room, apply = true, afterId = 0, sliceMs = 10_000) =>
  consolidateSlice(room.deps, { afterId, sliceMs, apply });

const current = (room: Room) =>
  room.deps.store.nodes
    .list({ projects: null, statuses: ["active"] }, "uri", { limit: 100 })
    .map(({ l0 }) => l0);

test("what says the same becomes one, with the evidence of both", () => {
  using room = openTestWorker();
  const a = put(room, "The staging database listens on port 5544", { tags: ["db"] });
  const b = put(room, "staging database listens on port 5544", {
    importance: 5,
    tags: ["staging"],
  });
  expect(run(room).changes.map(({ type }) => type)).toEqual(["merge"]);
  const kept = room.deps.store.nodes.byId(b.id);
  expect(kept).toMatchObject({
    status: "active",
    importance: 5,
    evidenceCount: 2,
    mergedFrom: [a.id],
  });
  expect(kept?.tags).toEqual(["staging", "db"]);
  expect(room.deps.store.nodes.byId(a.id)?.status).toBe("retracted");
  expect(run(room).changes).toEqual([]);
});

test.each([
  [
    "Always run `pnpm test --run` in src/harbour/tides.ts.",
    "run pnpm test --run in src/harbour/tides.ts",
  ],
  ["缩进用制表符，不用空格。", "缩进用制表符，不用空格"],
  ["Der Anrufbeantworter heißt „Käthe“", "der Anrufbeantworter heißt Käthe!"],
  ["We deploy on Fridays → never on Mondays", "we deploy on Fridays → never on Mondays."],
])("%s is the same as %s, among dozens that differ", (one, other) => {
  using room = openTestWorker();
  put(room, one);
  for (let n = 0; n < 40; n += 1) put(room, `${other} ${n}`);
  put(room, other);
  expect(run(room).changes).toHaveLength(1);
  expect(current(room)).toHaveLength(41);
});

test("two that say the same are found behind more than are looked at with their longest words", () => {
  using room = openTestWorker();
  const line = "Warehouse deployment service listens on another staging port";
  put(room, `${line} 7`);
  put(room, `${line} 7.`);
  for (let n = 100; n < 170; n += 1) put(room, `${line} ${n}`);
  expect(run(room).changes).toHaveLength(1);
});

test("asked for nothing but a look, it changes nothing", () => {
  using room = openTestWorker();
  put(room, "The staging database listens on port 5544");
  put(room, "staging database listens on port 5544");
  const all = () => room.deps.store.nodes.leafIds(0, 9).map((id) => room.deps.store.nodes.byId(id));
  const before = all();
  expect(run(room, false).changes).toHaveLength(1);
  expect(all()).toEqual(before);
});

test.each([
  ["another value", "staging database listens on port 5545", {}],
  ["a negation", "The staging database does not listen on port 5544", {}],
  ["another project", "The staging database listens on port 5544", { project: "q" }],
  [
    "another category",
    "The staging database listens on port 5544",
    { category: "patterns", uri: "mem://agent/patterns/x" },
  ],
  ["another's word", "The staging database listens on port 5544", { origin: "tool" }],
  ["one that waits for review", "The staging database listens on port 5544", { status: "pending" }],
] as const)("%s stays apart", (_name, l0, over) => {
  using room = openTestWorker();
  put(room, "The staging database listens on port 5544");
  put(room, l0, over);
  expect(run(room).changes).toEqual([]);
});

test("what happened on two days happened twice", () => {
  using room = openTestWorker();
  const event = (day: number): Partial<NodeDraft> => ({
    category: "events",
    uri: `mem://user/events/2026-03-0${day}-deploy`,
    validFrom: Date.parse(`2026-03-0${day}T10:00:00Z`),
  });
  put(room, "We deployed the invoice service to production", event(1));
  put(room, "We deployed the invoice service to production", event(2));
  expect(run(room).changes).toEqual([]);
});

test("a pinned one stays whatever else says the same", () => {
  using room = openTestWorker();
  const pinned = put(room, "staging database listens on port 5544", { pinned: true });
  put(room, "The staging database listens on port 5544", { importance: 5 });
  put(room, "the staging database listens on port 5544", { pinned: true });
  run(room);
  expect(room.deps.store.nodes.byId(pinned.id)?.status).toBe("active");
  expect(current(room)).toHaveLength(2);
});

test("slices go on where the last one ended, and end", () => {
  using room = openTestWorker();
  for (let n = 0; n < 5; n += 1) put(room, `The worker number ${n} listens on port ${4_000 + n}`);
  let looked = 0;
  for (let next: number | null = 0; next !== null;) {
    const slice = run(room, true, next, 0);
    looked += slice.looked;
    next = slice.nextId;
  }
  expect(looked).toBe(5);
});

test("what was put away can be taken back", () => {
  using room = openTestWorker();
  const a = put(room, "The staging database listens on port 5544");
  put(room, "staging database listens on port 5544", { importance: 5 });
  run(room);
  const revisions = room.deps.store.nodes.revisions(a.id);
  expect(revisions.at(-1)).toMatchObject({ action: "merge", status: "retracted" });
  expect(revisions.at(-1)?.by).toBe("consolidation:2026-03-02");
  expect(revisions.at(-1)?.reason).toStartWith("duplicate of mem://");
  expect(revisions.at(-1)?.l0).toBe(a.l0);
});
