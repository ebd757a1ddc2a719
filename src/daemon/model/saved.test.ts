/** The question lists what its agent saved apart, each with its turn: only the rest is asked for. */
import { expect, test } from "bun:test";
import { answering, sessionReply } from "../../../test/support/extracted.ts";
import type { AskedQuestion } from "../../../test/support/scripted-llm.ts";
import { openTestWorker } from "../../../test/support/worker.ts";

type App = ReturnType<typeof openTestWorker>;

const prompts = ["Which pump drains the north dock?", "And which valve closes the north dock?"];

/** Types two prompts about the same thing; `saves`: lines that the agent saves in the second turn. */
async function talk(app: App, id: string, saves: readonly string[] = []): Promise<void> {
  for (const [at, prompt] of prompts.entries()) {
    const common = { session_id: id, prompt_id: `${id}-${at}` };
    app.send("submit", "UserPromptSubmit", { ...common, prompt });
    if (at === 1)
      for (const line of saves)
        app.remember(
          line,
          {
            origin: "agent",
            slot: "north dock · pump",
            evidence: { sessionId: id, turn: null, line: null, quote: line },
            atMs: app.clock.nowMs(),
          },
          "agent",
        );
    const last_assistant_message = "Pump 4 drains the north dock, valve 9 closes it.";
    app.send("stop", "Stop", { ...common, last_assistant_message, stop_hook_active: false });
    app.clock.advance(60_000);
  }
  app.send("end", "SessionEnd", { session_id: id, reason: "other" });
  await app.settle();
  app.clock.advance(86_400_000);
}

function openAsked() {
  const heads: string[] = [];
  const session = ({ prompt }: AskedQuestion) => {
    heads.push(prompt.split("\nRecord:\n")[0]?.split("Memories at most: 8.\n")[1] ?? "");
    return sessionReply([]);
  };
  return { app: openTestWorker({ llm: answering({ session }) }), heads };
}

test("a save of the session stands apart with its turn, and among what is known in a later session", async () => {
  const { app: opened, heads } = openAsked();
  using app = opened;
  const line = "Pump 4 drains the north dock";
  await talk(app, "s-1", [line]);
  await talk(app, "s-2");
  expect(heads).toEqual([
    `Saved by the agent, at [turn]:\n1. [2] north dock · pump: ${line}`,
    `Known:\n1. [2026-03-02] north dock · pump: ${line}\nSaved by the agent: nothing.`,
  ]);
});

test("an agent that saved nothing is told of for eight sessions after its last save", async () => {
  const { app: opened, heads } = openAsked();
  using app = opened;
  await talk(app, "s-0");
  await talk(app, "s-1", ["Pump 4 drains the north dock"]);
  for (const n of [2, 3, 4, 5, 6, 7, 8, 9, 10]) await talk(app, `s-${n}`);
  const silent = heads.map((head) => head.endsWith("Saved by the agent: nothing."));
  expect(silent).toEqual([false, false, ...Array.from({ length: 8 }, () => true), false]);
});
