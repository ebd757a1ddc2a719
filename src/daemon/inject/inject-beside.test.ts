/** Tests what a subagent and a tool are given, and above all what they are not. */
import { expect, test } from "bun:test";
import { anchorText, defaultSettings, type Settings } from "#domain";
import { openTestWorker, testProject, type TestWorker } from "../../../test/support/worker.ts";

const failure = "make: fatal: plotter spool lock EPLOTLOCK is held";
const cure = "EPLOTLOCK of the plotter spool: delete /var/lock/plotter, then start again";

const fail = (t: TestWorker, id: string, text = failure, over: object = {}): string =>
  t.send("tool", "PostToolUseFailure", {
    hook_event_name: "PostToolUseFailure",
    tool_name: "Bash",
    tool_input: { command: "make plot" },
    tool_use_id: id,
    error: text,
    ...over,
  });

const open = (t: TestWorker, id: string, path: string, over: object = {}): string =>
  t.send("tool", "PostToolUse", {
    tool_name: "Read",
    tool_input: { file_path: path },
    tool_use_id: id,
    ...over,
  });

const anchored = (t: TestWorker, l0: string, path: string, over = {}): number => {
  const node = t.remember(l0, over);
  if (node === null) throw new Error("not remembered");
  const anchor = { path, symbol: null, hash: "", commit: null, movedTo: null, branch: null };
  t.store.nodes.anchor(node.id, [anchorText({ ...anchor, state: "fresh" })]);
  return node.id;
};

const withInject = (inject: Partial<Settings["inject"]>): { readonly settings: Settings } => ({
  settings: { ...defaultSettings, inject: { ...defaultSettings.inject, ...inject } },
});

test("a failure that a memory tells of is answered with it, once a session", () => {
  using t = openTestWorker();
  t.remember(cure, { category: "cases" });
  t.submit("good morning", "p-1");
  const text = fail(t, "t-1");
  expect(text).toContain("Met before in this project");
  expect(text).toContain("delete /var/lock/plotter");
  expect(fail(t, "t-2")).toBe("");
  const [given] = t.store.exposure.injections("s-1", 5);
  expect(given).toMatchObject({ channel: "tool", cause: "failure", text });
});

test("a failure of the same words elsewhere, or of no memory, is met with silence", () => {
  using t = openTestWorker();
  t.remember(cure, { category: "cases", project: "github.com/other/repo" });
  t.remember("Use pnpm in this repo, never npm");
  t.submit("good morning", "p-1");
  expect(fail(t, "t-1")).toBe("");
  expect(fail(t, "t-2", "Exit code 1")).toBe("");
  expect(fail(t, "t-3", "error: tests failed")).toBe("");
});

test("what was replaced, forgotten, has expired or was said in this session is not given", () => {
  using t = openTestWorker();
  const node = t.remember(cure, { category: "cases" });
  if (node === null) throw new Error("not remembered");
  t.submit("good morning", "p-1");
  const { nodes } = t.store;
  const cause = { atMs: t.startMs, by: "user", reason: "test", action: "supersede" } as const;
  nodes.update(node.id, { status: "superseded" }, cause);
  expect(fail(t, "t-1")).toBe("");
  nodes.update(
    node.id,
    { status: "active", expiresAt: t.startMs - 1 },
    { ...cause, action: "edit" },
  );
  expect(fail(t, "t-2")).toBe("");
  nodes.forget([node.id], [cure], t.startMs);
  t.deps.vectors.remove(node.id);
  expect(fail(t, "t-3")).toBe("");
  t.submit("remember that EPLOTLOCK of the plotter spool goes with /var/lock/plotter", "p-2");
  expect(fail(t, "t-4")).toBe("");
});

test("nothing is given when it is switched off, to other agents, to a subagent's tools and to the spool", () => {
  using off = openTestWorker(withInject({ tools: false, subagentTokens: 0 }));
  off.remember(cure, { category: "cases" });
  off.remember("Never push to main yourself", { category: "preferences" });
  off.submit("plot the map", "p-1");
  expect(fail(off, "t-1")).toBe("");
  expect(off.send("subagent", "SubagentStart", { agent_id: "a-1", agent_type: "x" })).toBe("");

  using t = openTestWorker();
  t.remember(cure, { category: "cases" });
  t.submit("good morning", "p-1");
  expect(fail(t, "t-1", failure, { agent_id: "a-1" })).toBe("");
  const session_id = "codex-s-9";
  t.send("submit", "UserPromptSubmit", { session_id, prompt: "plot the map", prompt_id: "q-1" });
  expect(fail(t, "t-2", failure, { session_id })).toBe("");
  const spooled = t.worker.accept(
    [
      {
        v: 1,
        hook: "tool",
        clientEvent: "PostToolUseFailure",
        key: "k".repeat(32),
        contentHash: "c".repeat(32),
        anonymous: false,
        atMs: t.startMs + 60_000,
        replayed: true,
        gated: true,
        payload: {
          session_id: "s-1",
          cwd: "/home/dev/deskly",
          tool_name: "Bash",
          tool_input: { command: "make plot" },
          tool_use_id: "t-3",
          error: failure,
        },
      },
    ],
    "spool",
  );
  expect(spooled[0]?.context).toBe("");
});

