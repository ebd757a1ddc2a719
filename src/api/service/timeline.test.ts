import { expect, test } from "bun:test";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";
import type { TimelineItemJson, TimelineJson } from "../forms-search.ts";
import type { TimelineAsk } from "./timeline.ts";

const minute = 60_000;

/** Two sessions in two projects: a turn each ten minutes, a memory five minutes after each. */
function opened(turns = 4): TestService {
  const t = openTestService();
  for (let n = 0; n < turns; n += 1) {
    const sessionId = n % 2 === 0 ? "even" : "odd";
    const atMs = testNowMs + n * 10 * minute;
    t.store.sessions.upsert({
      sessionId,
      project: `github.com/acme/${sessionId}`,
      projectName: sessionId,
      atMs,
    });
    const turn = t.store.sessions.openTurn({
      sessionId,
      promptId: `p${n}`,
      prompt: `Prompt ${n}`,
      atMs,
    });
    t.store.sessions.updateTurn(turn.id, {
      status: "closed",
      answer: `Answer ${n}`,
      endedAt: atMs + minute,
    });
    t.store.nodes.insert(
      {
        uri: `mem://user/entities/m${n}`,
        category: "entities",
        project: `github.com/acme/${sessionId}`,
        origin: "user",
        maker: "stop",
        l0: `Memory ${n}`,
        sourceSession: sessionId,
      },
      { atMs: atMs + 5 * minute, action: "create", by: "test", reason: "given" },
    );
  }
  return t;
}

const ask = (t: TestService, over: Partial<TimelineAsk>): TimelineJson => {
  const found = t.service.timeline({
    limit: 40,
    nowMs: testNowMs,
    ...over,
  });
  if (!found.ok) throw new Error(found.error.type);
  return found.value;
};

const told = (items: readonly TimelineItemJson[]): readonly string[] =>
  items.map(({ title }) => title);

test("what happened stands in order, with where and what", () => {
  using t = opened(2);
  const { items, around, earlier, later } = ask(t, { around: `${testNowMs + 10 * minute}` });
  expect(told(items)).toEqual([
    "Prompt 0",
    "Answer 0",
    "Memory 0",
    "Prompt 1",
    "Answer 1",
    "Memory 1",
  ]);
  expect([around, earlier, later]).toEqual([testNowMs + 10 * minute, null, null]);
  expect(items[2]).toEqual({
    kind: "memory",
    at: testNowMs + 5 * minute,
    session_id: "even",
    turn: null,
    project: "github.com/acme/even",
    uri: "mem://user/entities/m0",
    status: "active",
    title: "Memory 0",
    text: null,
  });
});

test("a memory that was replaced since says so", () => {
  using t = opened(1);
  const { id } = t.store.nodes.byUri("mem://user/entities/m0")!;
  t.store.nodes.update(
    id,
    { status: "superseded" },
    { atMs: testNowMs + 9 * minute, action: "supersede", by: "test", reason: "newer" },
  );
  const { items } = ask(t, { around: `${testNowMs + 10 * minute}` });
  expect(items.map(({ status }) => status)).toEqual([null, null, "superseded"]);
});

test.each([
  { around: "mem://user/entities/m1", at: testNowMs + 15 * minute },
  { around: "odd/1", at: testNowMs + 10 * minute },
  { around: "sessions/even/turns/2", at: testNowMs + 20 * minute },
  { around: "odd", at: testNowMs + 10 * minute },
  { around: "2026-09-15T10:30:00Z", at: Date.parse("2026-09-15T10:30:00Z") },
])("$around is a moment", ({ around, at }) => {
  using t = opened();
  expect(ask(t, { around }).around).toBe(at);
});

test.each(["yesterday-ish", "even/99", "mem://user/entities/none"])("%s is no moment", (around) => {
  using t = opened();
  const nowMs = testNowMs;
  const found = t.service.timeline({
    around,
    limit: 4,
    nowMs,
  });
  expect(found.ok).toBe(false);
});

test("a page is around the moment, and leads both ways without a gap or a double", () => {
  using t = opened(10);
  const all = told(ask(t, { limit: 200 }).items);
  expect(all.length).toBe(30);
  const middle = ask(t, { around: "mem://user/entities/m5", limit: 6 });
  const found = [...told(middle.items)];
  expect(found).toContain("Memory 5");
  for (let { earlier } = middle; earlier !== null;) {
    const page = ask(t, { cursor: earlier, limit: 4 });
    found.unshift(...told(page.items));
    earlier = page.earlier;
  }
  for (let { later } = middle; later !== null;) {
    const page = ask(t, { cursor: later, limit: 4 });
    found.push(...told(page.items));
    later = page.later;
  }
  expect(found).toEqual([...all]);
});

test("things of the same moment keep their order over pages", () => {
  using t = openTestService();
  t.store.sessions.upsert({ sessionId: "s", atMs: testNowMs });
  for (let n = 0; n < 5; n += 1) {
    t.store.sessions.openTurn({
      sessionId: "s",
      promptId: `p${n}`,
      prompt: `P${n}`,
      atMs: testNowMs,
    });
    t.add({ uri: `mem://user/entities/m${n}`, l0: `M${n}` });
  }
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page: TimelineJson = ask(t, {
      around: `${testNowMs}`,
      ...(cursor === null ? {} : { cursor }),
      limit: 3,
    });
    found.push(...told(page.items));
    cursor = page.later;
  } while (cursor !== null);
  expect(found).toEqual(["P0", "P1", "P2", "P3", "P4", "M0", "M1", "M2", "M3", "M4"]);
});

test("projects and kinds filter, and a private prompt has no words", () => {
  using t = opened();
  expect(told(ask(t, { project: ["odd"], kind: ["memory"] }).items)).toEqual([
    "Memory 1",
    "Memory 3",
  ]);
  t.store.sessions.openTurn({ sessionId: "odd", promptId: "x", prompt: null, atMs: testNowMs });
  const prompts = ask(t, { kind: ["prompt"] }).items;
  expect(prompts.slice(0, 2).map(({ title, text }) => [title, text])).toEqual([
    ["Prompt 0", "Prompt 0"],
    ["", null],
  ]);
});

test("a session's own timeline begins at its beginning and holds nothing else", () => {
  using t = opened(6);
  const first = t.service.sessionTimeline("odd", { limit: 4, cursor: null });
  if (!first.ok) throw new Error(first.error.type);
  expect(told(first.value.items)).toEqual(["Prompt 1", "Answer 1", "Memory 1", "Prompt 3"]);
  expect(first.value.earlier).toBeNull();
  const rest = t.service.sessionTimeline("odd", { limit: 40, cursor: first.value.later });
  expect(rest.ok && told(rest.value.items)).toEqual([
    "Answer 3",
    "Memory 3",
    "Prompt 5",
    "Answer 5",
    "Memory 5",
  ]);
  expect(t.service.sessionTimeline("none", { limit: 4, cursor: null })).toMatchObject({
    error: { type: "session.not-found" },
  });
});

test.each(["x", "e1", "e1.2", "e1.99.3", "l1.x.3", "o10"])(
  "%s is no cursor of a timeline",
  (cursor) => {
    using t = openTestService();
    const found = t.service.timeline({
      limit: 4,
      cursor,
      nowMs: 1,
    });
    expect(found).toEqual({ ok: false, error: { type: "cursor.invalid" } });
  },
);
