/** Late and repeated input: a message that waited since a pause, and a word that was private. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HookEnvelope, type HookName, homePaths } from "#domain";
import { endPause, startPause } from "#hooks";
import { openTestWorker } from "../../../test/support/worker.ts";
import { createPrivateTurnGuard } from "./intake.ts";

const nowMs = 1_700_000_000_000;

test("a message that waited since a pause is not taken, and the next one is", () => {
  const root = mkdtempSync(join(tmpdir(), "waited-"));
  const paths = homePaths(root);
  startPause(paths, nowMs - 100_000, null);
  endPause(paths, nowMs - 40_000);
  const transcript = join(root, "s.jsonl");
  const timestamp = new Date(nowMs - 70_000).toISOString();
  const line = {
    type: "queue-operation",
    operation: "enqueue",
    timestamp,
    content: "call it heron",
  };
  writeFileSync(transcript, `${JSON.stringify(line)}\n`);
  const guard = createPrivateTurnGuard(paths, () => false, { nowMs: () => nowMs });
  const event = (hook: HookName, id: string, prompt?: string): HookEnvelope => ({
    v: 1,
    hook,
    clientEvent: hook,
    key: id,
    contentHash: id,
    anonymous: false,
    replayed: false,
    atMs: nowMs,
    gated: false,
    payload: { session_id: "s-1", prompt_id: id, transcript_path: transcript, prompt },
  });
  expect(guard(event("submit", "p-1", "call it heron"), "socket")).toBeNull();
  expect(guard(event("stop", "p-1"), "socket")).toBeNull();
  expect(guard(event("submit", "p-2", "run the tests"), "socket")).not.toBeNull();
  rmSync(root, { recursive: true });
});

test("a word of small letters that was private by itself comes back with no edit", async () => {
  using app = openTestWorker();
  const edit = (id: string): void => {
    const file = "/home/dev/deskly/src/pelican.ts";
    const [input, response] = [{ file_path: file, new_string: "pelican" }, "pelican updated"];
    const use = { tool_name: "Edit", tool_use_id: id, tool_input: input, tool_response: response };
    app.send("tool", "PostToolUse", { prompt_id: id, ...use });
  };
  app.submit("rename the module to <private>pelican</private> please", "p-1");
  edit("p-1");
  app.stop("I renamed it to pelican.", "p-1");
  app.submit("now run the tests", "p-2");
  edit("p-2");
  app.stop("The pelican module passes.", "p-2");
  await app.settle();
  const { sessions } = app.store;
  const kept = [
    sessions.turnsBefore("s-1", 9, 9),
    sessions.toolUses("s-1", 1),
    sessions.toolUses("s-1", 2),
  ];
  expect(JSON.stringify(kept)).not.toContain("pelican");
});
