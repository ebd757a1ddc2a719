/** A line about an order that came too late for its prompt comes with the next event whose answer the agent reads. */
import { expect, test } from "bun:test";
import { openTestWorker, type TestWorker } from "../../../test/support/worker.ts";

const doubtful = "Fix the typos.\n\nRemember that the pool opens at nine.";
const line = "If the user meant it, save it: mcp__continuity__memory_remember.";
const head = "Of an earlier prompt: ";

/** Left in the spool by a hook that has gone. */
const left = { via: "spool" } as const;

interface How {
  readonly via?: "spool";
  readonly session_id?: string;
  readonly off_the_record?: true;
}

const prompt = (t: TestWorker, key: string, text: string, { via, ...over }: How = {}): string =>
  t.send(
    "submit",
    "UserPromptSubmit",
    { prompt: text, prompt_id: key, ...over },
    { key, via: via ?? "socket", confirms: true },
  );

const tool = (t: TestWorker, key: string, over: object = {}): string => {
  t.clock.advance(1_000);
  return t.send(
    "tool",
    "PostToolUse",
    { tool_name: "Bash", tool_use_id: key, tool_input: { command: "ls" }, ...over },
    { key, confirms: true },
  );
};

const hints = ({ store }: TestWorker) =>
  store.exposure
    .injections(null, 100)
    .filter(({ channel }) => channel === "hint")
    .map(({ cause, tokens }) => [cause, tokens > 0])
    .toReversed();

/** Each leaves the line of a prompt without a reader. */
const losses: readonly [string, (t: TestWorker, text: string) => void][] = [
  [
    "gave up on an answer",
    (t, text) => {
      prompt(t, "p-1", text);
      prompt(t, "p-1", text, left);
    },
  ],
  ["found no daemon", (t, text) => void prompt(t, "p-1", text, left)],
];

test.each(losses)(
  "an order in doubt whose hook %s is told beside the next tool, once",
  (_, lose) => {
    using t = openTestWorker();
    lose(t, doubtful);
    expect(hints(t)).toEqual([["late", false]]);
    const told = tool(t, "t-1");
    expect(told).toContain(head);
    expect(told).toContain(line);
    expect(hints(t)).toEqual([
      ["late", false],
      ["late", false],
    ]);
    t.worker.delivered(["t-1"]);
    expect(hints(t)).toEqual([
      ["late", false],
      ["doubtful", true],
    ]);
    expect([tool(t, "t-2"), prompt(t, "p-2", "go on")]).toEqual(["", ""]);
  },
);

test.each(losses)(
  "an order that may end an older one is asked about later: its hook %s",
  (_, lose) => {
    using t = openTestWorker();
    prompt(t, "p-0", "remember that the design lead is Fenella");
    t.worker.delivered(["p-0"]);
    t.clock.advance(1_000);
    lose(t, "keep in mind that the design lead is Rupert");
    expect(tool(t, "t-1")).toMatch(/Of an earlier prompt: Over by this order: #\w+ "[^]*replaces/);
  },
);

test("what a killed hook was to give comes with the next tool that is not a subagent's", () => {
  using t = openTestWorker();
  prompt(t, "p-1", doubtful);
  expect([tool(t, "t-1", { agent_id: "a-1" }), tool(t, "t-2").includes(head)]).toEqual(["", true]);
  // Its own hook may still be on its way.
  expect(tool(t, "t-3")).toBe("");
});

test("what is read by nobody comes again", () => {
  using t = openTestWorker();
  prompt(t, "p-1", doubtful);
  for (const key of ["p-2", "p-3"]) {
    t.clock.advance(1_000);
    expect(prompt(t, key, "go on").split(head)).toHaveLength(2);
  }
  t.worker.delivered(["p-3"]);
  expect(tool(t, "t-1")).toBe("");
});

test("a start of the same session brings it, and no other session does", () => {
  using t = openTestWorker();
  prompt(t, "p-1", doubtful, left);
  const start = (session_id: string): string =>
    t.send("start", "SessionStart", { session_id, source: "resume" }, { key: session_id });
  expect(start("s-2")).not.toContain(line);
  expect(start("s-1")).toContain(line);
});

test("it is given to no subagent, and to another agent with its prompt alone", () => {
  using t = openTestWorker();
  prompt(t, "p-1", doubtful, left);
  expect(tool(t, "t-1", { agent_id: "a-1" })).toBe("");
  expect(tool(t, "t-2")).toContain(line);
  const codex = { session_id: "codex-1" };
  prompt(t, "p-2", doubtful, { ...codex, ...left });
  expect(tool(t, "t-3", codex)).toBe("");
  expect(prompt(t, "p-3", "go on", codex)).toContain(head);
});

test("what arrived in time is not told again", () => {
  using t = openTestWorker();
  expect(prompt(t, "p-1", doubtful)).toContain(line);
  t.worker.delivered(["p-1"]);
  prompt(t, "p-1", doubtful, left);
  expect(tool(t, "t-1")).toBe("");
});

test("a line that loses no order is not told later", () => {
  using t = openTestWorker();
  t.remember("The staging database listens on port 6432");
  for (let n = 0; n < 9; n += 1) prompt(t, `u-${n}`, `look at file number ${n}`);
  const changed = "the staging database listens on 7432 now, please adapt the tests";
  expect(prompt(t, "p-1", changed)).toContain("Changed value?");
  prompt(t, "p-1", changed, left);
  expect(tool(t, "t-1")).toBe("");
});

test("nothing is told of a turn that was taken off the record", () => {
  using t = openTestWorker();
  prompt(t, "p-1", doubtful, left);
  prompt(t, "p-1", "Do not remember this.", { off_the_record: true });
  expect(tool(t, "t-1")).toBe("");
});
