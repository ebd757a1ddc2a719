/** A fork has its parent's context before it: it is told nothing of that again. */
import { expect, test } from "bun:test";
import { openTestWorker } from "../../../test/support/worker.ts";

const port = "remember that the staging database listens on port 6432";
const ask = "which port does our staging database use?";

/** A parent that was told something and says something; another session of the project beside it. */
async function withParent() {
  const app = openTestWorker();
  app.remember("The crane inspector is called Odile");
  app.send("start", "SessionStart", { source: "startup" });
  app.submit(port, "p-1");
  app.stop("Noted, the staging database listens on port 6432.", "p-1");
  await app.settle();
  const fork = (over: Readonly<Record<string, unknown>> = {}): string =>
    app.send("start", "SessionStart", {
      source: "fork",
      session_id: "fork",
      seconds_since_last_response: 1,
      ...over,
    });
  const submit = (prompt: string, session: string, id: string): string =>
    app.send("submit", "UserPromptSubmit", { session_id: session, prompt, prompt_id: id });
  return { ...app, fork, submitIn: submit };
}

test("it repeats nothing at its start, and its prompts are not given its parent's words", async () => {
  using app = await withParent();
  expect(app.fork()).toBe("");
  expect(app.store.sessions.byId("fork")?.parentSession).toBe("s-1");
  expect(app.submitIn(ask, "fork", "f-1")).toBe("");
  expect(app.submitIn(ask, "stranger", "s-1")).toContain("6432");
});

test("a fork of a fork has the context of both", async () => {
  using app = await withParent();
  app.fork();
  app.submitIn("go on", "fork", "f-1");
  app.send("stop", "Stop", { session_id: "fork", prompt_id: "f-1", last_assistant_message: "ok" });
  expect(app.fork({ session_id: "second" })).toBe("");
  expect(app.store.sessions.byId("second")?.parentSession).toBe("fork");
  expect(app.submitIn(ask, "second", "g-1")).toBe("");
});

test("what the parent says after the fork is news to it", async () => {
  using app = await withParent();
  app.fork();
  app.submit("remember that the audit log is kept in the bucket fjord-audit", "p-2");
  expect(app.submitIn("in which bucket is the audit log kept?", "fork", "f-1")).toContain(
    "fjord-audit",
  );
});

test("the session that answered when the client says is the parent, not the latest", async () => {
  using app = await withParent();
  app.send("start", "SessionStart", { source: "startup", session_id: "other" });
  app.submitIn("from now on ship releases on Tuesdays", "other", "o-1");
  app.send("stop", "Stop", { session_id: "other", prompt_id: "o-1", last_assistant_message: "ok" });
  // The parent answered five events ago, a second each.
  const told = app.fork({ seconds_since_last_response: 4 });
  expect(app.store.sessions.byId("fork")?.parentSession).toBe("s-1");
  expect(told).toContain("ship releases on Tuesdays");
  expect(told).not.toContain("6432");
});

test.each([["soon"], [-3], [null], [{}], [1e300]])(
  "nonsense for the time of the last answer costs nothing: %p",
  async (seconds) => {
    using app = await withParent();
    expect(app.fork({ seconds_since_last_response: seconds })).toBe("");
  },
);
