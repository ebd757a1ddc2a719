import { expect, test } from "bun:test";
import { marked, piecesOf } from "./text.tsx";

const acting = (text: string): readonly string[] =>
  piecesOf(text)
    .filter(({ kind }) => kind === "acting")
    .map((piece) => piece.text);

test.each([
  { name: "terminal escapes", text: "a\u001b[31mb", expected: ["ESC"] },
  {
    name: "direction overrides and isolates",
    text: "\u202e\u2066x\u2069",
    expected: ["RLO", "U+2066", "U+2069"],
  },
  {
    name: "invisible separators",
    text: "a\u200bb\ufeffc\u2060",
    expected: ["ZWSP", "BOM", "U+2060"],
  },
  {
    name: "bells, nulls, backspaces and deletes",
    text: "\u0000\u0007\u0008\u007f",
    expected: ["NUL", "BEL", "BS", "DEL"],
  },
  { name: "eight-bit controls", text: "\u009b2J", expected: ["U+009B"] },
  { name: "tag characters", text: "a\u{e0041}", expected: ["U+E0041"] },
  { name: "half a surrogate pair", text: "a\ud83d", expected: ["U+D83D"] },
  { name: "a carriage return alone", text: "safe\revil", expected: ["CR"] },
])("$name are named", ({ text, expected }) => {
  expect(acting(text)).toEqual(expected);
});

test.each(["plain", "two\nlines\tand a tab", "dos\r\nends", "family 👨‍👩‍👧", "שלום مرحبا", "क्‍ष", ""])(
  "%p stays as it is",
  (text) => {
    expect(acting(text)).toEqual([]);
    expect(
      piecesOf(text)
        .map((piece) => piece.text)
        .join(""),
    ).toBe(text.replaceAll("\r\n", "\n"));
  },
);

test("words of a query are marked wherever they stand, whatever they consist of", () => {
  const pieces = marked(piecesOf("Port 5433 (port) and C++ [x]"), ["port", "c++", "[x]", "("]);
  expect(pieces.filter(({ kind }) => kind === "mark").map(({ text }) => text)).toEqual([
    "Port",
    "(",
    "port",
    "C++",
    "[x]",
  ]);
});

test("words are marked from their beginning, not inside others", () => {
  const pieces = marked(piecesOf("ports, exports and because of use"), ["port", "use"]);
  expect(pieces.filter(({ kind }) => kind === "mark").map(({ text }) => text)).toEqual([
    "port",
    "use",
  ]);
});

test("without words nothing is marked, and names of characters never are", () => {
  expect(marked(piecesOf("esc \u001b"), ["esc"]).map(({ kind }) => kind)).toEqual([
    "mark",
    "plain",
    "acting",
  ]);
  expect(marked(piecesOf("a b"), [])).toEqual(piecesOf("a b"));
});

test("a text of 40,000 characters is one piece", () => {
  expect(piecesOf("a".repeat(40_000))).toHaveLength(1);
});
