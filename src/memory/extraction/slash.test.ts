import { expect, test } from "bun:test";
import { scanSignals } from "./candidates.ts";
import { spokenIn } from "./slash.ts";

test.each([
  ["/remember we deploy on Tuesdays", "remember that we deploy on Tuesdays"],
  ["/continuity:remember we deploy on Tuesdays", "remember that we deploy on Tuesdays"],
  ["/continuity:remember", ""],
  ["/continuity:forget never deploy on Fridays", ""],
  ["/recall what we always do", ""],
  ["/team:review from now on use pnpm", "from now on use pnpm"],
  ["/usr/local is where we always install", "/usr/local is where we always install"],
  ["/tmp/x:y never", "/tmp/x:y never"],
  ["remember the port 5433", "remember the port 5433"],
])("of %p the user said %p", (prompt, said) => {
  expect(spokenIn(prompt)).toBe(said);
});

const turn = {
  sessionId: "s",
  turn: 1,
  project: null,
  projectName: "shop",
  branch: null,
  atMs: 0,
  answer: null,
  interrupted: false,
  previousPrompt: null,
  previousAnswer: null,
  tools: [],
} as const;

test("what is remembered by command is kept without the command, and what is forgotten is not learnt", () => {
  const [kept, ...more] = scanSignals({
    ...turn,
    prompt: "/continuity:remember we deploy on Tuesdays, never on Fridays",
  });
  expect(more).toEqual([]);
  expect(kept?.l0.toLowerCase()).toContain("we deploy on tuesdays, never on fridays");
  expect(kept?.l0).not.toContain("/");
  expect(scanSignals({ ...turn, prompt: "/forget that we never deploy on Fridays" })).toEqual([]);
});
