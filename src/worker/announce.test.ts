import { describe, expect, test } from "bun:test";
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
async function told(moments: Settings["announce"]["moments"], via: "socket" | "spool" = "socket") {
  const settings = { ...defaultSettings, announce: { ...defaultSettings.announce, moments } };
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

describe("what was remembered on the user's order", () => {
  const remembered = (prompts: readonly string[], on = true) => {
    const settings = {
      ...defaultSettings,
      announce: { ...defaultSettings.announce, remembered: on },
    };
    using app = openTestWorker({ settings });
    return prompts.map((prompt, at) => {
      const [reply] = app.worker.accept([envelope(prompt, `p-${at}`, app.startMs + at)], "socket");
      return reply?.message;
    });
  };

  test("is told beside the prompt, once, with its short id", () => {
    const [first, next] = remembered(["remember that the demo account is called falcon", "thanks"]);
    expect(first).toMatch(/^Remembered: .*the demo account is called falcon \(#\w+\)$/);
    expect(next).toBeUndefined();
  });

  test("says so of what was known", () => {
    const order = "remember that the demo account is called falcon";
    const [first = "", again = ""] = remembered([order, order]);
    expect(again).toBe(first.replace("Remembered", "Known already"));
  });

  test("is one line, however much was ordered and however it is written", () => {
    const prompt =
      "Please remember that the demo account is called falcon. Also remember that staging listens on port 5433.\n\n" +
      "From now on write commit messages in German. Remember: Priya reviews every change of the login.";
    const [message = ""] = remembered([prompt]);
    expect(message).toMatch(/^Remembered: .*falcon.*; .*5433.*; .*German.*; 1 more$/);
  });

  test("is not told where the user does not want it, nor of a prompt that orders nothing", () => {
    expect(remembered(["remember that the demo account is called falcon"], false)).toEqual([
      undefined,
    ]);
    expect(remembered(["which account does the demo use?"])).toEqual([undefined]);
  });
});
