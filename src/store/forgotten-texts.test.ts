import { expect, test } from "bun:test";
import { createForgottenTextMatcher, normalise } from "./forgotten-texts.ts";

test.each([
  { name: "other case and punctuation", text: "So: USES  pnpm -- never npm?", expected: true },
  { name: "line breaks", text: "uses\npnpm,\nnever npm", expected: true },
  { name: "full-width letters", text: "ｕｓｅｓ pnpm never npm", expected: true },
  { name: "only a part", text: "uses pnpm", expected: false },
  { name: "something else", text: "never npm, uses pnpm", expected: false },
  { name: "nothing", text: "", expected: false },
])("a long forgotten text is found in $name: $expected", ({ text, expected }) => {
  expect(createForgottenTextMatcher(["Uses pnpm, never npm"], []).isIn(text)).toBe(expected);
});

test("a short forgotten text only takes what says nothing else", () => {
  const forgotten = createForgottenTextMatcher(["pnpm"], []);
  expect(forgotten.isIn("PNPM.")).toBe(true);
  expect(forgotten.isIn("install with pnpm")).toBe(false);
});

test("a long stretch of the user's own words counts in their session only", () => {
  const quote = { sessionId: "s", text: "the staging database listens on port 6543 in Frankfurt" };
  const forgotten = createForgottenTextMatcher([], [quote]);
  const cut = "The staging database listens on po…";
  expect(forgotten.isInSession("s", cut)).toBe(true);
  expect(forgotten.isInSession("t", cut)).toBe(false);
  expect(forgotten.isInSession("s", "The staging database is slow")).toBe(false);
});

test("texts that are only punctuation are never found", () => {
  expect(createForgottenTextMatcher(["…", "  "], []).isIn("...")).toBe(false);
  expect(normalise(" A\u0301-B ")).toBe("á b");
});
