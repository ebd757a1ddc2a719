import { expect, test } from "bun:test";
import { nodeStatuses, type MemoryNode } from "#domain";
import { msPerDay } from "#kit";
import { leavesAsOf } from "./restore.ts";
import {
  openTestService,
  slotted,
  testNowMs,
  type TestService,
} from "../../../test/support/service.ts";

const uri = "mem://user/preferences/packages";

const nodesOf = (t: TestService): readonly MemoryNode[] =>
  t.store.nodes.list({ statuses: [...nodeStatuses] }, "uri", { limit: 1_000 });

const shown = ({ uri: place, l0, l1, status, pinned, tags, category }: MemoryNode) =>
  JSON.stringify({ place, l0, l1, status, pinned, tags, category });

const all = (t: TestService): readonly string[] => nodesOf(t).map(shown).toSorted();

/** Returns how all memories stood at a time. */
const listed = (t: TestService, atMs: number): readonly string[] =>
  [...leavesAsOf(t.store, atMs)]
    .flatMap(({ past }) => past ?? [])
    .map(shown)
    .toSorted();

/** The same numbers each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

interface Moment {
  readonly atMs: number;
  readonly all: readonly string[];
}

/** Changes of every kind, a minute apart; how all stood after each. */
function live(t: TestService, changes: number, seed: number): readonly Moment[] {
  const below = numbers(seed);
  const moments: Moment[] = [];
  for (let n = 0; n < changes; n += 1) {
    t.clock.advance(60_000 + below(3) * 1_000);
    change(t, n, below);
    moments.push({ atMs: t.clock.nowMs(), all: all(t) });
  }
  return moments;
}

function change(t: TestService, n: number, below: (most: number) => number): void {
  const nowMs = t.clock.nowMs();
  const nodes = nodesOf(t);
  const node = nodes[below(Math.max(1, nodes.length))];
  const kind = node === undefined ? 0 : below(8);
  const edit = (what: object): unknown =>
    t.service.edit({ uri: node?.uri ?? "", expected: null, nowMs, ...what });
  if (kind <= 1)
    t.add({
      uri: `mem://user/entities/thing-${n}`,
      l0: `Thing ${n} stands in hall ${below(90)}`,
    });
  else if (kind === 2) edit({ l0: `${node?.l0.split(",")[0]}, moved ${n} times` });
  else if (kind === 3) edit({ l1: `More about ${n}`, tags: [`t${below(4)}`] });
  else if (kind === 4) edit({ pinned: node?.pinned !== true });
  else if (kind === 5) edit({ status: node?.status === "active" ? "retracted" : "active" });
  else if (kind === 6) t.service.undo(nowMs);
  else edit({ category: below(2) === 0 ? "events" : "entities" });
}

test("every moment of a long history is known as it was", () => {
  using t = openTestService();
  const moments = live(t, 200, 7);
  for (const moment of moments) expect(listed(t, moment.atMs)).toEqual(moment.all);
  const last = moments.at(-1);
  expect(last?.all.length).toBeGreaterThan(20);
});

test("all goes back to any moment, and one undo brings everything back", () => {
  using t = openTestService();
  const moments = live(t, 120, 11);
  const before = all(t);
  const places = (lines: readonly string[]): readonly string[] =>
    lines.filter((line) => !line.includes('"retracted"'));
  for (const at of [15, 60, 100]) {
    const moment = moments[at];
    if (moment === undefined) throw new Error("no such moment");
    t.clock.advance(1_000);
    const restored = t.service.restoreAsOf({
      atMs: moment.atMs,
      of: { all: true },
      isDry: false,
      nowMs: t.clock.nowMs(),
    });
    expect(restored).toMatchObject({ ok: true, value: { is_applied: true } });
    expect(places(all(t))).toEqual(places(moment.all));
    t.clock.advance(1_000);
    t.service.undo(t.clock.nowMs());
    expect(all(t)).toEqual(before);
  }
});

test("a look at what a restore would change changes nothing", () => {
  using t = openTestService();
  t.add({ uri, l0: "Use npm", category: "preferences" });
  t.service.edit({ uri, expected: null, l0: "Use pnpm", nowMs: testNowMs + 10 });
  const ask = { atMs: testNowMs + 5, of: { uri }, isDry: true, nowMs: testNowMs + 20 } as const;
  expect(t.service.restoreAsOf(ask)).toEqual({
    ok: true,
    value: {
      as_of: testNowMs + 5,
      changed: 1,
      is_applied: false,
      items: [
        {
          uri,
          now: { l0: "Use pnpm", status: "active" },
          was: { l0: "Use npm", status: "active" },
        },
      ],
    },
  });
  expect(t.store.nodes.byUri(uri)?.l0).toBe("Use pnpm");
  t.service.restoreAsOf({ ...ask, isDry: false });
  expect(t.store.nodes.byUri(uri)?.l0).toBe("Use npm");
  expect(t.readOnly.restoreAsOf({ ...ask, isDry: false })).toMatchObject({ ok: false });
});

