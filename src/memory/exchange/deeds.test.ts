/** Recipes and commits of a turn: what failed and then passed, with the steps between, and what a commit closed. */
import { expect, test } from "bun:test";
import { leftRunning, refusedCall, type ToolUse } from "#domain";
import type { TurnContext } from "../extraction/significance.ts";
import { deedsOf } from "./deeds.ts";

const use = (tool: string, target: string, more: Partial<ToolUse> = {}): ToolUse => ({
  id: 1,
  sessionId: "s",
  turn: 1,
  toolUseId: null,
  tool,
  target,
  files: tool === "Edit" ? [target] : [],
  outcome: "ok",
  text: null,
  atMs: 0,
  agentId: null,
  ...more,
});
const failed = (target: string, text: string) => use("Bash", target, { outcome: "error", text });

const deeds = (tools: readonly ToolUse[], openEnds: readonly string[] = []) =>
  deedsOf({ tools, openEnds } as unknown as TurnContext);

test("a command that failed and then passed is told with its reason and the steps between", () => {
  const tools = [
    failed("bun test src/cart.test.ts", "Exit code 1\nerror: expected 12 to equal 13"),
    use("Bash", "rg round src"),
    use("Edit", "src/cart.ts"),
    use("Bash", "bun install --force"),
    use("Bash", "bun test src/cart.test.ts"),
  ];
  expect(deeds(tools)).toEqual([
    "Failed, then passed: bun test src/cart.test.ts (error: expected 12 to equal 13); " +
      "between: edited src/cart.ts, ran bun install --force",
  ]);
});

test("the command that passed is told where it is another one of the program", () => {
  const tools = [
    failed("npm install", "npm ERR! code ERESOLVE"),
    use("Bash", "npm install --legacy-peer-deps"),
  ];
  expect(deeds(tools)).toEqual([
    "Failed, then passed: npm install (npm ERR! code ERESOLVE); between: ran npm install --legacy-peer-deps",
  ]);
});

test("a command that was left running has not passed", () => {
  const left = use("Bash", "make tide", { text: leftRunning });
  expect(deeds([failed("make tide", "no berth"), left])).toEqual([]);
});

test("what was looked for in vain, and what still fails, is no recipe", () => {
  const tools = [
    failed("rg nothing src", ""),
    use("Bash", "rg nothing lib"),
    failed("bun test", "2 tests fail"),
    failed("bun test", "1 test fails"),
  ];
  expect(deeds(tools)).toEqual(["Failed: bun test"]);
});

test.each([refusedCall(null), "Permission to use Bash with command git push has been denied."])(
  "a command that never ran did not fail: %s",
  (text) => {
    expect(deeds([failed("bun test", text), use("Bash", "bun test")])).toEqual([]);
    expect(deeds([use("Bash", "bun test"), failed("git push", text)])).toEqual([]);
  },
);

test("a commit is told with the open ends of earlier sessions that it closes, and no other", () => {
  const openEnds = ["retry the outbox with a backoff", "translate the help pages"];
  const commit = use("Bash", "git commit -qm 'outbox: retry with a backoff'");
  expect(deeds([commit], openEnds)).toEqual([
    "Committed: outbox: retry with a backoff",
    "Closed: retry the outbox with a backoff",
  ]);
  expect(deeds([use("Bash", "bun test")], openEnds)).toEqual([]);
});
