import { expect, test } from "bun:test";
import { followed } from "./commands/jobs.ts";
import {
  ageOf,
  bytesOf,
  durationOf,
  fit,
  parseSpan,
  safeLine,
  safeJson,
  safeText,
  styleFor,
  table,
  widthOf,
  wrap,
} from "./text.ts";

const esc = "\u001b";

test.each([
  { name: "colour", text: `a${esc}[31mred${esc}[0mb`, safe: "aredb" },
  { name: "cursor movement", text: `a${esc}[2J${esc}[1;1Hb`, safe: "ab" },
  { name: "a window title", text: `a${esc}]0;owned\u0007b`, safe: "ab" },
  {
    name: "a hyperlink",
    text: `${esc}]8;;http://evil${esc}\\click${esc}]8;;${esc}\\`,
    safe: "click",
  },
  { name: "an unfinished sequence", text: `a${esc}[`, safe: "a" },
  { name: "a lone escape", text: `a${esc}`, safe: "a\u001b".slice(0, 1) },
  { name: "C1 controls", text: "a\u009b31mb\u0085c", safe: "abc" },
  { name: "a right-to-left override", text: "a\u202egnp.exe\u2066b\u2069", safe: "agnp.exeb" },
  { name: "zero-width characters", text: "pa\u200bss\ufeffword", safe: "password" },
  { name: "bell, backspace and carriage return", text: "a\u0007\u0008b\rc", safe: "abc" },
  { name: "line breaks and umlauts stay", text: "grün\nblau\r\nrot", safe: "grün\nblau\nrot" },
  { name: "joined emoji stay whole", text: "👩‍💻", safe: "👩‍💻" },
])("on a terminal: $name", ({ text, safe }) => {
  expect(safeText(text)).toBe(safe);
});

test("a safe line is one line", () => {
  expect(safeLine(" a\n\tb  c ")).toBe("a b c");
});

test.each([
  { text: "short", cells: 10, cut: "short" },
  { text: "abcdefgh", cells: 5, cut: "abcd…" },
  { text: "日本語の文字", cells: 5, cut: "日本…" },
  { text: "ab👩‍💻cd", cells: 4, cut: "ab…" },
  { text: "anything", cells: 0, cut: "" },
])("fit($text, $cells) is $cut", ({ text, cells, cut }) => {
  expect(fit(text, cells)).toBe(cut);
  expect(widthOf(fit(text, cells))).toBeLessThanOrEqual(Math.max(cells, 0));
});

test("wrapping keeps words whole and line breaks where they were", () => {
  expect(wrap("one two three\nfour", 8)).toEqual(["one two", "three", "four"]);
  expect(wrap("unbreakable", 4)).toEqual(["unbreakable"]);
  expect(wrap("any length at all", null)).toEqual(["any length at all"]);
});

test.each([
  { text: "90s", ms: 90_000 },
  { text: "30m", ms: 1_800_000 },
  { text: "1h", ms: 3_600_000 },
  { text: "7d", ms: 604_800_000 },
  { text: "500ms", ms: 500 },
  { text: "2 w", ms: 1_209_600_000 },
  { text: "1x", ms: null },
  { text: "h", ms: null },
  { text: "-1h", ms: null },
  { text: "", ms: null },
  { text: "1constructor", ms: null },
])("the duration $text is $ms", ({ text, ms }) => {
  expect(parseSpan(text)).toBe(ms);
});

test("ages, durations and sizes read naturally", () => {
  const now = Date.parse("2026-09-15T10:00:00Z");
  expect(ageOf(now - 1_000, now)).toBe("just now");
  expect(ageOf(now - 7_200_000, now)).toBe("2 h ago");
  expect(ageOf(now - 40 * 86_400_000, now)).toBe("2026-08-06");
  expect(ageOf(now + 5_000, now)).toBe("2026-09-15");
  expect(durationOf(90_061_000)).toBe("1 d 1 h");
  expect(bytesOf(3_500)).toBe("3.4 KB");
});

test.each([
  { name: "a terminal", env: {}, isTerminal: true, isOn: true },
  { name: "a pipe", env: {}, isTerminal: false, isOn: false },
  { name: "NO_COLOR", env: { NO_COLOR: "1" }, isTerminal: true, isOn: false },
  { name: "an empty NO_COLOR", env: { NO_COLOR: "" }, isTerminal: true, isOn: true },
  { name: "a dumb terminal", env: { TERM: "dumb" }, isTerminal: true, isOn: false },
])("colour on $name: $isOn", ({ env, isTerminal, isOn }) => {
  expect(styleFor(env, isTerminal).bold("x") !== "x").toBe(isOn);
});

const style = styleFor({}, false);
const rows = [
  { uri: "mem://user/entities/staging-database-port", l0: `The port${esc}[31m is 5433` },
  { uri: "mem://user/preferences/pm", l0: "Use pnpm\nnot npm" },
];
const columns = [
  { title: "MEMORY", value: (row: (typeof rows)[number]) => row.l0, least: 8 },
  { title: "URI", value: (row: (typeof rows)[number]) => row.uri, least: 10 },
];

test("a table fits the terminal, and is whole elsewhere", () => {
  for (const width of [30, 40, 80]) {
    const lines = table(rows, columns, { width, style }).trimEnd().split("\n");
    expect(lines.length).toBe(3);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
  }
  expect(table(rows, columns, { width: null, style })).toBe(
    "MEMORY            URI\n" +
      "The port is 5433  mem://user/entities/staging-database-port\n" +
      "Use pnpm not npm  mem://user/preferences/pm\n",
  );
});

test.each([
  { name: "nothing new", before: ["a", "b"], now: ["a", "b"], news: [] },
  { name: "one more", before: ["a", "b"], now: ["a", "b", "c"], news: ["c"] },
  { name: "the window moved", before: ["a", "b"], now: ["b", "c"], news: ["c"] },
  { name: "equal lines", before: ["a", "a"], now: ["a", "a", "a"], news: ["a"] },
  { name: "a new file", before: ["a", "b"], now: ["c"], news: ["c"] },
  { name: "the first lines", before: [], now: ["a"], news: ["a"] },
  { name: "looking further back", before: ["c"], now: ["a", "b", "c", "d"], news: ["d"] },
])("following a log: $name", ({ before, now, news }) => {
  expect(followed(before, now)).toEqual(news);
});

test("JSON has escapes for what a terminal obeys", () => {
  const json = safeJson(JSON.stringify({ l0: "a\u001b[31m\u009b2J\u202eb" }));
  expect(json).toBe(String.raw`{"l0":"a\u001b[31m\u009b2J\u202eb"}`);
  expect(JSON.parse(json)).toEqual({ l0: "a\u001b[31m\u009b2J\u202eb" });
});
