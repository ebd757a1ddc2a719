import { expect, test } from "bun:test";
import { withoutComments, withoutElements } from "./markup.ts";

const shown = (text: string): string => text.replaceAll(" ", "·");

test.each([
  ["a<!-- x\ny -->b", "a······\n·····b"],
  ["a<!-- x", "a<!--·x"],
  ["a --> b <!-- c -->", "a·-->·b···········"],
])("blanks comments and keeps their places: %p", (text, blanked) => {
  expect(shown(withoutComments(text))).toBe(shown(blanked));
});

test.each([
  ["a<em>x\ny</em>b", "a·····\n······b"],
  ["a<em k=1>x</EM >b", "a···············b"],
  ["<em>x<em>y</em>z</em>", "···············z</em>"],
  ["depot/<ticket>/x", "depot/<ticket>/x"],
  ["<em>x</strong>", "<em>x</strong>"],
])("blanks elements and keeps their places: %p", (text, blanked) => {
  expect(shown(withoutElements(text))).toBe(shown(blanked.replaceAll("·", " ")));
});
