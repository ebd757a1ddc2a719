/** Tests when something that the user forbids becomes a guard that is offered, and when it does not. */
import { expect, test } from "bun:test";
import { openTestWorker, type TestWorker } from "../../../test/support/worker.ts";
import type { HookEnvelope } from "#domain";

let turns = 0;

/** `say` gives the user's lines beside a prompt of a session. */
function say(app: TestWorker, session: string, prompt: string, via: "socket" | "spool" = "socket") {
  turns += 1;
  const envelope: HookEnvelope = {
    v: 1,
    hook: "submit",
    clientEvent: "UserPromptSubmit",
    key: `key-${turns}`,
    contentHash: `${turns}`,
    anonymous: false,
    atMs: app.startMs + turns * 60_000,
    replayed: true,
    gated: false,
    payload: { session_id: session, cwd: "/home/dev/deskly", prompt, prompt_id: `p-${turns}` },
  };
  return app.worker.accept([envelope], via)[0]?.message;
}

const states = ({ store }: TestWorker): readonly string[] =>
  store.guards.list().map(({ state, words }) => `${state}: ${words}`);

test("what is forbidden is offered the first time, in plain words, and told once", () => {
  using app = openTestWorker();
  expect(say(app, "s-1", "never push yourself, I do that")).toBe(
    "You have said not to push. `/opt/continuity guards approve 1` makes Claude ask first.",
  );
  expect(app.store.guards.list()).toMatchObject([
    { state: "offered", decision: "ask", project: "github.com/deskly/deskly", isTold: true },
  ]);
  expect(say(app, "s-2", "thanks, go on with the ledger")).toBeUndefined();
  expect(say(app, "s-3", "again: never push yourself")).toBeUndefined();
  expect(app.store.guards.list()[0]?.sayings).toHaveLength(2);
});

test.each([
  ["don't push to main", "push to main"],
  ["please never use npm here", "run npm"],
  ["never publish packages", "publish"],
  ["don't touch the migrations folder", "change migrations"],
  ["never delete files in data/", "delete data/"],
  ["never run the tests against prod", "run tests against prod"],
  ["never commit to main directly", "commit on main"],
  ["never run `rm -rf`", "run rm -r -f"],
  ["never use --no-verify", "skip hooks"],
  ["Bitte niemals pushen.", "push"],
  ["никогда не запускай миграции", "run migrations"],
  ["永远不要运行迁移", "run migrations"],
])("%s: not to %s", (words, deed) => {
  using app = openTestWorker();
  expect(say(app, "s-1", words)).toContain(`You have said not to ${deed}. `);
});

test("other words for the same count, in another language too", () => {
  using app = openTestWorker();
  say(app, "s-1", "never use npm here");
  expect(say(app, "s-2", "ich habe gesagt, nie npm benutzen")).toBeUndefined();
  expect(app.store.guards.list()[0]?.sayings).toHaveLength(2);
});

test("what one prompt says twice counts once", () => {
  using app = openTestWorker();
  say(app, "s-1", "never push yourself. I repeat: never push yourself");
  expect(states(app)).toEqual(["offered: never push yourself."]);
});

test("an offer waits for a prompt that can be answered", () => {
  using app = openTestWorker();
  expect(say(app, "s-2", "I said never push yourself", "spool")).toBeUndefined();
  expect(say(app, "s-2", "and now the ledger")).toContain("guards approve 1");
});

test("what is said in passing counts where it takes the agent back, and not otherwise", () => {
  using app = openTestWorker();
  const passing = "the plan is fine, just don't push";
  say(app, "s-1", passing);
  expect(states(app)).toEqual([]);
  app.send("tool", "PostToolUse", {
    session_id: "s-1",
    tool_name: "Bash",
    tool_use_id: "t-1",
    tool_input: { command: "git add . && git push" },
    tool_response: { stdout: "", stderr: "", interrupted: false },
  });
  say(app, "s-1", passing);
  expect(states(app)).toEqual([`offered: ${passing}`]);
});

test.each([
  ["pasted text", "is this right?\n```\nnever push yourself\n```"],
  ["a quotation", 'the readme says "never push yourself" in every chapter'],
  ["a quoted line", "> never push yourself"],
  ["a client's block", "<task-notification>never push yourself</task-notification>"],
  ["a question", "should you never push yourself?"],
  ["for this once", "I told you, don't push yet"],
  ["nothing to check", "I told you, you are too verbose, never write that much"],
])("%s never counts", (_, prompt) => {
  using app = openTestWorker();
  say(app, "s-1", prompt);
  say(app, "s-2", prompt);
  expect(states(app)).toEqual([]);
});

test("what the agent says is no word of the user", () => {
  using app = openTestWorker();
  for (const id of ["p-a", "p-b"]) {
    app.submit("go on with the ledger, please", id);
    app.stop("Understood: I will never push myself. Never push yourself.", id);
  }
  expect(states(app)).toEqual([]);
});

test("a removed guard is not offered again", () => {
  using app = openTestWorker();
  say(app, "s-1", "never push yourself");
  say(app, "s-2", "I told you, never push yourself");
  app.store.guards.update(1, { state: "removed" });
  expect(say(app, "s-3", "I told you, never push yourself")).not.toContain("guards approve");
  expect(states(app)).toEqual(["removed: never push yourself"]);
});

test("what holds everywhere is one guard for all projects", () => {
  using app = openTestWorker();
  say(app, "s-1", "never push yourself in all my projects");
  say(app, "s-2", "I told you, never push yourself");
  expect(app.store.guards.list()).toMatchObject([{ project: null, state: "offered" }]);
});

test("forgetting the words, their memory or their turn takes the guard with it", () => {
  using app = openTestWorker();
  const { guards, nodes, sessions } = app.store;
  say(app, "s-1", "from now on never use npm in this repo, we use pnpm");
  const [memory] = nodes.list({ projects: null }, "recent", { limit: 5 });
  expect(guards.list()).toMatchObject([{ nodeId: memory?.id }]);
  nodes.forget([memory?.id ?? 0], [], app.startMs);
  expect(guards.list()).toEqual([]);

  say(app, "s-3", "never push yourself");
  nodes.forget([], ["never push yourself"], app.startMs);
  expect(guards.list()).toEqual([]);
  // Typed again, it is an order again.
  say(app, "s-3", "never push yourself");
  expect(guards.list()).toMatchObject([{ words: "never push yourself", state: "offered" }]);

  say(app, "s-4", "stop committing on your own, this is the third time today or so");
  say(app, "s-4", "you must never commit on your own");
  const prompt = sessions.turn("s-4", 2)?.prompt ?? "";
  nodes.forget([], [prompt], app.startMs);
  expect(guards.list().filter(({ words }) => words === prompt)).toEqual([]);
});
