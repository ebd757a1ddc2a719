/** Statements of an instruction file, and whether one says what a memory says. */
import { describe, expect, test } from "bun:test";
import { noteStatements, saidIn } from "./note-lines.ts";

const isSaid = (memory: string, ...lines: readonly string[]): boolean =>
  saidIn(memory, {
    lines: lines.map((text, at) => ({ file: "CLAUDE.md", line: at + 1, text, atMs: 0 })),
    name: "acme",
  }) !== null;

describe("a line says the same", () => {
  test.each([
    ["Use pnpm", "Use pnpm"],
    ["acme: Use pnpm, never npm", "Use pnpm, never npm."],
    ["Keine Semikolons verwenden", "Keine Semikolons verwenden."],
    ["Ne jamais pousser sur main", "Ne jamais pousser sur main"],
    ["Никогда не пушь в main", "никогда не пушь в main"],
    ["提交信息用英文写", "提交信息用英文写。"],
    ["コミットメッセージは英語で書く", "コミットメッセージは英語で書く"],
  ])("%s = %s", (memory, line) => expect(isSaid(memory, line)).toBe(true));

  test("also in two lines, one for each sentence", () =>
    expect(
      isSaid("Use vitest. Never mock the database.", "Never mock the database", "Use vitest"),
    ).toBe(true));
});

describe("a line says something else", () => {
  test.each([
    ["Use npm for publishing", "Use pnpm"],
    ["Use pnpm", "Never use pnpm"],
    ["Use tabs in Makefiles", "Use tabs"],
    ["Prefer tabs over spaces", "Prefer spaces over tabs"],
    ["Run pnpm test before every commit", "Run pnpm test before every push"],
    ["Use pnpm, never npm, and commit the lock file", "Use pnpm, never npm"],
    ["Billing listens on port 6432", "Billing listens on port 7777"],
    ["提交信息用英文写", "提交信息用中文写"],
  ])("%s / %s", (memory, line) => expect(isSaid(memory, line)).toBe(false));
});

describe("the statements of a file", () => {
  test("are items and sentences of prose with their lines", () =>
    expect(
      noteStatements(
        "---\ntitle: x\n---\n# Rules\n\n- **Use** `pnpm`,\n  never npm\n" +
          "- [ ] [Docs](d.md) first\r\n\nProse of\ntwo lines.\n",
      ),
    ).toEqual([
      { line: 6, text: "Use pnpm, never npm" },
      { line: 8, text: "Docs first" },
      { line: 10, text: "Prose of two lines." },
    ]));

  test("are none in code, quotations, tables, comments and lists of what not to do", () =>
    expect(
      noteStatements(
        [
          "```sh\nUse a\n```\n~~~\nUse b\n~~~\n> Use c\n| Use d |\n<!-- Use e\nUse f -->",
          "## Don't\n- Use g\n### More\n- Use h\n## Old rules\nUse i",
          "## Rules\nNever:\n- Use j\n\nWhen releasing:\n- Use k\n\nUse l",
          "```\nUse m",
        ].join("\n"),
      ),
    ).toEqual([{ line: 24, text: "Use l" }]));

  test("are bounded, whatever the file holds", () => {
    const many = noteStatements(`${"- a rule\n".repeat(5_000)}${"x".repeat(100_000)}`);
    expect(many).toHaveLength(600);
    expect(noteStatements("```".repeat(20_000))).toEqual([]);
    expect(noteStatements(`<!--${"<!--".repeat(20_000)}`)).toEqual([]);
  });
});