test("a project goes back alone; what it learnt since is retracted", () => {
  using t = openTestService();
  const [ours, theirs] = ["github.com/a/ours", "github.com/a/theirs"];
  const place = (key: string, name: string) => `mem://projects/${key}/entities/${name}`;
  t.store.sessions.upsert({ sessionId: "s", project: ours, projectName: "ours", atMs: testNowMs });
  for (const [n, key] of [ours, theirs].entries())
    t.add({ uri: place(key, "port"), l0: `The port is 80${n}1`, project: key });
  for (const key of [ours, theirs])
    t.service.edit({
      uri: place(key, "port"),
      expected: null,
      l0: "No port",
      nowMs: testNowMs + 5,
    });
  t.clock.advance(6);
  t.add({ uri: place(ours, "later"), l0: "Later", project: ours });
  const of = { project: ours };
  t.service.restoreAsOf({ atMs: testNowMs + 1, of, isDry: false, nowMs: testNowMs + 9 });
  expect(t.store.nodes.byUri(place(ours, "port"))?.l0).toBe("The port is 8001");
  expect(t.store.nodes.byUri(place(theirs, "port"))?.l0).toBe("No port");
  expect(t.store.nodes.byUri(place(ours, "later"))?.status).toBe("retracted");
});

test("what was forgotten stays forgotten, whatever time is asked for", () => {
  using t = openTestService();
  t.add({ uri, l0: "The pass phrase is heron", category: "preferences" });
  t.service.edit({ uri, expected: null, l0: "It is in the vault", nowMs: testNowMs + 10 });
  t.clock.advance(30);
  t.service.forget([uri], testNowMs + 20);
  expect(listed(t, testNowMs + 5)).toEqual([]);
});

test("a time to come, and a memory that had not been learnt, are refused in words", () => {
  using t = openTestService();
  t.add({ uri, l0: "Use npm", category: "preferences" });
  const nowMs = testNowMs + 10;
  const ask = { isDry: true, nowMs } as const;
  expect(t.service.restoreAsOf({ ...ask, atMs: nowMs + 1, of: { all: true } })).toEqual({
    ok: false,
    error: { type: "as-of.future" },
  });
  expect(t.service.restoreAsOf({ ...ask, atMs: testNowMs - 1, of: { uri } })).toEqual({
    ok: false,
    error: { type: "as-of.not-learnt", uri },
  });
});

test("a year later the history is smaller, and every moment of it is shown as before", () => {
  using t = openTestService();
  const moments = live(t, 60, 3);
  const first = nodesOf(t).find(({ status }) => status === "active");
  if (first === undefined) throw new Error("no memory is left");
  for (let n = 0; n < 20; n += 1) {
    t.clock.advance(1_000);
    const cause = {
      atMs: t.clock.nowMs(),
      action: "reinforce",
      by: "user",
      reason: "used",
    } as const;
    t.store.nodes.update(first.id, { evidenceCount: n + 2 }, cause);
  }
  const before = t.store.nodes.revisions(first.id).length;
  const compact = (beforeMs: number): number =>
    t.store.history.compact({ afterId: 0, beforeMs, limit: 1_000 }).dropped;
  t.clock.advance(366 * msPerDay);
  expect(compact(testNowMs)).toBe(0);
  expect(compact(t.clock.nowMs() - 365 * msPerDay)).toBeGreaterThanOrEqual(18);
  expect(compact(t.clock.nowMs() - 365 * msPerDay)).toBe(0);
  expect(t.store.nodes.revisions(first.id).length).toBeLessThanOrEqual(before - 18);
  expect(t.store.nodes.byId(first.id)?.evidenceCount).toBe(21);
  for (const moment of moments) expect(listed(t, moment.atMs)).toEqual(moment.all);
});

const kiln = "mem://user/entities/kiln";

