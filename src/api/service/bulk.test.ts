import { expect, test } from "bun:test";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";
import type { BulkJson } from "../forms-memory.ts";
import type { BulkAsk } from "./bulk.ts";

const many = 230;
const uriOf = (n: number): string => `mem://user/entities/thing-${n}`;

/** Two hundred and thirty memories of a project and one of another that wait for review; one preference holds. */
function opened(): TestService {
  const t = openTestService();
  t.store.transaction(() => {
    for (let n = 0; n < many; n += 1)
      t.add({
        uri: uriOf(n),
        l0: `Thing ${n} listens on port ${5_000 + n}`,
        project: "git/shop",
        status: "pending",
      });
    t.add({
      uri: "mem://user/entities/other",
      l0: "Other",
      project: "git/ledger",
      status: "pending",
    });
    t.add({ uri: "mem://user/preferences/pnpm", l0: "Uses pnpm", category: "preferences" });
  });
  return t;
}

const filter = {
  project: ["git/shop"],
  category: ["entities"],
  status: ["pending"],
  nowMs: testNowMs,
} as const;

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

const waiting = (t: TestService): number =>
  t.store.nodes.count({ projects: null, statuses: ["pending"] });
const statusOf = (t: TestService, uri: string) => t.store.nodes.byUri(uri)?.status;
const accept = { review: "accept" } as const;

test("all that match change slice by slice, others do not, and one undo takes all of it back", () => {
  using t = opened();
  const slices = bulk(t, { change: accept, of: { filter, except: [uriOf(7)] } });
  expect(slices.length).toBe(3);
  expect(sum(slices)).toBe(many - 1);
  expect(statusOf(t, uriOf(7))).toBe("pending");
  expect(statusOf(t, "mem://user/entities/other")).toBe("pending");
  expect(waiting(t)).toBe(2);
  expect(undo(t, slices)).toBe(many - 1);
  expect(waiting(t)).toBe(many + 1);
});

test("what was made after it began is not changed", () => {
  using t = opened();
  const ask = { of: { filter, except: [] }, change: accept, nowMs: testNowMs } as const;
  const first = t.service.bulk({ ...ask, cursor: null });
  t.add({ uri: uriOf(many), l0: "Came late", project: "git/shop", status: "pending" });
  for (let next = first.ok ? first.value.next : null; next !== null;) {
    const more = t.service.bulk({ ...ask, cursor: next });
    next = more.ok ? more.value.next : null;
  }
  expect(waiting(t)).toBe(2);
  expect(statusOf(t, uriOf(many))).toBe("pending");
});

test("an undo leaves alone what has changed since", () => {
  using t = opened();
  const slices = bulk(t, { of: { uris: [uriOf(1), uriOf(2)] }, change: accept });
  t.service.edit({ uri: uriOf(1), expected: null, l0: "Said anew", nowMs: testNowMs + 1_500 });
  expect(undo(t, slices)).toBe(1);
  const anew = t.service.read(uriOf(1), { use: false, nowMs: testNowMs });
  expect(anew.ok && anew.value).toMatchObject({ status: "active", l0: "Said anew" });
  expect(statusOf(t, uriOf(2))).toBe("pending");
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
  expect(waiting(t)).toBe(1);
  expect(t.store.nodes.isForgotten("Thing 3 listens on port 5003")).toBe(true);
  expect(t.store.nodes.byUri("mem://user/preferences/pnpm")).not.toBeNull();
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
