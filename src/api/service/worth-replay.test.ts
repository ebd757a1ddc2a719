/** The figures of an invented voice, lived through by the real worker, equal a count by hand. */
import { expect, test } from "bun:test";
import { openTestService, testNowMs } from "../../../test/support/service.ts";
import type { HookName } from "#domain";
import { msPerDay, sha256 } from "#kit";

interface Said {
  readonly prompt: string;
  readonly command?: string;
  readonly answer: string;
  /** The fact that a model finds in the turn. */
  readonly fact?: string;
}

/** Sessions of one developer, a day apart. */
const voice: readonly (readonly Said[])[] = [
  [
    {
      prompt: "the label service listens on port 7001, by the way",
      answer: "Noted.",
      fact: "The label service listens on port 7001",
    },
    {
      prompt: "From now on always use pnpm in this project, never npm",
      answer: "I will.",
    },
  ],
  [
    // The start gives the rule, the second prompt the port; both are used.
    { prompt: "add the courier column", command: "pnpm install", answer: "The column is there." },
    { prompt: "which port does the label service listen on?", answer: "It listens on port 7001." },
  ],
  [
    // The start gives the rule, which does not show.
    { prompt: "rename the courier column", answer: "It is renamed." },
  ],
  [
    // As before; a prompt is given the port, which the user then says is another one.
    { prompt: "which port does the label service listen on?", answer: "I cannot reach it." },
    {
      prompt: "it moved to 7009 last night",
      answer: "Then I call that one.",
      fact: "The label service listens on port 7009",
    },
  ],
];

test("given, used and contradicted of a replayed voice are those counted by hand", async () => {
  using t = openTestService();
  let atMs = 0;
  const send = (hook: HookName, clientEvent: string, payload: object): string => {
    atMs += 1_000;
    const key = sha256(JSON.stringify([clientEvent, payload, atMs]));
    const head = { v: 1, hook, clientEvent, key, contentHash: key, anonymous: false } as const;
    const named = { hook_event_name: clientEvent, cwd: "/p", ...payload };
    const envelope = { ...head, atMs, replayed: true, gated: false, payload: named };
    return t.worker.accept([envelope], "socket")[0]?.context ?? "";
  };
  const given: string[] = [];
  for (const [at, turns] of voice.entries()) {
    const session_id = `v${at}`;
    atMs = testNowMs - (5 - at) * msPerDay;
    t.clock.advance(atMs - t.clock.nowMs());
    given.push(send("start", "SessionStart", { session_id, source: "startup" }));
    for (const [n, { prompt, command, answer, fact }] of turns.entries()) {
      const prompt_id = `${session_id}-${n}`;
      const tool = { tool_name: "Bash", tool_use_id: prompt_id, tool_input: { command } };
      given.push(send("submit", "UserPromptSubmit", { session_id, prompt, prompt_id }));
      if (command !== undefined)
        send("tool", "PostToolUse", { session_id, ...tool, tool_response: { stdout: "ok" } });
      send("stop", "Stop", { session_id, prompt_id, last_assistant_message: answer });
      if (fact !== undefined)
        t.worker.remember(
          {
            category: "entities",
            uriHint: "label service",
            l0: fact,
            l1: null,
            l2: null,
            importance: 3,
            tags: [],
            files: [],
            aliases: [],
            project: null,
            origin: "user",
            maker: "extract",
            evidence: { sessionId: session_id, turn: n + 1, line: null, quote: prompt },
            branch: null,
            atMs,
            slot: "label service · port",
          },
          `session:${session_id}`,
        );
    }
  }
  t.clock.advance(testNowMs - t.clock.nowMs());
  const told = (text: string): number => given.filter((one) => one.includes(text)).length;
  const { sessions, start, prompt, missed } = await t.service.worth(30);
  expect([told("always use pnpm"), told("port 7001")]).toEqual([3, 2]);
  expect(sessions).toBe(3);
  expect(start).toMatchObject({ given: 3, used: 1, contradicted: 0 });
  expect(prompt).toMatchObject({ given: 2, used: 1, contradicted: 1 });
  expect(missed).toBe(0);
});
