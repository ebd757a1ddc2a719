import { describe, expect, test } from "bun:test";
import { defaultSettings, type Candidate } from "#domain";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";
import type { ReviewJson } from "../forms-history.ts";

const page = { limit: 10, nowMs: testNowMs } as const;

const opened = (): TestService => {
  const t = openTestService();
  t.add({ uri: "mem://user/entities/known", l0: "Billing runs on port 5432" });
  t.add({
    uri: "mem://user/entities/billing-port",
    l0: "The billing service listens on port 5433",
    status: "pending",
    origin: "tool",
    evidence: [{ sessionId: "s1", turn: 1, line: null, quote: "listening on 5433" }],
  });
  return t;
};

const waiting = (t: TestService): readonly ReviewJson[] => {
  const inbox = t.service.inbox(page);
  if (!inbox.ok) throw new Error(inbox.error.type);
  return inbox.value.items;
};

const idOf = (t: TestService): number => waiting(t)[0]?.id ?? 0;

test("what waits is shown with its words and what is like it, and does nothing until then", () => {
  using t = opened();
  expect(t.service.inbox(page)).toMatchObject({ ok: true, value: { total: 1, next_cursor: null } });
  expect(waiting(t)).toMatchObject([
    {
      l0: "The billing service listens on port 5433",
      reason: "given",
      evidence: [{ quote: "listening on 5433" }],
      similar: [{ uri: "mem://user/entities/known" }],
    },
  ]);
  expect(t.store.nodes.count({})).toBe(1);
});

test("accepted, it is a memory like any other", () => {
  using t = opened();
  const reviewed = t.service.review({ id: idOf(t), action: "accept", nowMs: testNowMs });
  expect(reviewed).toMatchObject({
    ok: true,
    value: { action: "accepted", memory: { status: "active", origin: "tool" } },
  });
  expect(waiting(t)).toEqual([]);
  expect(t.store.nodes.count({})).toBe(2);
});

test("accepted, it ends what it would replace, also where that waits", () => {
  using t = opened();
  const old = waiting(t)[0];
  const created = { atMs: testNowMs, action: "create", by: "model" } as const;
  const { id } = t.store.nodes.insert(
    {
      uri: "mem://user/entities/new-port",
      l0: "The billing service listens on port 6000",
      category: "entities",
      project: null,
      origin: "agent",
      maker: "extract",
      status: "pending",
    },
    { ...created, reason: "refused", about: { what: "replaces", uris: [old?.uri ?? ""] } },
  );
  expect(t.service.review({ id, action: "accept", nowMs: testNowMs })).toMatchObject({ ok: true });
  expect(waiting(t)).toEqual([]);
  expect(t.store.nodes.byId(old?.id ?? 0)?.status).toBe("superseded");
});

test("it can be changed while it is accepted, in one step", () => {
  using t = opened();
  const edit = { l0: "Billing listens on 6000", importance: 5, category: "cases" } as const;
  const reviewed = t.service.review({ id: idOf(t), action: "accept", edit, nowMs: testNowMs });
  expect(reviewed).toMatchObject({
    value: {
      memory: { l0: "Billing listens on 6000", importance: 5, category: "cases", origin: "user" },
    },
  });
  const node = t.store.nodes.byUri("mem://agent/cases/billing-port");
  expect(t.store.nodes.revisions(node?.id ?? 0).map(({ action }) => action)).toEqual([
    "create",
    "accept",
  ]);
});

test("rejected, it is gone and not proposed again; undone, it waits again and may be learnt", () => {
  using t = opened();
  const reviewed = t.service.review({ id: idOf(t), action: "reject", nowMs: testNowMs });
  expect(reviewed).toMatchObject({
    value: { action: "rejected", memory: { status: "retracted" } },
  });
  expect(waiting(t)).toEqual([]);
  const texts = ["The billing service listens on port 5433", "listening on 5433"];
  expect(texts.map(t.store.nodes.isForgotten)).toEqual([true, true]);
  const uri = "mem://user/entities/billing-port";
  t.service.revert({ uri, revision: null, expected: null, nowMs: testNowMs });
  expect(waiting(t).length).toBe(1);
  expect(texts.map(t.store.nodes.isForgotten)).toEqual([false, false]);
});

test("accepting is undone as well", () => {
  using t = opened();
  t.service.review({ id: idOf(t), action: "accept", nowMs: testNowMs });
  const uri = "mem://user/entities/billing-port";
  t.service.revert({ uri, revision: null, expected: null, nowMs: testNowMs });
  expect(waiting(t).length).toBe(1);
});

test("only what waits can be decided, and an edit that is refused decides nothing", () => {
  using t = opened();
  const known = t.store.nodes.byUri("mem://user/entities/known")?.id ?? 0;
  for (const id of [known, 0, 999_999])
    expect(t.service.review({ id, action: "reject", nowMs: testNowMs })).toEqual({
      ok: false,
      error: { type: "review.not-found", id },
    });
  const empty = t.service.review({ id: idOf(t), action: "accept", edit: { l0: " " }, nowMs: 1 });
  expect(empty).toMatchObject({ error: { type: "memory.empty" } });
  expect(waiting(t).length).toBe(1);
  const uri = "mem://user/entities/billing-port";
  const status = t.service.edit({ uri, expected: null, status: "active", nowMs: 1 });
  expect(status).toMatchObject({ error: { type: "memory.pending" } });
});

