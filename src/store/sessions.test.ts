import { expect, test } from "bun:test";
import type { Store, ToolUse } from "#domain";
import { noonMs, tempStore } from "../../test/support/store.ts";
import { toolUsesPerSessionMax } from "./turns.ts";

const all = { limit: 100 };

const toolUse = (over: Partial<Omit<ToolUse, "id">> = {}): Omit<ToolUse, "id"> => ({
  sessionId: "s",
  turn: 1,
  toolUseId: "t1",
  tool: "Bash",
  target: "bun test",
  files: ["a.ts"],
  outcome: "ok",
  text: "3 pass",
  atMs: noonMs,
  agentId: null,
  ...over,
});

const open = (store: Store, prompt: string | null, promptId: string | null = null) =>
  store.sessions.openTurn({ sessionId: "s", promptId, prompt, atMs: noonMs });

test("a session is made once; null and absent fields leave what is there", () => {
  using store = tempStore();
  store.sessions.upsert({
    sessionId: "s",
    project: "p",
    projectName: "Pay",
    title: "First",
    atMs: 5,
  });
  const after = store.sessions.upsert({ sessionId: "s", title: null, branch: "main", atMs: 9 });
  expect(after).toEqual({
    sessionId: "s",
    project: "p",
    projectName: "Pay",
    branch: "main",
    cwd: null,
    title: "First",
    firstPrompt: null,
    status: "active",
    startedAt: 5,
    endedAt: null,
    lastEventAt: 9,
    parentSession: null,
    transcriptPath: null,
  });
  expect(store.sessions.count()).toBe(1);
});

test("a late event moves no time back", () => {
  using store = tempStore();
  store.sessions.upsert({ sessionId: "s", atMs: 50 });
  expect(store.sessions.upsert({ sessionId: "s", atMs: 20 })).toMatchObject({
    startedAt: 50,
    lastEventAt: 50,
  });
});

test("an end is kept until it is cleared", () => {
  using store = tempStore();
  store.sessions.upsert({ sessionId: "s", atMs: 1, status: "completed", endedAt: 8 });
  expect(store.sessions.upsert({ sessionId: "s", atMs: 2 })).toMatchObject({
    status: "completed",
    endedAt: 8,
  });
  expect(
    store.sessions.upsert({ sessionId: "s", atMs: 3, status: "active", endedAt: null }),
  ).toMatchObject({ status: "active", endedAt: null });
});

test("projects are known by name, with their sessions", () => {
  using store = tempStore();
  store.sessions.upsert({
    sessionId: "a",
    project: "github.com/acme/api",
    projectName: "api",
    atMs: 1,
  });
  store.sessions.upsert({ sessionId: "b", project: "github.com/acme/api", atMs: 1 });
  expect(store.admin.projects()).toEqual([
    { key: "github.com/acme/api", name: "api", sessions: 2 },
  ]);
});

test("sessions are listed newest first, by project and status", () => {
  using store = tempStore();
  store.sessions.upsert({ sessionId: "a", project: "p", atMs: 1 });
  store.sessions.upsert({ sessionId: "b", project: "q", atMs: 2, status: "completed" });
  store.sessions.upsert({ sessionId: "c", atMs: 3 });
  const ids = (filter: Parameters<Store["sessions"]["list"]>[0]): readonly string[] =>
    store.sessions.list(filter, all).map(({ sessionId }) => sessionId);
  expect(ids({ projects: null })).toEqual(["c", "b", "a"]);
  expect(ids({ projects: ["p", "q"] })).toEqual(["b", "a"]);
  expect(ids({ projects: null, status: "completed" })).toEqual(["b"]);
});

test("turns count from one per session, and the latest is current whether open or not", () => {
  using store = tempStore();
  expect(store.sessions.currentTurn("s")).toBeNull();
  expect(open(store, "one", "p1")).toMatchObject({ n: 1, status: "open", prompt: "one" });
  const second = open(store, "two", "p2");
  store.sessions.openTurn({ sessionId: "other", promptId: null, prompt: "x", atMs: 1 });
  store.sessions.updateTurn(second.id, { status: "closed", endedAt: 9, answer: "done" });
  expect(store.sessions.currentTurn("s")).toMatchObject({ n: 2, status: "closed", answer: "done" });
  expect(store.sessions.turnByPromptId("s", "p1")?.n).toBe(1);
  expect(store.sessions.turnByPromptId("other", "p1")).toBeNull();
  expect(store.sessions.turn("s", 1)?.prompt).toBe("one");
  expect(store.sessions.turns("s").map(({ n }) => n)).toEqual([1, 2]);
  expect(store.sessions.turnsBefore("s", 2, 5).map(({ n }) => n)).toEqual([1]);
});

test("the files of a turn are united, its other fields replaced", () => {
  using store = tempStore();
  const turn = open(store, "one");
  store.sessions.updateTurn(turn.id, { filesRead: ["a", "b"], toolCount: 1 });
  expect(store.sessions.updateTurn(turn.id, { filesRead: ["b", "c"], toolCount: 2 })).toMatchObject(
    {
      filesRead: ["a", "b", "c"],
      filesEdited: [],
      toolCount: 2,
    },
  );
  expect(store.sessions.turn("s", 1)).toMatchObject({ filesRead: ["a", "b", "c"], toolCount: 2 });
});

