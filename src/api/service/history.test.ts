import { expect, test } from "bun:test";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";
import { msPerDay } from "#kit";
import type { NodeJson } from "../forms-memory.ts";

const uri = "mem://user/preferences/packages";

const opened = (): TestService => {
  const t = openTestService();
  t.add({ uri, l0: "Use npm", category: "preferences" });
  return t;
};

const change = (t: TestService, l0: string): void => {
  const edited = t.service.edit({ uri, expected: null, l0, nowMs: testNowMs + 1_000 });
  if (!edited.ok) throw new Error(edited.error.type);
};

const undo = (
  t: TestService,
  over: { readonly uri?: string; readonly revision?: number } = {},
): NodeJson => {
  const ask = { uri, revision: null, expected: null, nowMs: testNowMs + 2_000, ...over };
  const reverted = t.service.revert(ask);
  if (!reverted.ok) throw new Error(reverted.error.type);
  return reverted.value;
};

const ids = (t: TestService): readonly number[] => {
  const page = t.service.history({ uri, limit: 100, order: "oldest" });
  return page.ok ? page.value.items.map(({ id }) => id) : [];
};

test("a history comes in pages, from either end, each revision once", () => {
  using t = opened();
  for (const n of [1, 2, 3, 4]) change(t, `Use npm ${n}`);
  for (const order of ["oldest", "newest"] as const) {
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = t.service.history({ uri, limit: 2, cursor, order });
      if (!page.ok) throw new Error(page.error.type);
      seen.push(...page.value.items.map(({ id }) => id));
      cursor = page.value.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(order === "oldest" ? seen : seen.toReversed()).toEqual([...ids(t)]);
  }
  expect(t.service.history({ uri, limit: 2, cursor: "o1", order: "oldest" })).toEqual({
    ok: false,
    error: { type: "cursor.invalid" },
  });
});

test("the difference is that of the last change, or of any two revisions", () => {
  using t = opened();
  change(t, "Use pnpm");
  change(t, "Use bun");
  const [first = 0, second = 0] = ids(t);
  expect(t.service.diff({ uri })).toMatchObject({
    ok: true,
    value: { from: { id: second }, tiers: [{ tier: "l0" }] },
  });
  const all = t.service.diff({ uri, from: first });
  expect(all).toMatchObject({
    ok: true,
    value: {
      tiers: [
        {
          parts: [
            { op: "same", text: "Use " },
            { op: "removed", text: "npm" },
            { op: "added", text: "bun" },
          ],
        },
      ],
    },
  });
  expect(t.service.diff({ uri, to: first })).toMatchObject({
    ok: true,
    value: { to: { id: first, action: "create" } },
  });
});

test("fields that differ are named as the API names them", () => {
  using t = opened();
  t.service.edit({ uri, expected: null, pinned: true, importance: 5, nowMs: testNowMs });
  const diff = t.service.diff({ uri });
  expect(diff).toMatchObject({
    value: {
      tiers: [],
      fields: [
        { name: "importance", before: "3", after: "5" },
        { name: "pinned", before: "false", after: "true" },
      ],
    },
  });
});

test("a revision of another memory is none of this one", () => {
  using t = opened();
  t.add({ uri: "mem://user/entities/b", l0: "Other" });
  const other = t.store.history.latest(t.store.nodes.byUri("mem://user/entities/b")?.id ?? 0);
  const revision = other?.id ?? 0;
  const none = { ok: false, error: { type: "revision.not-found", uri } } as const;
  expect(t.service.diff({ uri, from: revision })).toEqual(none);
  expect(t.service.diff({ uri, to: revision })).toEqual(none);
  expect(t.service.revert({ uri, revision, expected: null, nowMs: testNowMs })).toEqual(none);
});

test("an edit is undone, and undoing that does it again", () => {
  using t = opened();
  change(t, "Use pnpm");
  expect(undo(t).l0).toBe("Use npm");
  expect(undo(t).l0).toBe("Use pnpm");
  expect(
    t.store.nodes.revisions(t.store.nodes.byUri(uri)?.id ?? 0).map(({ action }) => action),
  ).toEqual(["create", "edit", "revert", "revert"]);
});

