/** Tests what finishes an open end, and what does not. */
import { describe, expect, test } from "bun:test";
import type { ToolUse, Turn } from "#domain";
import { closedBy } from "./open-closed.ts";

const turn = (prompt: string, answer: string | null, over: Partial<Turn> = {}): Turn => ({
  id: 1,
  sessionId: "s",
  n: 1,
  promptId: null,
  prompt,
  line: null,
  status: "closed",
  startedAt: 0,
  endedAt: 1,
  answer,
  toolCount: 0,
  filesRead: [],
  filesEdited: [],
  ...over,
});
const command = (target: string, outcome: "error" | "ok" = "ok", text = ""): ToolUse => ({
  id: 1,
  sessionId: "s",
  turn: 1,
  toolUseId: null,
  tool: "Bash",
  target,
  files: [],
  outcome,
  text,
  atMs: 0,
  agentId: "",
});
const isClosed = (
  item: string,
  turns: readonly Turn[],
  toolUses: readonly ToolUse[] = [],
): boolean => closedBy([item], { turns, toolUses }).length === 1;

describe("a failing command", () => {
  const item = "Still failing: npm test (2 tests failed)";
  test("passes", () => {
    expect(isClosed(item, [], [command("npm test")])).toBe(true);
    expect(isClosed(item, [], [command("cd web && npm test -- parser")])).toBe(true);
  });
  test("fails again, or another one passes", () => {
    expect(isClosed(item, [], [command("npm test", "error")])).toBe(false);
    expect(isClosed(item, [], [command("npm run build")])).toBe(false);
    expect(isClosed(item, [turn("hm", "The npm test command failed again.")])).toBe(false);
  });
});

describe("a commit that names it", () => {
  const item = "The retry logic of the queue still has to be covered by tests";
  test("finishes it", () => {
    const commit = 'git commit -m "Cover the retry logic of the queue with tests"';
    expect(isClosed(item, [], [command(commit)])).toBe(true);
    expect(isClosed(item, [], [command(commit, "error")])).toBe(false);
  });
  test("of something else does not", () =>
    expect(isClosed(item, [], [command('git commit -m "Add tests for the parser"')])).toBe(false));
});

test("an order that was not finished is given again, and has an end", () => {
  const item = "Not finished: Rewrite the import of bank statements";
  const order = "rewrite the import of bank statements";
  const edited = { filesEdited: ["src/import.ts"] };
  expect(isClosed(item, [turn(order, "Done.", edited)])).toBe(true);
  expect(isClosed(item, [turn(order, "I would start with the parser.")])).toBe(false);
  expect(isClosed(item, [turn(order, null, { ...edited, status: "interrupted" })])).toBe(false);
});

describe("nothing that is only said finishes it", () => {
  const item = "The migration script for invoices is missing";
  test.each([
    ["a question", "is the migration script for invoices done?", "Not yet."],
    ["an answer", "go on", "I added the migration script for invoices."],
    ["no words", "", ""],
  ])("%s", (_name, prompt, answer) => expect(isClosed(item, [turn(prompt, answer)])).toBe(false));
  test("an item of one word is never finished by chance", () =>
    expect(isClosed("Tests", [], [command('git commit -m "Fix the tests"')])).toBe(false));
});

test("an end that names a file is finished by a turn that edits it and ends well", () => {
  const open = ["One test still fails: cart.spec.ts"];
  const fix = (edited: string, ...toolUses: readonly ToolUse[]) =>
    closedBy(open, { turns: [turn("go on", "Ok.", { filesEdited: [edited] })], toolUses });
  expect(fix("src/cart.ts", command("bun test"))).toEqual(open);
  expect(fix("src/tax.ts", command("bun test"))).toEqual([]);
  expect(fix("src/cart.ts", command("bun test", "error"))).toEqual([]);
});
