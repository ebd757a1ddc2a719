/** A model is never asked about turns with a private block, and turns that leave no record. */
import { expect, test } from "bun:test";
import { scriptedLlm } from "../../../test/support/scripted-llm.ts";
import { openTestWorker, type TestWorker } from "../../../test/support/worker.ts";

/** One prompt with its tool call and its answer; `headed` is what the hook's process says of the prompt. */
function turn(
  app: TestWorker,
  id: string,
  said: { readonly prompt: string; readonly word: string; readonly offTheRecord?: boolean },
): void {
  const { prompt, word, offTheRecord = false } = said;
  const common = { prompt_id: id, ...(offTheRecord ? { off_the_record: true } : {}) };
  app.send("submit", "UserPromptSubmit", { ...common, prompt });
  app.send("tool", "PostToolUse", {
    ...common,
    tool_use_id: `${id}-t`,
    tool_name: "Bash",
    tool_input: { command: `grep ${word} ledger.csv` },
    tool_response: { stdout: `${word} 17` },
  });
  app.send("stop", "Stop", {
    ...common,
    last_assistant_message: `The ${word} is in line 17.`,
    stop_hook_active: false,
  });
}

test("nothing of a private turn, and of one off the record, is in a model's request", async () => {
  const llm = scriptedLlm({ answer: () => ({}) });
  using app = openTestWorker({ llm });
  turn(app, "p-1", { prompt: "the exports of deskly go to Helsinki now", word: "marten" });
  turn(app, "p-2", {
    prompt: "look at <private>client Hooli</private> once more",
    word: "zebrafish",
  });
  turn(app, "p-3", {
    prompt: "don't remember this: the bakery is ours",
    word: "quokka",
    offTheRecord: true,
  });
  app.send("end", "SessionEnd", { reason: "other" });
  await app.settle();
  const asked = llm.asked.map(({ prompt, system }) => `${system}\n${prompt}`).join("\n");
  expect(asked).toContain("Helsinki");
  expect(asked).toContain("marten");
  for (const word of ["Hooli", "once more", "zebrafish", "bakery", "quokka"])
    expect(asked).not.toContain(word);
});

test("an order off the record takes along what the same turn had made, and nothing else", async () => {
  using app = openTestWorker();
  const submit = (id: string, prompt: string, more = {}): string =>
    app.send("submit", "UserPromptSubmit", { prompt_id: id, prompt, ...more });
  submit("p-1", "remember that staging listens on port 5433");
  app.stop("Noted.", "p-1");
  submit("p-2", "remember that the bakery in Espoo is ours");
  expect(
    app
      .memories()
      .map(({ l0 }) => l0)
      .join("\n"),
  ).toContain("Espoo");
  submit("p-2", "no, do not remember any of this", { off_the_record: true });
  await app.settle();
  const kept = app
    .memories()
    .map(({ l0 }) => l0)
    .join("\n");
  expect(kept).toContain("5433");
  expect(kept).not.toContain("Espoo");
  submit("p-3", "remember that the bakery in Espoo is ours");
  expect(
    app
      .memories()
      .map(({ l0 }) => l0)
      .join("\n"),
  ).toContain("Espoo");
});