test("a memory can become what it was at any time, with everything that went with it", () => {
  using t = opened();
  const [first = 0] = ids(t);
  t.service.edit({
    uri,
    expected: null,
    l0: "Use pnpm",
    l1: "Because it is quick",
    tags: ["tools"],
    importance: 5,
    pinned: true,
    nowMs: testNowMs,
  });
  change(t, "Use bun");
  expect(undo(t, { revision: first })).toMatchObject({
    l0: "Use npm",
    l1: null,
    tags: [],
    importance: 3,
    pinned: false,
  });
});

test("a pin, a put-away memory and another category are undone as well", () => {
  using t = opened();
  t.service.edit({ uri, expected: null, pinned: true, nowMs: testNowMs });
  expect(undo(t).pinned).toBe(false);
  t.service.edit({ uri, expected: null, status: "retracted", nowMs: testNowMs });
  expect(undo(t)).toMatchObject({ status: "active", valid_to: null });
  const moved = t.service.edit({ uri, expected: null, category: "cases", nowMs: testNowMs });
  if (!moved.ok) throw new Error(moved.error.type);
  expect(undo(t, { uri: moved.value.uri })).toMatchObject({ uri, category: "preferences" });
});

test("the old place may be taken by now: then it stands beside", () => {
  using t = opened();
  const moved = t.service.edit({ uri, expected: null, category: "cases", nowMs: testNowMs });
  if (!moved.ok) throw new Error(moved.error.type);
  t.add({ uri, l0: "Use yarn", category: "preferences" });
  expect(undo(t, { uri: moved.value.uri }).uri).toBe(`${uri}-2`);
  expect(t.store.nodes.byUri(uri)?.l0).toBe("Use yarn");
});

test("what was replaced holds again, and is not called replaced any more", () => {
  using t = opened();
  t.add({ uri: "mem://user/preferences/packages-2", l0: "Use pnpm", category: "preferences" });
  const id = (at: string): number => t.store.nodes.byUri(at)?.id ?? 0;
  t.store.nodes.update(
    id(uri),
    { status: "superseded", validTo: testNowMs },
    { atMs: testNowMs, action: "supersede", by: "job", reason: "changed" },
  );
  t.store.nodes.relate(id(`${uri}-2`), id(uri), "supersedes", testNowMs);
  expect(undo(t)).toMatchObject({ status: "active", superseded_by: null, valid_to: null });
});

test("a moment that expired lives for its span once more", () => {
  using t = openTestService();
  const moment = "mem://sessions/s1/moments/1";
  t.add({
    uri: moment,
    l0: "Found it",
    category: "sessions",
    maker: "stop",
    expiresAt: testNowMs + 7 * msPerDay,
  });
  const id = t.store.nodes.byUri(moment)?.id ?? 0;
  const nowMs = testNowMs + 10 * msPerDay;
  t.store.nodes.retract(id, { atMs: nowMs, action: "expire", by: "system", reason: "old" });
  const back = t.service.revert({ uri: moment, revision: null, expected: null, nowMs });
  expect(back).toMatchObject({
    ok: true,
    value: { status: "active", expires_at: nowMs + 7 * msPerDay },
  });
});

test("undoing a merge brings back what was merged", () => {
  using t = opened();
  t.add({ uri: "mem://user/preferences/p2", l0: "npm it is", category: "preferences" });
  const part = t.store.nodes.byUri("mem://user/preferences/p2");
  const whole = t.store.nodes.byUri(uri);
  if (part === null || whole === null) throw new Error("both are there");
  const cause = { atMs: testNowMs, action: "merge", by: "job", reason: "the same" } as const;
  t.store.nodes.update(whole.id, { l0: "Use npm, always", mergedFrom: [part.id] }, cause);
  t.store.nodes.update(part.id, { status: "superseded" }, cause);
  expect(undo(t).l0).toBe("Use npm");
  expect(t.store.nodes.byId(part.id)?.status).toBe("active");
});

test("there is no way back before the beginning, nor past somebody else's change", () => {
  using t = opened();
  const ask = { uri, revision: null, nowMs: testNowMs };
  expect(t.service.revert({ ...ask, expected: null })).toEqual({
    ok: false,
    error: { type: "revision.not-found", uri },
  });
  const [first = 0] = ids(t);
  change(t, "Use pnpm");
  expect(t.service.revert({ ...ask, expected: first })).toEqual({
    ok: false,
    error: { type: "memory.changed", uri },
  });
});
