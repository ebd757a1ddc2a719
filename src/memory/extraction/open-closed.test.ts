/** What finishes an open end, and what does not. */
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

describe("it is said to be done", () => {
  test.each([
    ["The migration script for invoices is missing", "I added the migration script for invoices."],
    [
      "Das Migrationsskript für Rechnungen fehlt noch",
      "Migrationsskript für Rechnungen ist erledigt.",
    ],
    ["Il reste à corriger le parseur de dates", "Le parseur de dates est corrigé."],
    ["Falta corregir el analizador de fechas", "El analizador de fechas está corregido."],
    ["Falta corrigir o analisador de datas", "O analisador de datas foi corrigido."],
    ["Осталось исправить парсер дат", "Парсер дат исправлен."],
    ["日期解析器还没有修复", "日期解析器已修复。"],
    ["日付パーサーの修正が残っています", "日付パーサーの修正が完了しました。"],
  ])("%s: %s", (item, answer) => {
    expect(isClosed(item, [turn("weiter", answer)])).toBe(true);
    expect(isClosed(item, [turn(answer, "Ok.")])).toBe(true);
  });

  test("an order that was not finished is given again, and done", () => {
    const item = "Not finished: Rewrite the import of bank statements";
    const order = "rewrite the import of bank statements";
    expect(isClosed(item, [turn(order, "Done. Everything is implemented.")])).toBe(true);
    expect(
      isClosed(item, [turn(order, "Half of it is implemented, the rest is still open.")]),
    ).toBe(false);
    expect(isClosed(item, [turn(order, null, { status: "interrupted" })])).toBe(false);
  });
});

describe("nothing finishes it", () => {
  const item = "The migration script for invoices is missing";
  test.each([
    ["a question", "is the migration script for invoices done?", "Not yet."],
    ["a promise", "go on", "I will add the migration script for invoices next."],
    ["something else that is done", "go on", "Added the landing page."],
    ["no words", "", ""],
  ])("%s", (_name, prompt, answer) => expect(isClosed(item, [turn(prompt, answer)])).toBe(false));
  test("an item of one word is never finished by chance", () =>
    expect(isClosed("Tests", [turn("go on", "All tests are fixed.")])).toBe(false));
});

test("an end that names a file is finished by an edit of that file after which nothing is left", () => {
  const open = ["One test still fails: cart.spec.ts"];
  const fix = (answer: string, edited: string) =>
    closedBy(open, {
      turns: [turn("go on", answer, { filesEdited: [edited] })],
      toolUses: [],
    });
  expect(fix("Fixed the rounding. All tests pass.", "src/cart.ts")).toEqual(open);
  expect(fix("Fixed the rounding. All tests pass.", "src/tax.ts")).toEqual([]);
  expect(fix("Fixed the rounding, one test still fails.", "src/cart.ts")).toEqual([]);
});