test("a prompt is searchable, a private one is not there at all", () => {
  using store = tempStore();
  store.sessions.upsert({ sessionId: "s", project: "p", atMs: 1 });
  const turn = open(store, "Why is the parseConfig slow?");
  open(store, null);
  const hits = store.lexical.match("prompt", ["parse_config"], { projects: ["p"] }, 5);
  expect(hits.map(({ id }) => id)).toEqual([turn.id]);
  expect(store.lexical.match("prompt", ["slow"], { projects: ["q"] }, 5)).toEqual([]);
  const { id, sessionId, n, prompt, startedAt } = turn;
  expect(store.sessions.promptsByIds([id, 99])).toEqual([
    { id, sessionId, n, prompt, startedAt, project: "p" },
  ]);
});

test("a prompt that grows is searched by what it says now", () => {
  using store = tempStore();
  const turn = open(store, "first words");
  store.sessions.updateTurn(turn.id, { prompt: "second thoughts", line: 12 });
  const find = (term: string): number =>
    store.lexical.match("prompt", [term], { projects: null }, 5).length;
  expect([find("words"), find("thoughts")]).toEqual([0, 1]);
  expect(store.sessions.turn("s", 1)).toMatchObject({ prompt: "second thoughts", line: 12 });
});

test("a tool use counts once per id; those without an id always count", () => {
  using store = tempStore();
  expect(store.sessions.addToolUse(toolUse())).toBe(true);
  expect(store.sessions.addToolUse(toolUse())).toBe(false);
  expect(store.sessions.addToolUse(toolUse({ sessionId: "other" }))).toBe(true);
  expect(store.sessions.addToolUse(toolUse({ toolUseId: null }))).toBe(true);
  expect(store.sessions.addToolUse(toolUse({ toolUseId: null, turn: 2 }))).toBe(true);
  expect(store.sessions.toolUses("s", null)).toHaveLength(3);
  expect(store.sessions.toolUses("s", 1)[0]).toEqual({ id: 1, ...toolUse() });
});

test("a session keeps its latest 5,000 tool uses and no more", () => {
  using store = tempStore();
  store.transaction(() => {
    for (let i = 0; i < toolUsesPerSessionMax + 10; i += 1)
      store.sessions.addToolUse(toolUse({ toolUseId: `t${i}`, target: `${i}` }));
  });
  const kept = store.sessions.toolUses("s", null);
  expect(kept).toHaveLength(toolUsesPerSessionMax);
  expect(kept[0]?.target).toBe("10");
});

test("quiet sessions are those still active, or with an open turn, whose last event is old", () => {
  using store = tempStore();
  store.sessions.upsert({ sessionId: "old", atMs: 1 });
  store.sessions.upsert({ sessionId: "new", atMs: 100 });
  store.sessions.upsert({ sessionId: "ended", atMs: 1, status: "completed" });
  store.sessions.upsert({ sessionId: "s", atMs: 2, status: "completed" });
  const turn = store.sessions.openTurn({ sessionId: "s", promptId: null, prompt: "x", atMs: 2 });
  const quiet = (): readonly string[] =>
    store.sessions.quietSince(50, 10).map(({ sessionId }) => sessionId);
  expect(quiet()).toEqual(["s", "old"]);
  store.sessions.updateTurn(turn.id, { status: "closed" });
  expect(quiet()).toEqual(["old"]);
});

test("a compaction summary and a transcript's offset are kept", () => {
  using store = tempStore();
  expect(store.sessions.compactSummary("s")).toBeNull();
  store.sessions.saveCompactSummary("s", "We were at step 3", noonMs);
  expect(store.sessions.compactSummary("s")).toBe("We were at step 3");
  expect(store.sessions.transcriptOffset("/t.jsonl")).toEqual({ bytes: 0, lines: 0 });
  store.sessions.saveTranscriptOffset("/t.jsonl", "s", { bytes: 10, lines: 1 }, noonMs);
  store.sessions.saveTranscriptOffset("/t.jsonl", "s", { bytes: 20, lines: 2 }, noonMs);
  expect(store.sessions.transcriptOffset("/t.jsonl")).toEqual({ bytes: 20, lines: 2 });
  expect(store.sessions.recordCounts()).toEqual({ turns: 0, checkpoints: 0 });
});

test("a turn from elsewhere is added once, in its place, and its prompt is found", () => {
  using store = tempStore();
  store.sessions.upsert({ sessionId: "s", atMs: noonMs });
  const turn = {
    sessionId: "s",
    n: 1,
    promptId: null,
    line: 7,
    status: "closed",
    startedAt: noonMs,
    endedAt: noonMs + 5,
    prompt: "where do the gulls nest",
    answer: "on the pier",
    toolCount: 2,
    filesRead: ["a.ts"],
    filesEdited: [],
  } as const;
  expect(store.sessions.addTurn({ ...turn, n: 2 })).toBe("gap");
  expect(store.sessions.addTurn(turn)).toBe("added");
  expect(store.sessions.addTurn({ ...turn, prompt: "other" })).toBe("there");
  expect(store.sessions.turns("s")).toEqual([{ ...turn, id: 1 }]);
  expect(store.lexical.match("prompt", ["gulls"], null, 5)).toHaveLength(1);
  expect(store.sessions.addTurn({ ...turn, n: 2, prompt: null })).toBe("added");
});
