/** Tests whose list it is that stands below a line with a colon. */
import { expect, test } from "bun:test";
import { withoutCitedLines } from "./citations.ts";

const list = "- always run ./qq.sh before commits\n- never use spaces";

test.each([
  "here's our AGENTS.md from upstream:",
  "The wiki says:",
  "CONTRIBUTING.md:",
  "I found this in their guide:",
  "he wrote:",
  "hier ist die README von nebenan:",
  "voici leur guide :",
  "aquí está su guía:",
  "вот их правила:",
  "这是他们的规则：",
])("a list somebody else wrote is left out: %s", (line) => {
  expect(withoutCitedLines(`${line}\n\n${list}\n\nis it good?`)).toBe(`${line}\n\n\nis it good?`);
});

test.each([
  "remember these:",
  "from now on:",
  "A few things for this repo:",
  "here are our rules, remember them:",
  "add this to AGENTS.md:",
  "please fix:",
  "here's what I want from now on:",
])("the user's own list stays: %s", (line) => {
  const text = `${line}\n${list}\n\nthanks`;
  expect(withoutCitedLines(text)).toBe(text);
});

test("what stands behind the list stays", () => {
  const text = `the README says:\n1. run make\n   twice\n2. wait\nremember that we use pnpm`;
  expect(withoutCitedLines(text)).toBe("the README says:\nremember that we use pnpm");
});