test("a place that another memory has taken since is given back once, however often all is restored", () => {
  using t = openTestService();
  t.add({ uri: kiln, l0: "The kiln is hot" });
  const move = { uri: kiln, expected: null, category: "patterns" } as const;
  t.service.edit({ ...move, nowMs: testNowMs + 10 });
  t.clock.advance(20);
  t.add({ uri: kiln, l0: "The kiln has a new door" });
  const restore = (nowMs: number) =>
    t.service.restoreAsOf({ atMs: testNowMs + 5, of: { all: true }, isDry: false, nowMs });
  expect(restore(testNowMs + 30)).toMatchObject({ ok: true, value: { changed: 2 } });
  const places = all(t);
  for (const later of [40, 50]) expect(restore(testNowMs + later)).toMatchObject({ ok: true });
  expect(all(t)).toEqual(places);
});

test("two memories that once had neighbouring places never want the same one", () => {
  using t = openTestService();
  for (const place of [kiln, `${kiln}-2`]) t.add({ uri: place, l0: `At ${place}` });
  for (const place of [kiln, `${kiln}-2`])
    t.service.edit({ uri: place, expected: null, category: "patterns", nowMs: testNowMs + 10 });
  t.clock.advance(20);
  t.add({ uri: kiln, l0: "Another kiln" });
  const of = { all: true } as const;
  const ask = { atMs: testNowMs + 5, of, isDry: false, nowMs: testNowMs + 30 };
  expect(t.service.restoreAsOf(ask)).toMatchObject({ ok: true, value: { is_applied: true } });
  const active = nodesOf(t).filter(({ status }) => status === "active");
  expect(active.map(({ l0 }) => l0).toSorted()).toEqual([`At ${kiln}`, `At ${kiln}-2`]);
});

test("one value that is restored ends the one that holds now, and a look says so", () => {
  using t = openTestService();
  const say = (text: string, atMs: number) =>
    t.worker.remember(slotted(text, testNowMs + atMs), "user");
  t.add({ uri, l0: "The staging database listens on port 5433", slot: "staging database · port" });
  t.clock.advance(100);
  say("The staging database now listens on port 6000", 100);
  const states = () => nodesOf(t).map(({ l0, status }) => `${/\d+$/.exec(l0)?.[0]} ${status}`);
  expect(states().toSorted()).toEqual(["5433 superseded", "6000 active"]);
  const ask = { atMs: testNowMs + 50, of: { uri }, nowMs: testNowMs + 200 } as const;
  expect(t.service.restoreAsOf({ ...ask, isDry: true })).toMatchObject({ value: { changed: 2 } });
  t.service.restoreAsOf({ ...ask, isDry: false });
  expect(states().toSorted()).toEqual(["5433 active", "6000 superseded"]);
});

test("a memory is named by the address that it had", () => {
  using t = openTestService();
  t.add({ uri: kiln, l0: "The kiln is hot" });
  t.service.edit({ uri: kiln, expected: null, category: "patterns", nowMs: testNowMs + 10 });
  const ask = { atMs: testNowMs + 5, of: { uri: kiln }, isDry: false, nowMs: testNowMs + 20 };
  expect(t.service.restoreAsOf(ask)).toMatchObject({ ok: true, value: { changed: 1 } });
  expect(t.store.nodes.byUri(kiln)?.l0).toBe("The kiln is hot");
});

test("a team's memory, a directory, and records are not restored", () => {
  using t = openTestService();
  t.add({ uri: kiln, l0: "The kiln is hot", origin: "team" });
  const ask = { atMs: testNowMs, isDry: false, nowMs: testNowMs + 20 };
  expect(t.service.restoreAsOf({ ...ask, of: { uri: kiln } })).toEqual({
    ok: false,
    error: { type: "as-of.of-team", uri: kiln },
  });
  expect(t.service.restoreAsOf({ ...ask, of: { uri: "mem://user" } })).toMatchObject({
    error: { type: "memory.is-directory" },
  });
});

test("a first wording that was forgotten is not replaced by a later one", () => {
  using t = openTestService();
  t.add({ uri: kiln, l0: "The vault code word is Heliotrope" });
  t.service.edit({ uri: kiln, expected: null, l0: "The vault is here", nowMs: testNowMs + 10 });
  t.add({ uri: `${kiln}-b`, l0: "The vault code word is Heliotrope" });
  t.clock.advance(100);
  t.service.forget([`${kiln}-b`], testNowMs + 20);
  expect(listed(t, testNowMs + 5).join("")).not.toContain("The vault is here");
  t.service.undo(testNowMs + 30);
  expect(t.store.nodes.byUri(kiln)?.status).toBe("active");
});
