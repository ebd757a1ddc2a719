import { expect, test } from "bun:test";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";
import type { BulkJson } from "../forms-memory.ts";
import type { BulkAsk } from "./bulk.ts";

const many = 230;
const uriOf = (n: number): string => `mem://user/entities/thing-${n}`;

/** Two hundred and thirty memories of one project, one of another, and a preference. */
function opened(): TestService {
  const t = openTestService();
  t.store.transaction(() => {
    for (let n = 0; n < many; n += 1)
      t.add({ uri: uriOf(n), l0: `Thing ${n} listens on port ${5_000 + n}`, project: "git/shop" });
    t.add({ uri: "mem://user/entities/other", l0: "Other", project: "git/ledger" });
    t.add({ uri: "mem://user/preferences/pnpm", l0: "Uses pnpm", category: "preferences" });
  });
  return t;
}

const filter = { projects: ["git/shop"], categories: ["entities"], nowMs: testNowMs } as const;

function bulk(t: TestService, ask: Partial<BulkAsk> & Pick<BulkAsk, "change">): BulkJson[] {
  const slices: BulkJson[] = [];
  for (let cursor: string | null = null, n = 0; n < 10; n += 1) {
    const done = t.service.bulk({
      of: { filter, except: [] },
      cursor,
      nowMs: testNowMs + 1_000,
      ...ask,
    });
    if (!done.ok) throw new Error(done.error.type);
    slices.push(done.value);
    cursor = done.value.next;
    if (cursor === null) return slices;
  }
  throw new Error("does not end");
}

const undo = (t: TestService, slices: readonly BulkJson[]): number =>
  slices.reduce((sum, { first, last }) => {
    if (first === null || last === null) return sum;
    const undone = t.service.undoBulk({ first, last }, testNowMs + 2_000);
    return sum + (undone.ok ? undone.value.changed : 0);
  }, 0);

const sum = (slices: readonly BulkJson[]): number =>
  slices.reduce((total, { changed }) => total + changed, 0);

const pinned = (t: TestService): number => t.store.nodes.count({ projects: null, pinned: true });

test("all that match change slice by slice, others do not, and one undo takes all of it back", () => {
  using t = opened();
  const slices = bulk(t, { change: { pinned: true }, of: { filter, except: [uriOf(7)] } });
  expect(slices.length).toBe(3);
  expect(sum(slices)).toBe(many - 1);
  expect(pinned(t)).toBe(many - 1);
  expect(t.store.nodes.byUri(uriOf(7))?.pinned).toBe(false);
  expect(t.store.nodes.byUri("mem://user/entities/other")?.pinned).toBe(false);
  expect(undo(t, slices)).toBe(many - 1);
  expect(pinned(t)).toBe(0);
});

test("what leaves the filter by the change itself does not make the next slice skip anything", () => {
  using t = opened();
  const slices = bulk(t, { change: { project: "git/ledger" } });
  expect(sum(slices)).toBe(many);
  expect(t.store.nodes.count({ projects: ["git/shop"], categories: ["entities"] })).toBe(0);
  expect(undo(t, slices)).toBe(many);
  expect(t.store.nodes.byUri(uriOf(0))?.project).toBe("git/shop");
});

test("what was made after it began is not changed", () => {
  using t = opened();
  const ask = { of: { filter, except: [] }, change: { pinned: true }, nowMs: testNowMs } as const;
  const first = t.service.bulk({ ...ask, cursor: null });
  t.add({ uri: uriOf(many), l0: "Came late", project: "git/shop" });
  for (let next = first.ok ? first.value.next : null; next !== null;) {
    const more = t.service.bulk({ ...ask, cursor: next });
    next = more.ok ? more.value.next : null;
  }
  expect(pinned(t)).toBe(many);
  expect(t.store.nodes.byUri(uriOf(many))?.pinned).toBe(false);
});

test("tags come and go beside those that were there", () => {
  using t = openTestService();
  t.add({ uri: uriOf(1), l0: "One", tags: ["ops", "old"] });
  const of = { uris: [uriOf(1)] };
  const slices = bulk(t, { of, change: { addTags: ["net", "ops"], removeTags: ["old"] } });
  expect(t.store.nodes.byUri(uriOf(1))?.tags).toEqual(["ops", "net"]);
  undo(t, slices);
  expect(t.store.nodes.byUri(uriOf(1))?.tags).toEqual(["ops", "old"]);
});

