/** A standing rule of a start text: an order, and nothing else that was said. */
import { expect, test } from "bun:test";
import { openTestWorker } from "../../../test/support/worker.ts";

const title = "The user's rules for this project (follow them)";

async function startAfter(...prompts: readonly string[]): Promise<string> {
  using app = openTestWorker();
  for (const [n, prompt] of prompts.entries()) {
    app.submit(prompt, `p-${n}`);
    app.stop(
      "Root cause found: the pool ran out. I always close it now; the tests pass.",
      `p-${n}`,
    );
  }
  await app.settle();
  return app.send("start", "SessionStart", { session_id: "s-2", source: "startup" });
}

test("is an order", async () => {
  const text = await startAfter("never push to main on Fridays, please remember that");
  expect(text).toContain(title);
  expect(text.slice(text.indexOf(title))).toContain("never push to main on Fridays");
});

test.each([
  ["a remark", "[Image 1] Still not transparent anymore"],
  ["an order of the moment", "always use the second one"],
  ["an order for this task", "never mind the warning, use the old key for this test"],
  ["a wish without an order", "I prefer short answers without bullet points"],
  ["a decision", "we decided to keep all bookings of the harbour in UTC"],
  ["a fact to remember", "remember that the staging database listens on port 5433"],
  ["a question", "should we always rebase before we push?"],
])("is not %s", async (_name, prompt) => {
  expect(await startAfter(prompt)).not.toContain(title);
});
