/** A file is renamed in a session: memories that were worded name the new path, the user's words stay. */
import { expect, test } from "bun:test";
import { answering, remembered, sessionReply } from "../../../test/support/extracted.ts";
import { openTestWorker } from "../../../test/support/worker.ts";

type App = ReturnType<typeof openTestWorker>;

async function talk(app: App, id: string, prompt: string, commands: readonly string[] = []) {
  const common = { session_id: id, prompt_id: `${id}-1` };
  app.send("submit", "UserPromptSubmit", { ...common, prompt });
  for (const [n, command] of commands.entries())
    app.send("tool", "PostToolUse", {
      ...common,
      tool_name: "Bash",
      tool_use_id: `${id}-${n}`,
      tool_input: { command },
      tool_response: { stdout: "", stderr: "" },
    });
  app.send("stop", "Stop", { ...common, last_assistant_message: "Done.", stop_hook_active: false });
  app.send("end", "SessionEnd", { ...common, reason: "other" });
  await app.settle();
}

const said = "the berth test lives in e2e/kiro_test.go, and its helpers in e2e/tools, never in src";
const memory = (line: string, attribute: string) =>
  remembered({ kind: "place", subject: "berth test", attribute, value: "", line, quote: said });

const lines = (app: App): readonly string[] =>
  app
    .memories()
    .filter(({ status, maker }) => status === "active" && maker === "extract")
    .map(({ l0 }) => l0)
    .toSorted();

const worded = [
  memory("The berth test is e2e/kiro_test.go, with kiro_test.go.snap beside it.", "place"),
  memory("Run kiro_test.go alone before the others.", "order"),
  memory("The helpers of the berth test lie in e2e/tools/berth.go, not in src.", "helpers"),
];

/** Told once; later sessions have nothing to add. */
const once = () => {
  let isTold = false;
  return answering({
    session: () => {
      const memories = isTold ? [] : worded;
      isTold = true;
      return sessionReply(memories);
    },
  });
};

test("what a model worded names the new path, also below a renamed folder, and can be undone", async () => {
  using app = openTestWorker({ llm: once() });
  await talk(app, "s-1", said);
  await talk(app, "s-2", "give it a better name", [
    "git mv e2e/kiro_test.go e2e/berth_test.go && git mv e2e/tools/ e2e/helpers",
  ]);
  expect(lines(app)).toEqual([
    "Run berth_test.go alone before the others.",
    "The berth test is e2e/berth_test.go, with kiro_test.go.snap beside it.",
    "The helpers of the berth test lie in e2e/helpers/berth.go, not in src.",
  ]);
  const node = app.memories().find(({ l0 }) => l0.startsWith("Run berth_test.go"));
  expect(app.store.nodes.revisions(node?.id ?? 0).at(-1)).toMatchObject({
    action: "edit",
    reason: "a file that it names was renamed",
  });
});

test.each([
  "git mv e2e/*_test.go other/",
  "echo git mv e2e/kiro_test.go e2e/berth_test.go",
  "git mv e2e/kiro e2e/berth",
  "mv /tmp/kiro_test.go /tmp/x.go",
  "git mv -n e2e/kiro_test.go e2e/berth_test.go",
  "cd sub && git mv e2e/kiro_test.go e2e/berth_test.go",
  "git mv tools/berth.go tools/quay.go",
])("%s: renames nothing that a memory names", async (command) => {
  using app = openTestWorker({ llm: once() });
  await talk(app, "s-1", said);
  const before = lines(app);
  await talk(app, "s-2", "tidy up", [command]);
  expect(before.length).toBe(3);
  expect(lines(app)).toEqual(before);
});

test("the user's own words stay as they were typed", async () => {
  using app = openTestWorker({ llm: answering({}) });
  await talk(app, "s-1", `Remember: ${said}`);
  await talk(app, "s-2", "give it a better name", ["git mv e2e/kiro_test.go e2e/berth_test.go"]);
  expect(app.memories().find(({ status }) => status === "active")?.l0).toContain(
    "e2e/kiro_test.go",
  );
});
