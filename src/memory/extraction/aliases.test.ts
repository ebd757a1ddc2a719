/** Other words for what a memory says. */
import { expect, test } from "bun:test";
import { aliasesOf } from "./aliases.ts";

test("an idea is found under its other names", () => {
  expect(aliasesOf("staging is on port 5433")).toContain("pre-production");
  expect(aliasesOf("we use pnpm")).toContain("package manager");
  expect(aliasesOf("new feature flags go through unleash")).toContain("toggle");
});

test("no alias repeats the text, and there are at most eight", () => {
  const text = "deploy the database migration to staging and production with a canary";
  const aliases = aliasesOf(text);
  expect(aliases.length).toBeLessThanOrEqual(8);
  for (const alias of aliases) expect(text).not.toContain(alias);
});

test("words that say nothing special have no aliases", () => {
  expect(aliasesOf("thanks a lot")).toEqual([]);
});
