/** Late and repeated input: a message that waited since a pause, and a word that was private. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HookName, homePaths } from "#domain";
import { endPause, startPause } from "#hooks";
import { openTestWorker } from "../../../test/support/worker.ts";
import { createPrivateTurnGuard } from "./intake.ts";

const nowMs = 1_700_000_000_000;

/** A home with a pause of a minute that ended 40 s ago, and a session in it. */
function openPaused() {
  const root = mkdtempSync(join(tmpdir(), "waited-"));
  const paths = homePaths(root);
  startPause(paths, nowMs - 100_000, null);
  endPause(paths, nowMs - 40_000);
  const transcript = join(root, "s.jsonl");
  const guard = createPrivateTurnGuard(paths, () => false, { nowMs: () => nowMs });
  return {
    /** Writes the session's transcript. */
    write: (lines: readonly object[]): void =>
      writeFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join("")),
    /** True when the event is taken. */
    takes: (hook: HookName, id: string, prompt?: string): boolean =>
      guard(
        {
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
        },
        "socket",
      ) !== null,
    [Symbol.dispose]: (): void => rmSync(root, { recursive: true }),
  };
}

const typed = (promptId: string, content: string) => ({
  type: "user",
  promptId,
  message: { role: "user", content },
});
const queue = (
  operation: string,
  more: { readonly content?: string; readonly agoMs?: number },
) => ({
  type: "queue-operation",
  operation,
  timestamp: new Date(nowMs - (more.agoMs ?? 70_000)).toISOString(),
  content: more.content,
});
const attached = (prompt: string) => ({
  type: "attachment",
  attachment: { type: "queued_command", commandMode: "prompt", prompt },
});

test("a message that waited since a pause is not taken, and the next one is", () => {
  using home = openPaused();
  home.write([queue("enqueue", { content: "call it heron" })]);
  expect(home.takes("submit", "p-1", "call it heron")).toBe(false);
  expect(home.takes("stop", "p-1")).toBe(false);
  expect(home.takes("submit", "p-2", "run the tests")).toBe(true);
});

const begun = [typed("p-1", "build it"), queue("enqueue", { content: "call it heron" })];

test.each([
  ["an operation of the queue", [queue("remove", { agoMs: 30_000 })]],
  ["an attachment", [attached("call it heron")]],
])("what follows in a turn on a message that was typed in a pause is not taken: %s", (_, taken) => {
  using home = openPaused();
  home.write(begun);
  expect(home.takes("tool", "p-1")).toBe(true);
  home.write([...begun, ...taken]);
  expect(home.takes("tool", "p-1")).toBe(false);
  // However long the transcript has grown since.
  home.write([]);
  expect(home.takes("stop", "p-1")).toBe(false);
  expect(home.takes("submit", "p-1", "and paint it")).toBe(true);
  expect(home.takes("stop", "p-2")).toBe(true);
});

test.each([
  ["waits", begun],
  ["went back to the editor", [...begun, queue("popAll", { agoMs: 30_000 })]],
  [
    "was typed after it",
    [begun[0], queue("enqueue", { content: "x", agoMs: 9_000 }), queue("remove", { agoMs: 8_000 })],
  ],
  [
    "was taken into the turn before",
    [typed("p-0", "go"), begun[1], queue("remove", { agoMs: 50_000 }), begun[0]],
  ],
])("an answer is taken when the message of the pause %s", (_, lines) => {
  using home = openPaused();
  home.write(lines.flatMap((line) => line ?? []));
  expect(home.takes("stop", "p-1")).toBe(true);
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
