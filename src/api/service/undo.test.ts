import { expect, test } from "bun:test";
import {
  openTestService,
  slotted,
  testNowMs,
  type TestService,
} from "../../../test/support/service.ts";

const uri = "mem://user/preferences/packages";

const states = (t: TestService): Readonly<Record<string, string>> =>
  Object.fromEntries(
    t.store.nodes
      .list({ statuses: ["active", "superseded", "retracted"] }, "uri", { limit: 9 })
      .map((node) => [node.l0, node.status]),
  );

const undo = (t: TestService, atMs: number) => t.service.undo(testNowMs + atMs);

test("an edit is taken back, and brought back by a second undo", () => {
  using t = openTestService();
  t.add({ uri, l0: "Use npm", category: "preferences" });
  t.service.edit({ uri, expected: null, l0: "Use pnpm", nowMs: testNowMs + 1 });
  expect(undo(t, 2)).toEqual({
    ok: true,
    value: {
      at: testNowMs + 1,
      by: "user",
      reason: "edited by the user",
      undone: 1,
      kept: 0,
      items: [{ uri, l0: "Use npm", status: "active", action: "edit" }],
    },
  });
  expect(states(t)).toEqual({ "Use npm": "active" });
  undo(t, 3);
  expect(states(t)).toEqual({ "Use pnpm": "active" });
});

test("of several changes the last one goes, whichever memory it was of", () => {
  using t = openTestService();
  t.add({ uri, l0: "Use npm", category: "preferences" });
  t.add({ uri: "mem://user/entities/kiln", l0: "The kiln is hot" });
  t.service.edit({ uri, expected: null, l0: "Use pnpm", nowMs: testNowMs + 1 });
  const kiln = "mem://user/entities/kiln";
  t.service.edit({ uri: kiln, expected: null, status: "retracted", nowMs: testNowMs + 2 });
  // A use is no change, nor is what an archive does.
  t.store.nodes.update(
    t.store.nodes.byUri(uri)?.id ?? 0,
    { expiresAt: testNowMs + 900 },
    { atMs: testNowMs + 3, action: "reinforce", by: "user", reason: "used" },
  );
  t.add({ uri: "mem://sessions/s/moments/1", l0: "Found it", category: "sessions", maker: "stop" });
  expect(undo(t, 4)).toMatchObject({ ok: true, value: { items: [{ uri: kiln }] } });
  expect(states(t)).toEqual({ "Use pnpm": "active", "The kiln is hot": "active" });
});

test("what an agent proposed and review has not seen is passed over: the last visible change goes", () => {
  using t = openTestService();
  t.add({ uri, l0: "Use npm", category: "preferences" });
  t.service.edit({ uri, expected: null, l0: "Use pnpm", nowMs: testNowMs + 1 });
  const proposal = {
    uri: "mem://user/entities/try",
    l0: "Use yarn",
    category: "entities",
  } as const;
  const node = t.store.nodes.insert(
    { ...proposal, project: null, l2: null, origin: "agent", maker: "manual", status: "pending" },
    { atMs: testNowMs + 2, action: "create", by: "agent", reason: "an agent's word" },
  );
  expect(undo(t, 3)).toMatchObject({ ok: true, value: { items: [{ uri, l0: "Use npm" }] } });
  // A try that gave way to the next one.
  t.store.nodes.update(
    node.id,
    { status: "retracted" },
    { atMs: testNowMs + 4, action: "retract", by: "agent", reason: "saved again" },
  );
  expect(undo(t, 5)).toMatchObject({ ok: true, value: { items: [{ uri, l0: "Use pnpm" }] } });
});

test("an accepted proposal goes back to review, and a second undo accepts it again", () => {
  using t = openTestService();
  const node = t.store.nodes.insert(
    {
      uri,
      l0: "Use yarn",
      category: "preferences",
      project: null,
      l2: null,
      origin: "agent",
      maker: "manual",
      status: "pending",
    },
    { atMs: testNowMs + 1, action: "create", by: "agent", reason: "an agent's word" },
  );
  t.service.review({ id: node.id, action: "accept", nowMs: testNowMs + 2 });
  expect(undo(t, 3)).toMatchObject({ ok: true, value: { items: [{ uri, status: "pending" }] } });
  expect(undo(t, 4)).toMatchObject({ ok: true, value: { items: [{ uri, status: "active" }] } });
});

test("what was new is put away, and what it took the place of holds again", () => {
  using t = openTestService();
  t.add({ uri, l0: "The staging database listens on port 5433" });
  const asked = { category: "entities", project: null, tags: [], importance: 5 } as const;
  const remembered = t.service.remember({
    ...asked,
    text: "The staging database now listens on port 6000",
    sessionId: null,
    by: "user",
    nowMs: testNowMs + 1,
  });
  if (!remembered.ok) throw new Error(remembered.error.type);
  const before = states(t);
  const done = undo(t, 2);
  expect(done).toMatchObject({ ok: true });
  expect(states(t)["The staging database listens on port 5433"]).toBe("active");
  expect(Object.values(states(t)).filter((status) => status === "active")).toHaveLength(1);
  undo(t, 3);
  expect(states(t)).toEqual(before);
});

