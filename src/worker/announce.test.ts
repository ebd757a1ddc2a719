import { expect, test } from "bun:test";
import { openTestWorker } from "../../test/support/worker.ts";
import { defaultSettings, type HookEnvelope, type Settings } from "#domain";

const envelope = (prompt: string, id: string, atMs: number): HookEnvelope => ({
  v: 1,
  hook: "submit",
  clientEvent: "UserPromptSubmit",
  key: `key-of-${id}`,
  contentHash: id,
  anonymous: false,
  atMs,
  replayed: true,
  gated: false,
  payload: { session_id: "s-1", cwd: "/home/dev/deskly", prompt, prompt_id: id },
});

/** What comes with the prompt after a turn that is worth keeping. */
async function told(announce: Settings["moments"]["announce"], via: "socket" | "spool" = "socket") {
  const settings = { ...defaultSettings, moments: { ...defaultSettings.moments, announce } };
  using app = openTestWorker({ settings });
  app.submit("tried the pool with 50 connections, it failed, so we switched to pgbouncer", "p-1");
  app.stop("Root cause found: the pool ran out. Decided on pgbouncer; the tests pass now.", "p-1");
  await app.settle();
  const [reply] = app.worker.accept([envelope("thanks", "p-2", app.startMs + 60_000)], via);
  return reply?.message;
}

test("the moment of the turn before is told with the next prompt, where a message is wished", async () => {
  expect(await told("message")).toMatch(/^Stored: [a-z_-]+ \((?:0\.\d|1)\)$/);
});

test("nothing is told otherwise, nor to a hook that has gone", async () => {
  expect(await told("off")).toBeUndefined();
  expect(await told("statusline")).toBeUndefined();
  expect(await told("message", "spool")).toBeUndefined();
});
