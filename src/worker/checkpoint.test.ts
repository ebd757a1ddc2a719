/** Checkpoints of long sessions: each reads what came since the last, and says what one that reads everything would. */
import { expect, spyOn, test } from "bun:test";
import { summariseSession } from "#memory";
import { playSessions } from "../../test/support/long-sessions.ts";
import { openTestWorker } from "../../test/support/worker.ts";
import { uncommittedFiles } from "./uncommitted.ts";

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
