/** A rule goes into an instruction file and out again; the rest of the file stays as it is, byte for byte. */
import { describe, expect, test } from "bun:test";
import { ruleItem, withoutRule, withRule } from "./promoted.ts";

const one = ruleItem("Use pnpm, never npm");
const two = ruleItem("Tests run with vitest");

const back = (text: string, item: string): string | null => {
  const without = withoutRule(text, item);
  return without.type === "text" ? without.text : without.type === "remove" ? null : "missing";
};

describe("in and out", () => {
  test.each([
    ["no file", null],
    ["an empty file", ""],
    ["a byte order mark alone", "\ufeff"],
    ["a file", "# Deskly\n\n- Be brief\n"],
    ["Windows line ends", "# Deskly\r\n\r\n- Be brief\r\n"],
    ["Windows line ends, none at the end", "# Deskly\r\n- Be brief"],
    ["a byte order mark", "\ufeff# Deskly\n"],
    ["no line end at the end", "# Deskly\n\nBe brief"],
    ["one line", "Be brief"],
    ["many line ends", "\n\n\nBe brief\n\n\n"],
    ["blanks at the end", "Be brief  \n  "],
    ["an open code block", "```\ncode\n"],
  ])("%s", (_name, before) => {
    const first = withRule(before, one) ?? "";
    expect(first).toContain(one);
    expect(back(first, one)).toBe(before);
    const both = withRule(first, two) ?? "";
    expect(back(both, two)).toBe(first);
    expect(back(back(both, one) ?? "", two)).toBe(before);
    expect(both.match(/Remembered rules/gu)).toHaveLength(1);
    expect(withRule(both, one)).toBeNull();
  });

  test("what was written behind it stays, and so does an item that was changed", () => {
    const text = `${withRule("# A\n", one) ?? ""}\n## More\n\n- Be brief\n`;
    expect(back(text, one)).toBe("# A\n\n## More\n\n- Be brief\n");
    expect(back(text.replace("never", "not"), one)).toBe("missing");
    expect(back("# A\n- Use pnpm, never npm\n", one)).toBe("missing");
    expect(withRule("# A\n- Use pnpm, never npm\n", one)).toBeNull();
  });
});

test("an item means itself: no import, no comment, no code block", () => {
  expect(ruleItem("Use @acme/ui, mail a@b.example")).toBe("- Use `@acme/ui`, mail a@b.example");
  expect(ruleItem("a <!-- b\n```c")).toBe("- a <! -- b `c");
});
