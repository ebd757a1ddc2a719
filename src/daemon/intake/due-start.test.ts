/** The start text that comes with a prompt: once, and with the next one where nobody read the answer. */
import { expect, test } from "bun:test";
import { openTestWorker } from "../../../test/support/worker.ts";

const fact = "The crane inspector is called Odile";
const gemini = { session_id: "gemini-1", start_context: "first-prompt" };

function opened() {
  const app = openTestWorker();
  app.remember(fact, { category: "preferences" });
  app.send("start", "SessionStart", { ...gemini, source: "startup" });
  const submit = (id: string, over: object = {}, via: "socket" | "spool" = "socket"): string =>
    app.send(
      "submit",
      "UserPromptSubmit",
      { ...gemini, prompt: `go on ${id}`, prompt_id: id, ...over },
      { key: id, atMs: app.startMs + Number(id) * 60_000, via, confirms: true },
    );
  const delivered = (id: string): void => app.worker.delivered([id]);
  return { ...app, submit, delivered };
}

test("it comes with the first prompt, and not with the second", () => {
  using app = opened();
  expect(app.submit("1")).toContain("Odile");
  app.delivered("1");
  expect(app.submit("2")).not.toContain("Odile");
});

test("a prompt whose hook left it without the text leaves it to the next one", () => {
  using app = opened();
  app.submit("1", { start_context: "unread" });
  expect(app.submit("2")).toContain("Odile");
  app.delivered("2");
  expect(app.submit("3")).not.toContain("Odile");
});

test("a prompt that was answered after its hook had gone leaves it to the next one, once", () => {
  using app = opened();
  expect(app.submit("1")).toContain("Odile");
  // The event that the hook spooled is the same one again.
  expect(app.submit("1", { start_context: "unread" }, "spool")).toBe("");
  expect(app.submit("2")).toContain("Odile");
  expect(app.submit("2", { start_context: "first-prompt" }, "spool")).toBe("");
  expect(app.submit("3")).not.toContain("Odile");
});

test("a prompt behind a compaction that only the client's file tells of brings it again", () => {
  using app = opened();
  expect(app.submit("1")).toContain("Odile");
  expect(app.submit("2", { start_context: "compacted" })).toContain('for="start"');
  app.delivered("2");
  expect(app.submit("3")).not.toContain('for="start"');
});

test("a start that came before the memory did leaves it to the first prompt, whose agent says nothing of it", () => {
  using app = openTestWorker();
  const session = { session_id: "s-late" };
  app.send("start", "SessionStart", {
    ...session,
    source: "startup",
    start_context: "first-prompt",
  });
  app.remember(fact, { category: "preferences" });
  const submit = (id: string): string =>
    app.send("submit", "UserPromptSubmit", { ...session, prompt: `go on ${id}`, prompt_id: id });
  expect(submit("1")).toContain("Odile");
  expect(submit("2")).not.toContain("Odile");
});
