/** Open ends over several sessions: told once, and not any more when something finished them. */
import { expect, test } from "bun:test";
import { openTestWorker, type TestWorker } from "../../../test/support/worker.ts";

const left = "Still failing: bun test (2 tests fail)";

const at = (id: string) => ({ session_id: id, prompt_id: `p-${id}` });
const startOf = (app: TestWorker, id: string): string =>
  app.send("start", "SessionStart", { session_id: id, source: "startup" });
async function work(
  app: TestWorker,
  id: string,
  said: { prompt: string; answer: string; ends?: "red" | "green" },
) {
  app.send("submit", "UserPromptSubmit", { ...at(id), prompt: said.prompt });
  app.send("tool", "PostToolUse", {
    ...at(id),
    tool_name: "Edit",
    tool_input: { file_path: "/home/dev/deskly/src/invoices.ts" },
    tool_response: { success: true },
    tool_use_id: `t-${id}`,
  });
  if (said.ends !== undefined)
    app.send("tool", said.ends === "red" ? "PostToolUseFailure" : "PostToolUse", {
      ...at(id),
      tool_name: "Bash",
      tool_input: { command: "bun test" },
      ...(said.ends === "red" ? { error: "2 tests fail" } : { tool_response: { stdout: "ok" } }),
      tool_use_id: `b-${id}`,
    });
  app.send("stop", "Stop", { ...at(id), last_assistant_message: said.answer });
  app.send("end", "SessionEnd", { session_id: id, reason: "other" });
  await app.settle();
}
const leaveOpen = (app: TestWorker) =>
  work(app, "a", {
    prompt: "move the invoices to the new table",
    answer: "I moved the invoices to the new table.",
    ends: "red",
  });
const talk = { prompt: "explain the tax rates of the checkout", answer: "They are per country." };

test("is told once: to the first session that went on from there", async () => {
  const branch = "invoices";
  using app = openTestWorker({ projectOf: (cwd) => ({ key: cwd, name: "p", root: cwd, branch }) });
  await leaveOpen(app);
  expect(startOf(app, "b")).toContain(left);
  // Nobody typed anything in it.
  expect(startOf(app, "c")).toContain(left);
  app.send("submit", "UserPromptSubmit", { ...at("c"), prompt: talk.prompt });
  app.send("tool", "PostToolUse", {
    ...at("c"),
    tool_name: "Read",
    tool_input: { file_path: "/home/dev/deskly/src/tax.ts" },
    tool_response: { success: true },
    tool_use_id: "t-c",
  });
  app.send("stop", "Stop", { ...at("c"), last_assistant_message: talk.answer });
  await app.settle();
  const next = startOf(app, "d");
  expect(next).not.toContain(left);
  // Work that was done there is told still.
  expect(next).toContain("the new table");
  // The session that was told it keeps it over /clear and a second start of its own.
  expect(startOf(app, "c")).toContain(left);
});

test("is over once the command passes in a later session, and not before", async () => {
  using app = openTestWorker();
  await leaveOpen(app);
  const project = app.store.sessions.byId("a")?.project ?? "";
  await work(app, "b", talk);
  expect(app.store.openEnds.of(project).closed).toEqual([]);
  await work(app, "c", { prompt: "go on", answer: "I mended them.", ends: "green" });
  expect(app.store.openEnds.of(project).closed).toHaveLength(1);
  expect(startOf(app, "d")).not.toContain(left);
});

test("of another project stays open, whatever is done here", async () => {
  using app = openTestWorker({
    projectOf: (cwd) => ({ key: cwd, name: "p", root: cwd, branch: "main" }),
  });
  await leaveOpen(app);
  app.send("submit", "UserPromptSubmit", { ...at("x"), cwd: "/elsewhere", prompt: "go on" });
  app.send("tool", "PostToolUse", {
    ...at("x"),
    cwd: "/elsewhere",
    tool_name: "Bash",
    tool_input: { command: "bun test" },
    tool_response: { stdout: "ok" },
    tool_use_id: "t-x",
  });
  app.send("stop", "Stop", { ...at("x"), cwd: "/elsewhere", last_assistant_message: "Green." });
  await app.settle();
  expect(startOf(app, "d")).toContain(left);
});