test("forgetting what waits leaves nothing of it", () => {
  using t = opened();
  t.service.forget(["mem://user/entities/billing-port"], testNowMs);
  expect(waiting(t)).toEqual([]);
  expect(t.store.nodes.count({ statuses: ["pending", "retracted"] })).toBe(0);
});

const candidate = (origin: "user" | "agent" | "tool", l0: string): Candidate => ({
  category: "entities",
  uriHint: l0,
  l0,
  l1: null,
  l2: null,
  importance: 3,
  tags: [],
  files: [],
  aliases: [],
  project: null,
  origin,
  maker: "stop",
  evidence: { sessionId: "s1", turn: 1, line: null, quote: l0 },
  branch: null,
  atMs: testNowMs,
});

test.each([
  { hold: "off", held: [] },
  { hold: "tool", held: ["tool"] },
  { hold: "inferred", held: ["agent", "tool"] },
] as const)("with review.hold = $hold these wait: $held", ({ hold, held }) => {
  using t = openTestService({ ...defaultSettings, review: { hold } });
  t.worker.remember(candidate("user", "The kitchen closes at nine"), "job");
  t.worker.remember(candidate("agent", "Invoices are numbered by year"), "job");
  t.worker.remember(candidate("tool", "The proxy listens on port 8443"), "job");
  expect(
    waiting(t)
      .map(({ origin }) => origin)
      .toSorted(),
  ).toEqual([...held]);
  expect(t.store.nodes.count({})).toBe(3 - held.length);
});

test("what is held changes nothing that is known, is proposed once, and not again when rejected", () => {
  using t = openTestService({ ...defaultSettings, review: { hold: "inferred" } });
  t.add({ uri: "mem://user/entities/proxy-port", l0: "The proxy listens on port 8443" });
  const changed = candidate("agent", "The proxy listens on port 9443");
  for (const by of ["job-1", "job-1"]) t.worker.remember(changed, by);
  expect(waiting(t).length).toBe(1);
  expect(t.store.nodes.byUri("mem://user/entities/proxy-port")?.status).toBe("active");
  t.service.review({ id: idOf(t), action: "reject", nowMs: testNowMs });
  t.worker.remember(changed, "job-2");
  expect(waiting(t)).toEqual([]);
});

describe("an order that may have replaced an older one", () => {
  const open = () => {
    const t = openTestService(defaultSettings);
    const say = (l0: string, atMs: number) =>
      t.worker.remember({ ...candidate("user", l0), maker: "manual", atMs }, "user").node;
    const older = say("the CI runner is called mars", testNowMs - 1_000);
    const newer = say("the CI runner is called venus", testNowMs);
    const pairs = () => {
      const inbox = t.service.inbox(page);
      return inbox.ok ? inbox.value.contradicted : [];
    };
    /** Open pairs as the page of the older one shows them. */
    const contradictions = () => {
      const read = t.service.read(older?.uri ?? "", { use: false, nowMs: testNowMs });
      return read.ok ? read.value.links.filter(({ relation }) => relation === "contradicts") : null;
    };
    return {
      ...t,
      t,
      older,
      newer,
      pairs,
      contradictions,
      [Symbol.dispose]: () => t[Symbol.dispose](),
    };
  };

  test("stands in review with both texts, and both are in force", () => {
    using one = open();
    expect(one.pairs()).toMatchObject([
      { l0: "the CI runner is called mars", contradicted: { id: one.older?.id } },
    ]);
    expect(one.contradictions()).toMatchObject([{ uri: one.newer?.uri, direction: "from" }]);
    const listed = one.t.service.list({
      sort: "recent",
      archive: false,
      expired: false,
      nowMs: testNowMs,
    });
    expect(listed.ok && listed.value.items).toMatchObject([
      { uri: one.newer?.uri, superseded_by: null },
      { uri: one.older?.uri, superseded_by: one.newer?.uri },
    ]);
    expect(one.store.nodes.byId(one.older?.id ?? 0)?.status).toBe("active");
    expect(one.store.nodes.byId(one.newer?.id ?? 0)?.status).toBe("active");
  });

  test.each([
    ["accept", "superseded"],
    ["reject", "active"],
  ] as const)("%s leaves the older one %s, and the pair is settled", (action, status) => {
    using one = open();
    const id = one.older?.id ?? 0;
    expect(one.service.review({ id, action, nowMs: testNowMs }).ok).toBe(true);
    expect(one.store.nodes.byId(id)?.status).toBe(status);
    expect(one.pairs()).toEqual([]);
    expect(one.contradictions()).toEqual([]);
    expect(one.service.review({ id, action, nowMs: testNowMs }).ok).toBe(false);
  });

  test.each(["accept", "reject"] as const)(
    "%s is undone and done again, as often as one likes",
    (action) => {
      using one = open();
      const id = one.older?.id ?? 0;
      const state = () => [one.store.nodes.byId(id)?.status, one.pairs().length];
      const before = state();
      one.service.review({ id, action, nowMs: testNowMs + 1 });
      const settled = state();
      expect(settled).not.toEqual(before);
      for (let n = 2; n < 6; n += 1) {
        expect(one.service.undo(testNowMs + n)).toMatchObject({
          ok: true,
          value: { undone: 1, kept: 0 },
        });
        expect(state()).toEqual(n % 2 === 0 ? before : settled);
      }
      const uri = one.older?.uri ?? "";
      one.service.revert({ uri, revision: null, expected: null, nowMs: testNowMs + 9 });
      expect(state()).toEqual(before);
    },
  );
});
