import { expect, test } from "bun:test";
import { stripInvisible } from "./tags.ts";

const esc = "\u001b";

test.each([
  { name: "colours", text: `a${esc}[1;31mred${esc}[0m b`, left: "ared b" },
  {
    name: "titles and links",
    text: `a${esc}]0;title\u0007${esc}]8;;http://x${esc}\\b`,
    left: "ab",
  },
  { name: "eight-bit escapes", text: "a\u009b31mb", left: "ab" },
  { name: "an escape without an end", text: `a${esc}[31`, left: "a[31" },
  { name: "controls", text: "a\u0000\u0008b\u007f", left: "ab" },
  { name: "direction overrides and zero-width marks", text: "a\u202eb\u200bc\ufeff", left: "abc" },
  { name: "tag characters", text: "a\u{e0041}b", left: "ab" },
  { name: "half a character", text: "a\ud83db", left: "ab" },
])("$name go", ({ text, left }) => {
  expect(stripInvisible(text)).toBe(left);
  expect(stripInvisible(left)).toBe(left);
});

test("what people see stays, line breaks and tabs too", () => {
  const text = "Grüße\t日本語\r\n🎉 <b>[31m</b>";
  expect(stripInvisible(text)).toBe(text);
});
