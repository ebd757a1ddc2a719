/** What an instruction file says, and whether it says what a memory says, or the contrary. */
import { describe, expect, test } from "bun:test";
import { noteStatements } from "./note-lines.ts";
import { notesOf, saidIn } from "./said-in.ts";

const found = (memory: string, ...lines: readonly string[]): string | null =>
  saidIn(
    memory,
    notesOf(
      lines.map((text, at) => ({ file: "CLAUDE.md", line: at + 1, text, atMs: 0 })),
      "acme",
    ),
  )?.kind ?? null;

describe("a line says the same", () => {
  test.each([
    ["Use pnpm", "Use pnpm"],
    ["acme: Always use pnpm, never npm", "Use pnpm, never npm."],
    ["Run pnpm test before every commit", "Before every commit, run `pnpm test`."],
    ["The user prefers short answers", "Short answers please"],
    ["Postgres listens on port 6432", "Postgres listens on port 6432 here"],
    ["Keine Semikolons verwenden", "Keine Semikolons verwenden."],
    ["Ne jamais pousser sur main", "Ne jamais pousser sur main"],
    ["Nunca uses comillas simples", "Nunca uses comillas simples."],
    ["Никогда не пушь в main", "никогда не пушь в main"],
    ["提交信息用英文写", "提交信息用英文写。"],
    ["コミットメッセージは英語で書く", "コミットメッセージは英語で書く"],
  ])("%s = %s", (memory, line) => expect(found(memory, line)).toBe("said"));

  test("also in two lines, one for each sentence", () =>
    expect(
      found("Use vitest. Never mock the database.", "Never mock the database", "Use vitest"),
    ).toBe("said"));
});

describe("a line says the contrary", () => {
  test.each([
    ["Use npm", "Use pnpm here"],
    ["Use npm", "Use pnpm, never npm"],
    ["Never use npm", "Use npm"],
    ["Use tabs", "Use spaces"],
    ["Prefer tabs over spaces", "Prefer spaces over tabs"],
    ["Don't add semicolons", "Add semicolons"],
    ["Tests run with vitest", "Tests run with jest"],
    ["Line length is 100", "Line length is 120"],
  ])("%s ≠ %s", (memory, line) => expect(found(memory, line)).toBe("contrary"));

  test("but not where another line says the same", () =>
    expect(found("Use npm", "Use pnpm", "Use npm")).toBe("said"));
});

describe("a line says neither", () => {
  test.each([
    ["Use npm for publishing", "Use pnpm"],
    ["Use pnpm", "Never use npm, use pnpm"],
    ["Never use npm", "Use pnpm"],
    ["Use tabs in Makefiles", "Use tabs"],
    ["Use tabs", "Use tabs in Makefiles"],
    ["Only merge on green CI", "Merge on green CI"],
    ["Use npm", "If pnpm fails, use yarn"],
    ["Run pnpm test before every commit", "Run pnpm test before every push"],
    ["Use pnpm, never npm, and commit the lock file", "Use pnpm, never npm"],
    ["Deploys go to Frankfurt", "Deploys go to Dublin"],
    ["Anna reviews the API", "Ben reviews the API"],
    ["Billing listens on port 6432", "Search listens on port 7777"],
    ["Postgres 16 runs on the old host", "Postgres 17 runs in the cluster"],
    ["提交信息用英文写", "提交信息用中文写"],
  ])("%s / %s", (memory, line) => expect(found(memory, line)).toBeNull());
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
