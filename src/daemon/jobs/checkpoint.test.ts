/** Checkpoints of long sessions: each reads what came since the last, and says what one that reads everything would. */
import { describe, expect, spyOn, test } from "bun:test";
import { summariseSession } from "#memory";
import { playSessions } from "../../../test/support/long-sessions.ts";
import { openTestWorker, type TestWorker } from "../../../test/support/worker.ts";
import { uncommittedFiles } from "../inject/open-ends.ts";

test("a checkpoint reads the turns since the last one, and tells the whole session", async () => {
  using app = openTestWorker();
  const whole = spyOn(app.store.sessions, "turns");
  const latest = spyOn(app.store.sessions, "turnsBefore");
  await playSessions(app, [{ id: "s", turns: 45, toolsPerTurn: 3 }]);
  // The whole session once, at its first checkpoint; later never more than a page.
  expect(whole).toHaveBeenCalledTimes(1);
  expect(Math.max(...latest.mock.calls.map(([, , limit]) => limit))).toBe(32);

  const session = app.store.sessions.byId("s");
  const told = app.store.sessions.currentCheckpoint("s");
  expect(app.store.sessions.checkpoints("s").length).toBeGreaterThan(30);
  if (session === null || told === null) throw new Error("a session and its checkpoint");
  const toolUses = app.store.sessions.toolUses("s", null);
  const { l0, fields } = summariseSession({
    session,
    turns: app.store.sessions.turns("s"),
    toolUses,
    previous: null,
    trigger: "stop",
    compactSummary: null,
    uncommitted: uncommittedFiles(toolUses),
  });
  expect(told).toMatchObject({ l0, ...fields });
});

test("what a late event changed is told by the next checkpoint, though its turn was told before", async () => {
  using app = openTestWorker();
  const turn = (n: number, answer: string): void => {
    app.send("submit", "UserPromptSubmit", {
      prompt_id: `p-${n}`,
      prompt: `fix the tide table, part ${n}`,
    });
    app.send("tool", "PostToolUse", {
      prompt_id: `p-${n}`,
      tool_name: "Edit",
      tool_input: { file_path: `/home/dev/deskly/src/tides-${n}.ts` },
      tool_response: { success: true },
      tool_use_id: `t-${n}`,
    });
    app.send("stop", "Stop", { prompt_id: `p-${n}`, last_assistant_message: answer });
  };
  for (let n = 1; n <= 10; n += 1) turn(n, `I fixed part ${n} of the tide table; the tests pass.`);
  await app.settle();
  // The model went on after its Stop: the turn ends again, with another answer.
  app.send("stop", "Stop", {
    prompt_id: "p-10",
    last_assistant_message: "I moved the harbour offsets into src/offsets.ts; the tests pass.",
    stop_hook_active: true,
  });
  await app.settle();
  const told = app.store.sessions.currentCheckpoint("s-1");
  expect(told?.completed).toContain("harbour offsets");
  expect(told?.filesEdited).toContain("src/tides-10.ts");
});

describe("what was in hand", () => {
  /** A session that edits, leaves something open, and ends. */
  const work = async (app: TestWorker): Promise<void> => {
    const own = { session_id: "s-1" };
    app.send("start", "SessionStart", { ...own, source: "startup" });
    app.submit("fix the rounding of the tax on invoices", "p-1");
    app.send("tool", "PostToolUse", {
      ...own,
      tool_name: "Edit",
      tool_input: { file_path: "/home/dev/deskly/src/tax.ts", old_string: "a", new_string: "b" },
      tool_response: {},
      tool_use_id: "t-1",
      prompt_id: "p-1",
    });
    app.stop(
      "I changed the rounding in src/tax.ts to half-even. Two tests still fail: cart.spec.ts and tax.spec.ts.",
      "p-1",
    );
    app.send("end", "SessionEnd", { ...own, reason: "clear" });
  };
  const start = (app: TestWorker, id: string, source: string, atMs?: number): string =>
    app.send(
      "start",
      "SessionStart",
      { session_id: id, source },
      atMs === undefined ? {} : { atMs },
    );

  test("/clear keeps it: the task, what is open and the files, before any job ran, as where the session was", async () => {
    using app = openTestWorker();
    await work(app);
    const text = start(app, "s-2", "clear");
    expect(text).toContain("## Where you were before /clear");
    expect(text).toContain("Current Task: fix the rounding of the tax on invoices");
    expect(text).toContain("cart.spec.ts and tax.spec.ts");
    expect(text).toContain("Uncommitted Changes: src/tax.ts");
    expect(text.match(/fix the rounding/gi)).toHaveLength(1);
    expect(text.indexOf("never an instruction")).toBeLessThan(text.indexOf("Where you were"));
    expect(text.match(/cart\.spec\.ts/g)).toHaveLength(1);
  });

  test("a plain start is told of it as an earlier session, and so is a /clear long after", async () => {
    using app = openTestWorker();
    await work(app);
    await app.settle();
    for (const text of [
      start(app, "s-2", "startup"),
      start(app, "s-3", "clear", app.startMs + 3_600_000),
    ]) {
      expect(text).toContain("## Where you left off");
      expect(text).not.toContain("before /clear");
      expect(text).toContain("cart.spec.ts and tax.spec.ts");
    }
  });

  test("a session that only talked takes nothing away of what the one before left open", async () => {
    using app = openTestWorker();
    await work(app);
    await app.settle();
    const own = { session_id: "s-2" };
    start(app, "s-2", "startup");
    app.send("submit", "UserPromptSubmit", { ...own, prompt: "where were we?", prompt_id: "q-1" });
    app.send("stop", "Stop", {
      ...own,
      last_assistant_message: "I changed the rounding in src/tax.ts to half-even last time.",
      prompt_id: "q-1",
    });
    app.send("end", "SessionEnd", { ...own, reason: "prompt_input_exit" });
    await app.settle();
    const text = start(app, "s-3", "startup");
    expect(text).toContain("Two tests still fail: cart.spec.ts and tax.spec.ts");
    expect(text).not.toContain("Where were we");
  });
});
