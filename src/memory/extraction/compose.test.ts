import { expect, test } from "bun:test";
import { l1Of } from "./compose.ts";
import type { TurnContext } from "./turn-context.ts";

const turnOf = (prompt: string): TurnContext => ({
  sessionId: "s-1",
  turn: 1,
  project: "dir:1",
  projectName: "harbour",
  branch: "main",
  atMs: Date.parse("2026-03-02T09:00:00Z"),
  prompt,
  answer: null,
  interrupted: false,
  previousPrompt: null,
  previousAnswer: null,
  tools: [],
});

test.each([
  {
    name: "an aside is no context",
    prompt: "lol, long day. get the API running? from now on use pnpm here, never npm",
    shown: "get the API running? from now on use pnpm here, never npm",
  },
  {
    name: "what is about the work stays as it was said",
    prompt: "the tide table is wrong in src/tides.ts. fix it and use pnpm",
    shown: "the tide table is wrong in src/tides.ts. fix it and use pnpm",
  },
  { name: "a prompt of nothing but asides stays", prompt: "lol. nice day", shown: "lol. nice day" },
])("$name", ({ prompt, shown }) => {
  expect(l1Of({ said: "use pnpm", turn: turnOf(prompt) })).toBe(
    `Said on 2026-03-02: use pnpm\nPrompt: ${shown}`,
  );
});