test("without any change there is nothing to undo, and a read-only service undoes nothing", () => {
  using t = openTestService();
  expect(undo(t, 1)).toEqual({ ok: false, error: { type: "undo.nothing" } });
  t.add({ uri, l0: "Use npm", category: "preferences" });
  expect(t.readOnly.undo(testNowMs)).toEqual({
    ok: false,
    error: { type: "service.read-only" },
  });
  expect(states(t)).toEqual({ "Use npm": "active" });
});

test("a job, an import or a consolidation is taken back as a whole, by any of its numbers", () => {
  using t = openTestService();
  const place = (n: number) => `mem://user/entities/thing-${n}`;
  const by = "import:claude-mem";
  for (const n of [1, 2, 3])
    t.store.nodes.insert(
      {
        uri: place(n),
        l0: `Thing ${n}`,
        category: "entities",
        project: null,
        origin: "import",
        maker: "import",
      },
      { atMs: testNowMs - n * 1_000, action: "create", by, reason: "new" },
    );
  t.add({ uri, l0: "Use npm", category: "preferences" });
  t.service.edit({ uri: place(2), expected: null, l0: "Thing two", nowMs: testNowMs + 1 });
  const { items } = t.service.steps(10);
  expect(items.map(({ by: maker, memories }) => [maker, memories])).toEqual([
    ["user", 1],
    ["test", 1],
    [by, 3],
  ]);
  const done = t.service.undo(testNowMs + 2, items[2]?.id ?? 0);
  expect(done).toMatchObject({ ok: true, value: { by, undone: 2, kept: 1 } });
  expect(states(t)).toEqual({
    "Thing 1": "retracted",
    "Thing two": "active",
    "Thing 3": "retracted",
    "Use npm": "active",
  });
  undo(t, 3);
  expect(states(t)).toMatchObject({ "Thing 1": "active", "Thing 3": "active" });
  const used = { atMs: testNowMs + 4, action: "reinforce", by: "user", reason: "used" } as const;
  t.store.nodes.update(t.store.nodes.byUri(place(1))?.id ?? 0, { evidenceCount: 2 }, used);
  expect(t.service.undo(testNowMs + 5, 9_999)).toEqual({
    ok: false,
    error: { type: "undo.no-step", id: 9_999 },
  });
});

test("what an earlier step replaced holds again, and memories that were changed since stay", () => {
  using t = openTestService();
  t.add({ uri, l0: "Use npm", category: "preferences" });
  const id = t.store.nodes.byUri(uri)?.id ?? 0;
  const by = "turn:s:4";
  const cause = { atMs: testNowMs + 1, action: "edit", by, reason: "said" } as const;
  t.store.nodes.update(id, { l0: "Use yarn" }, cause);
  t.store.nodes.update(id, { l0: "Use pnpm" }, { ...cause, atMs: testNowMs + 2 });
  const step = t.service.steps(1).items[0]?.id ?? 0;
  t.service.undo(testNowMs + 3, step);
  expect(states(t)).toEqual({ "Use npm": "active" });
  // It has been taken back: a second time there is something later, which stays.
  expect(t.service.undo(testNowMs + 4, step)).toMatchObject({ value: { undone: 0, kept: 1 } });
  expect(states(t)).toEqual({ "Use npm": "active" });
});

test("words of the user between two changes of one job stay", () => {
  using t = openTestService();
  t.add({ uri, l0: "Before", category: "preferences" });
  const id = t.store.nodes.byUri(uri)?.id ?? 0;
  const job = { action: "edit", by: "turn:s:4", reason: "said" } as const;
  t.store.nodes.update(id, { l0: "One" }, { ...job, atMs: testNowMs + 1 });
  t.service.edit({ uri, expected: null, l0: "MY OWN WORDS", nowMs: testNowMs + 2 });
  t.store.nodes.update(id, { l1: "Two" }, { ...job, atMs: testNowMs + 3 });
  const step = t.store.history.latest(id)?.id ?? 0;
  expect(t.service.undo(testNowMs + 4, step)).toMatchObject({ value: { undone: 0, kept: 1 } });
  expect(t.store.nodes.byUri(uri)?.l0).toBe("MY OWN WORDS");
});

test("a value whose successor was itself replaced does not come back beside the one that holds", () => {
  using t = openTestService();
  const ports = [5433, 6000, 7000];
  for (const port of ports) {
    t.clock.advance(10);
    t.worker.remember(
      slotted(`The staging database listens on port ${port}`, t.clock.nowMs()),
      "user",
    );
  }
  const middle = t.service.steps(10).items[1]?.id ?? 0;
  t.service.undo(testNowMs + 100, middle);
  const active = Object.entries(states(t)).filter(([, status]) => status === "active");
  expect(active.map(([l0]) => l0)).toEqual(["The staging database listens on port 7000"]);
});

test("a plain undo takes back all that one job did, as the list shows it", () => {
  using t = openTestService();
  const by = "consolidation:2026-09-15";
  for (const n of [1, 2]) t.add({ uri: `mem://user/entities/t-${n}`, l0: `Thing ${n}` });
  for (const n of [1, 2]) {
    const id = t.store.nodes.byUri(`mem://user/entities/t-${n}`)?.id ?? 0;
    const cause = { atMs: testNowMs + n, action: "merge", by, reason: "merged" } as const;
    t.store.nodes.update(id, { l0: `Merged ${n}` }, cause);
  }
  expect(undo(t, 9)).toMatchObject({ ok: true, value: { by, undone: 2 } });
  expect(Object.keys(states(t))).toEqual(["Thing 1", "Thing 2"]);
});