test("another category is another place, and undo brings back the old one", () => {
  using t = openTestService();
  t.add({ uri: uriOf(1), l0: "One" });
  const slices = bulk(t, { of: { uris: [uriOf(1)] }, change: { category: "patterns" } });
  const moved = "mem://agent/patterns/thing-1";
  expect(t.store.nodes.byUri(moved)?.category).toBe("patterns");
  undo(t, slices);
  expect(t.store.nodes.byUri(uriOf(1))?.category).toBe("entities");
  expect(t.store.nodes.byUri(moved)).toBeNull();
});

test("an undo leaves alone what has changed since", () => {
  using t = opened();
  const of = { uris: [uriOf(1), uriOf(2)] };
  const slices = bulk(t, { of, change: { pinned: true } });
  t.service.edit({ uri: uriOf(1), expected: null, l0: "Said anew", nowMs: testNowMs + 1_500 });
  expect(undo(t, slices)).toBe(1);
  const anew = t.service.read(uriOf(1), { use: false, nowMs: testNowMs });
  expect(anew.ok && anew.value).toMatchObject({ pinned: true, l0: "Said anew" });
  expect(t.store.nodes.byUri(uriOf(2))?.pinned).toBe(false);
});

test("what waits is accepted or rejected; what does not wait is named and left", () => {
  using t = openTestService();
  t.add({ uri: uriOf(1), l0: "One waits", status: "pending" });
  t.add({ uri: uriOf(2), l0: "Two waits", status: "pending" });
  t.add({ uri: uriOf(3), l0: "Three holds" });
  const [accepted] = bulk(t, { of: { uris: [uriOf(1), uriOf(3)] }, change: { review: "accept" } });
  expect(accepted).toMatchObject({
    changed: 1,
    refused: [{ uri: uriOf(3), type: "review.not-found" }],
  });
  expect(t.store.nodes.byUri(uriOf(1))?.status).toBe("active");
  const rejected = bulk(t, { of: { uris: [uriOf(2)] }, change: { review: "reject" } });
  expect(t.store.nodes.byUri(uriOf(2))?.status).toBe("retracted");
  expect(t.store.nodes.isForgotten("Two waits")).toBe(true);
  undo(t, rejected);
  expect(t.store.nodes.byUri(uriOf(2))?.status).toBe("pending");
  expect(t.store.nodes.isForgotten("Two waits")).toBe(false);
});

test("forgetting many leaves neither rows nor revisions, and nothing to take back", () => {
  using t = opened();
  const slices = bulk(t, { change: { forget: true } });
  expect(sum(slices)).toBe(many);
  expect(slices.map(({ first }) => first)).toEqual([null]);
  expect(t.store.nodes.count({ projects: null, categories: ["entities"] })).toBe(1);
  expect(t.store.nodes.isForgotten("Thing 3 listens on port 5003")).toBe(true);
  expect(t.store.nodes.byUri("mem://user/preferences/pnpm")).not.toBeNull();
});

test("an unknown project changes nothing and is named", () => {
  using t = opened();
  const [done] = bulk(t, { of: { uris: [uriOf(1)] }, change: { project: "nowhere" } });
  expect(done).toMatchObject({ changed: 0, refused: [{ type: "project.unknown" }] });
});

test("a store that only reads refuses", () => {
  using t = opened();
  const asked = { of: { uris: [uriOf(1)] }, cursor: null, nowMs: testNowMs };
  expect(t.readOnly.bulk({ ...asked, change: { forget: true } }).ok).toBe(false);
  expect(t.readOnly.undoBulk({ first: 1, last: 1 }, testNowMs).ok).toBe(false);
});

test("a project changes with its history: every revision keeps the one it had", () => {
  using t = opened();
  const edit = (project: string | null) =>
    t.service.edit({ uri: uriOf(1), expected: null, project, nowMs: testNowMs + 1_000 });
  edit("git/ledger");
  edit(null);
  const id = t.store.nodes.byUri(uriOf(1))?.id ?? 0;
  expect(t.store.nodes.revisions(id).map(({ fields }) => fields.project)).toEqual([
    "git/shop",
    "git/ledger",
    null,
  ]);
});