test("a private turn looks nothing up", () => {
  using t = openTestWorker();
  t.remember(cure, { category: "cases" });
  t.submit("<private>plot the map</private>", "p-1");
  expect(fail(t, "t-1")).toBe("");
});

test("the first opening of a file is given what is known of it, later ones are not", () => {
  using t = openTestWorker();
  anchored(t, "The tables in graph.c are laid out by hand: no formatter", "src/graph.c");
  t.submit("look at the graph", "p-1");
  expect(open(t, "t-1", "/home/dev/deskly/src/other.c")).toBe("");
  const text = open(t, "t-2", "/home/dev/deskly/src/graph.c");
  expect(text).toContain("Known of this file");
  expect(text).toContain("laid out by hand");
  expect(text.split("\n")).toHaveLength(4);
  anchored(t, "graph.c is generated from graph.in on release days", "src/graph.c");
  expect(open(t, "t-3", "/home/dev/deskly/src/graph.c")).toBe("");
  expect(t.store.exposure.injections("s-1", 1)[0]).toMatchObject({
    channel: "tool",
    cause: "file",
  });
});

test("a file of the same name elsewhere, a file that is gone, and what the start told are silent", () => {
  using t = openTestWorker();
  anchored(t, "The tables in graph.c are laid out by hand: no formatter", "src/graph.c");
  t.submit("look at the graph", "p-1");
  expect(open(t, "t-1", "/home/dev/deskly/lib/graph.c")).toBe("");
  expect(open(t, "t-2", "/tmp/src/graph.c")).toBe("");
  expect(open(t, "t-3", "/home/dev/deskly/xsrc/graph.c")).toBe("");
  anchored(t, "Never reformat graph.h, its tables are laid out by hand", "src/graph.h", {
    category: "preferences",
  });
  const start = t.send("start", "SessionStart", { session_id: "s-2", source: "startup" });
  expect(start).toContain("laid out by hand");
  t.send("submit", "UserPromptSubmit", {
    session_id: "s-2",
    prompt: "hello there",
    prompt_id: "q-1",
  });
  expect(open(t, "t-4", "/home/dev/deskly/src/graph.h", { session_id: "s-2" })).toBe("");
});

test("a failing lookup costs the answer, never the event", () => {
  using t = openTestWorker();
  t.remember(cure, { category: "cases" });
  t.submit("good morning", "p-1");
  const find = t.deps.finder.find;
  Object.assign(t.deps.finder, {
    find: () => {
      throw new Error("scripted");
    },
  });
  expect(fail(t, "t-1")).toBe("");
  Object.assign(t.deps.finder, { find });
  expect(t.store.sessions.toolUses("s-1", null).map(({ toolUseId }) => toolUseId)).toEqual(["t-1"]);
});

test("a subagent is given the standing rules, and nothing else", () => {
  using t = openTestWorker();
  t.remember("Never push to main yourself", { category: "preferences" });
  t.remember("The staging database listens on port 5433", { category: "entities" });
  t.submit("do it in parts", "p-1");
  const text = t.send("subagent", "SubagentStart", { agent_id: "a-1", agent_type: "explore" });
  expect(text).toContain("Never push to main yourself");
  expect(text).not.toContain("5433");
  expect(t.store.exposure.injections("s-1", 1)[0]).toMatchObject({
    channel: "subagent",
    cause: "explore",
  });
  expect(t.store.exposure.seen("s-1").size).toBe(0);
});

test("many rules are cut to what a subagent may be given; without one nothing is said", () => {
  using none = openTestWorker();
  none.submit("do it in parts", "p-1");
  const start = { agent_id: "a-1", agent_type: "explore" };
  expect(none.send("subagent", "SubagentStart", start)).toBe("");
  using t = openTestWorker();
  for (const word of ["apple", "birch", "cedar", "maple", "olive", "peach", "plum", "willow"])
    for (const deed of ["commit", "deploy", "review"])
      t.remember(`Never ${deed} the ${word} service before its owner has read the whole change`, {
        category: "preferences",
        project: testProject.key,
      });
  t.submit("do it in parts", "p-1");
  const text = t.send("subagent", "SubagentStart", start);
  expect(text).toContain("- Never");
  expect(Math.ceil(text.length / 4)).toBeLessThanOrEqual(125);
  expect(t.store.exposure.injections("s-1", 1)[0]?.tokens).toBeLessThanOrEqual(120);
});
