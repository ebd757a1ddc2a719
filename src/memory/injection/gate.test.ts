/** A prompt is answered or left alone, by three questions. */
import { describe, expect, test } from "bun:test";
import { type Category } from "#domain";
import { type Fixture, openFixture } from "../../../test/support/memory/finding.ts";
import { composePrompt } from "./prompt.ts";
import type { ComposedPrompt, PromptInput } from "./prompt-types.ts";
import { evidenceFor } from "../../../test/support/memory/injection.ts";

const known: readonly (readonly [line: string, category: Category])[] = [
  ["Use pnpm, never npm.", "preferences"],
  ["Show the diff before every commit, in every repo.", "preferences"],
  ["The assistant widget is called Pixie in the interface", "entities"],
  ["Webchat runs on Node 20 only", "entities"],
  ["The user uses the fish shell", "profile"],
  ["No endpoint may use a wildcard CORS origin", "preferences"],
  ["Exports end their lines with CRLF because the fulfilment partner needs it", "entities"],
  ["The partner API allows 40 requests a minute", "entities"],
  ["The crane simulator is covered by snapshot tests", "entities"],
  ["Marta owns the billing schema", "entities"],
  ["On call changes every Monday at ten", "entities"],
];

function openKnown(): Fixture {
  const fixture = openFixture();
  for (const [l0, category] of known) fixture.add(l0, { category });
  return fixture;
}

const given = (fixture: Fixture, prompt: string, over?: Partial<PromptInput>): ComposedPrompt =>
  composePrompt(evidenceFor(fixture, prompt, over));

describe("answers", () => {
  test.each([
    ["Which shell does the user use?", "fish"],
    ["what CORS origin policy applies to a new HTTP endpoint?", "wildcard"],
    ["how many requests per minute does the partner API allow?", "40"],
    ["who owns the billing schema", "Marta"],
    ["use project memory: how do the exports end their lines", "CRLF"],
    // One typo, and one word for two.
    ["what do we call the assitant widget?", "Pixie"],
    ["which node version does the web chat need?", "Node 20"],
    // Rules that an order touches.
    ["install lodash", "pnpm"],
    ["fix the typo and commit", "diff"],
  ])("%s", (prompt, answer) => {
    using fixture = openKnown();
    const { text, decision } = given(fixture, prompt);
    expect([decision.cause, text]).toEqual(["wanted", expect.stringContaining(answer)]);
  });
});

describe("nothing", () => {
  test.each([
    "commit",
    "continue",
    "run the tests",
    "thanks, looks good",
    "undo that",
    "danke, passt",
    "merci, c'est bon",
    "gracias",
    "谢谢",
    "続けて",
    "спасибо",
    "how do I reverse a slice in go?",
    "how was your weekend?",
    "what a week",
    "fix the lint errors",
  ])("%s", (prompt) => {
    using fixture = openKnown();
    expect(given(fixture, prompt).text).toBe("");
  });
});

test("a memory stands above what was said in the same words", () => {
  using fixture = openFixture();
  const line = "The tide sensor answers on port 7021";
  fixture.add(line, {
    uri: "mem://sessions/before/exchanges/1",
    category: "sessions",
    l1: `> ${line}\n< Noted.`,
    sourceSession: "before",
    daysAgo: 1,
  });
  const memory = fixture.add(line);
  const { nodeIds } = given(fixture, "which port does the tide sensor answer on?");
  expect(nodeIds).toEqual([memory.id]);
});

test("what is far from an answer that the session has seen is not told in its place", () => {
  using fixture = openFixture();
  const known = fixture.add("The tide sensor answers on port 7021");
  fixture.add("The tide tables are bought from the harbour office");
  const prompt = "which port does the tide sensor answer on?";
  expect(given(fixture, prompt).nodeIds).toEqual([known.id]);
  expect(given(fixture, prompt, { seen: new Set([known.id]) }).text).toBe("");
});

test("a name that people use as a word does not exclude what has another one", () => {
  using fixture = openFixture();
  const { id } = fixture.add("New identifiers are written in camelCase, as in userId or fetchData");
  const prompt = "which naming convention do identifiers have in our TypeScript code?";
  expect(given(fixture, prompt).nodeIds).toEqual([id]);
});

test("the name of a thing lends an order to a memory of it, and to no quotation", () => {
  const line = "The file tide_pump.go counts the harbour pumps twice";
  const asked = (over: Parameters<Fixture["add"]>[1]): number | undefined => {
    using fixture = openFixture();
    fixture.add(line, over);
    return given(fixture, "rewrite tide_pump.go so that it counts them once").decision.features[
      "asks"
    ];
  };
  expect(asked({ category: "entities" })).toBe(0);
  expect(
    asked({
      uri: "mem://sessions/before/exchanges/1",
      category: "sessions",
      l1: `> ${line}\n< Noted.`,
      sourceSession: "before",
      daysAgo: 1,
    }),
  ).toBeLessThan(0);
});

test("an order in a young store is told rules, and not what happens to be near", () => {
  using fixture = openFixture();
  fixture.add("The pull request template lists the harbour tests", { category: "entities" });
  expect(given(fixture, "open a pull request for the crane").decision.threshold).toBe(0.8);
  expect(given(fixture, "which harbour tests are listed?").decision.threshold).toBe(0.5);
});
