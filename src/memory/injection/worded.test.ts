/** An agent's wording of what the user said is quoted wherever a model reads it. */
import { expect, test } from "bun:test";
import { tokensOf } from "#kit";
import { openFixture } from "../../../test/support/memory/finding.ts";
import { start } from "../../../test/support/memory/injection.ts";
import { worded } from "../exchange/worded.ts";
import { cutLine, isOwnWords } from "./worded.ts";

const said = "yeah the slow one is the mirror, it repacks first";
const text = worded("the mirror repacks first.", said);

test("a line with the user's words behind it, which close no quotation", () => {
  expect(text).toBe(`the mirror repacks first (the user: "${said}")`);
  expect(worded("a", 'say "b"')).toBe(`a (the user: "say 'b'")`);
  expect([text, said].map((l0) => isOwnWords({ origin: "user", l0 }))).toEqual([false, true]);
  expect(isOwnWords({ origin: "agent", l0: said })).toBe(false);
});

test("stands in quotation marks in a start text", () => {
  using fixture = openFixture();
  fixture.add(text, { category: "preferences" });
  expect(start(fixture).text).toContain(`- “${text}”`);
});

test.each([
  ["short", "long ".repeat(200).trim()],
  ["long ".repeat(200).trim(), "short words of theirs"],
  ["long ".repeat(200).trim(), "long ".repeat(200).trim()],
])("cut to a line both parts stay", (line, quote) => {
  const cut = cutLine(worded(line, quote));
  expect(tokensOf(cut)).toBeLessThanOrEqual(100);
  expect(isOwnWords({ origin: "user", l0: cut })).toBe(false);
  expect(cut).toContain(quote.startsWith("short") ? quote : `(the user: "${quote.slice(0, 40)}`);
});
