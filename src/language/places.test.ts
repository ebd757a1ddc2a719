/** Tests which lines of a prompt are surely typed, by where they stand. "+" = sure. */
import { expect, test } from "bun:test";
import { ownLead } from "./place-words.ts";
import { placesOf } from "./places.ts";

const places = (prompt: string, pasted: readonly number[] = []): string => {
  const lines = prompt.split("\n");
  const own = lines.map((line, n) => line.trim() !== "" && !pasted.includes(n));
  const { sure } = placesOf(lines, own, []);
  return lines.map((line, n) => (line === "" ? " " : sure[n] === true ? "+" : "-")).join("");
};

test.each([
  ["one paragraph", "fix it\nremember X\ndeploy", "+++"],
  ["a list alone", "- a\n- b", "++"],
  ["below a request without an end", "fix the mail\n\nHello Kim", "+ -"],
  ["below a question", "is it right?\n\nHello Kim", "+ -"],
  ["right below a question", "is it right?\nHello Kim", "+-"],
  ["below a colon", "customer:\n\nHello Kim\n\nBye", "+ - -"],
  ["below a statement", "It works now.\n\nThe host is elm.", "+ +"],
  ["below a statement that points", "These are the minutes.\n\nThe host is elm.", "+ -"],
  ["below a request, joined to it", "fix the mail\n\nalso the host is elm", "+ +"],
  ["a list below a sentence", "some rules\n- a\n- b", "+--"],
  ["a list below an order to keep it", "remember these:\n\n- a\n- b\n\nthanks", "+ ++ +"],
  ["behind a quotation", "> a\n> b\n\nthe host is elm", "-- +"],
  ["behind a fence", "why?\n```\na\n\nb\n```\nthe host is elm", "+-- --+"],
  ["a chat", "Kim: hello there\nBo: hi\n\nthe host is elm", "-- -"],
  ["the last line behind a list, about it", "- a\n- b\n\nsummarise this. remember X", "-- +"],
  ["the last line behind a list, of us", "- a\n- b\n\nfor us: remember X", "-- +"],
  [
    "an order and a request behind a list",
    "- a\n\nremember that our host is elm. fix the tests",
    "- +",
  ],
  ["an order behind a list", "- a\n\nRemember that our host is elm.", "- -"],
  ["above a line that asks about it", "Hello Kim. From now on use qq.\n\ntranslate this", "- +"],
  ["above a line that goes on", "We look at it. The host is elm.\n\nAlso fix the lint.", "+ +"],
  [
    "above a line that turns to the next task",
    "ok\n\nalways use qq\n\nNow run the tests.",
    "+ + +",
  ],
  ["above a next task that points", "Hello Kim. Always use qq.\n\nNow translate this.", "- +"],
  ["above a mere request", "Hello Kim. Always use qq.\n\nPlease translate to French.", "- -"],
  ["one order above a line that points", "always use qq\n\nclean this up", "+ +"],
  ["the client's own words", "<system-reminder>a</system-reminder>\nthe host is elm", "-+"],
])("%s", (_, prompt, expected) => expect(places(prompt)).toBe(expected));

test("what the reader takes for pasted opens a paste where it is prose, and ends by itself where it is not", () => {
  expect(places("Hello Kim,\nhow are you?\n\nthe host is elm", [0, 1])).toBe("-- -");
  expect(places('{"a": [1, 2]}\n\nthe host is elm', [0])).toBe("- +");
});

test("in a few paragraphs of one line the places decide, not the reader, but for what the agent said", () => {
  const lines = ["start the server", "", "The host is elm.", "", "Now run the tests."];
  const read = [true, false, false, false, false];
  expect(placesOf(lines, read, []).own).toEqual([true, false, true, false, true]);
  expect(placesOf(lines, read, ["The host is elm."]).own[2]).toBe(false);
  const paste = ["proofread it", "", "The host is elm."];
  expect(placesOf(paste, [true, false, false], []).own).toEqual([true, false, false]);
});

test.each([
  ["for us: note X", 8],
  ["anyway: note X", 8],
  ["also note X", 4],
  ["für uns gilt: note X", 14],
  ["Olga: note X", 0],
  ["note X", 0],
])("the user's own words before an order: %s", (said, length) =>
  expect(ownLead(said)).toBe(length),
);
