/** A direct question is answered by what was said of it, also where people say little that lasts. */
import { describe, expect, test } from "bun:test";
import { type MemoryNode } from "#domain";
import { msPerDay, tokensOf } from "#kit";
import { type Fixture, nowMs, openFixture } from "../../../test/support/memory/finding.ts";
import { isRuleNode, judge } from "./candidate.ts";
import { decidePrompt } from "./gate.ts";
import { composePrompt, promptLines } from "./prompt.ts";
import type { ComposedPrompt, PromptCandidate, PromptEvidence } from "./prompt-types.ts";
import { evidenceFor } from "../../../test/support/memory/injection.ts";

const given = (fixture: Fixture, prompt: string): ComposedPrompt =>
  composePrompt(evidenceFor(fixture, prompt));

/** As if the gate were sure. */
const openly = (fixture: Fixture, prompt: string): ComposedPrompt => {
  const evidence = evidenceFor(fixture, prompt);
  return composePrompt(evidence, { ...decidePrompt(evidence), verdict: "inject", cause: "wanted" });
};

let turns = 0;
function addExchange({ add }: Fixture, said: string, daysAgo = 1): MemoryNode {
  turns += 1;
  return add(`${said} → Got it.`, {
    uri: `mem://sessions/before/exchanges/${turns}`,
    category: "sessions",
    tags: ["routine"],
    importance: 2,
    l1: `> ${said}\n< Got it.`,
    sourceSession: "before",
    validFrom: nowMs - daysAgo * msPerDay,
    daysAgo,
  });
}

const said = [
  "when you write tests here use pytest, never unittest please",
  "we never allow a wildcard CORS origin on an endpoint",
  "Maya owns the billing service, ask her before changing the schema",
  "rate limit on the partner API is 40 requests per minute",
  "feature flags live in flags/prod.toml",
  "use uv for python packages, not pip",
] as const;

test("what was said of a change after a memory was made is told with the memory or in its place", () => {
  using fixture = openFixture();
  fixture.add("The staging database listens on port 6432", { daysAgo: 20 });
  addExchange(fixture, "staging moved: its database is on port 7432 now, not 6432 any more", 5);
  const { text } = openly(fixture, "which port does our staging database use?");
  expect(text).toContain("7432 now");
  addExchange(fixture, "is the database of staging the one on port 6432?", 4);
  expect(openly(fixture, "which port does our staging database use?").text).not.toContain(
    "the one",
  );
});

test("an exchange is told however long ago it was, and says that it may be outdated", () => {
  using fixture = openFixture();
  const { id } = addExchange(fixture, "The tide sensor on the pier answers on port 7021", 400);
  const { text, nodeIds } = given(fixture, "which port does the tide sensor answer on?");
  expect(nodeIds).toEqual([id]);
  expect(text).toContain("(may be outdated)");
});

test("a memory that is nearly as near stands beside an exchange", () => {
  using fixture = openFixture();
  fixture.add("The sensor gateway of the pier reboots every night at four");
  addExchange(fixture, "The tide sensor on the pier answers on port 7021");
  const evidence = evidenceFor(fixture, "which port does the tide sensor on the pier answer on?");
  const candidates = evidence.candidates.map((one) => ({
    ...one,
    score: one.kind === "exchange" ? 0.9 : 0.6,
  }));
  const { text } = composePrompt({ ...evidence, candidates });
  expect(text).toContain("reboots");
  expect(text).toContain("7021");
});

test("of three values that were said one after another the last one stands first", () => {
  using fixture = openFixture();
  const candidates = [
    addExchange(fixture, "the tide sensor answers on port 7021", 9),
    addExchange(fixture, "the tide sensor answers on port 7022 here", 6),
    addExchange(fixture, "here the tide sensor answers on port 7023", 3),
  ].map((node, at) => ({
    document: { node },
    kind: "exchange",
    sentences: [{ by: "user", text: node.l0 }],
    score: 0.9 - at / 100,
  }));
  const evidence = { ...evidenceFor(fixture, "which port has the tide sensor?"), candidates };
  const [first] = judge(evidence as unknown as PromptEvidence);
  expect(first?.candidate.document.node.l0).toContain("7023");
  expect(first?.why).toBe("near");
});

describe("answered without a model", () => {
  test.each([
    ["Which test framework should new tests use?", "pytest"],
    ["What CORS origin policy applies to a new HTTP endpoint?", "wildcard"],
    ["Who do I ask about the billing schema?", "Maya"],
    ["How many calls per minute may we make to the partner API?", "40"],
    ["Where are the feature flags defined?", "prod.toml"],
    ["What do we use for Python dependencies?", "uv"],
  ])("%s", (prompt, answer) => {
    using fixture = openFixture();
    for (const text of said) addExchange(fixture, text);
    expect(given(fixture, prompt).text).toContain(answer);
  });

  test.each([
    "commit",
    "continue",
    "run the tests",
    "thanks, looks good",
    "ok go ahead",
    "undo that",
    "danke, passt",
    "merci, c'est bon",
    "weiter",
    "谢谢",
    "続けて",
    "rename the variable x to y",
    "how do I reverse a slice in go?",
    "how was your weekend?",
    "explain closures in javascript",
  ])("not: %s", (prompt) => {
    using fixture = openFixture();
    for (const text of said) addExchange(fixture, text);
    expect(given(fixture, prompt).text).toBe("");
  });
});

test.each(["what do you remember about me?", "do you remember me", "what can you recall?"])(
  "%s asks for nothing by name, so what merely says remember is no answer",
  (prompt) => {
    using fixture = openFixture();
    addExchange(fixture, "good find, remember that");
    addExchange(fixture, "remember: the test harbour is Grenaa now");
    expect(given(fixture, prompt).text).toBe("");
  },
);

test("memories take two lines and 120 tokens, to a question 150", () => {
  using fixture = openFixture();
  for (const line of [
    "The tide sensor firmware is deployed with harbourctl from the build server",
    "Old tide sensor firmware bricks on a low battery, measured twice in March",
    "Tide sensor firmware keys lie with Marta in the safe",
    "Jonas reviews each tide sensor firmware before a pilot sees it",
  ])
    fixture.add(line);
  const linesFor = (prompt: string, tokensMax: number): number => {
    const { text } = openly(fixture, prompt);
    expect(tokensOf(text)).toBeLessThanOrEqual(tokensMax);
    return text.match(/^- /gmu)?.length ?? 0;
  };
  expect(linesFor("what do we know of the tide sensor firmware?", 150)).toBe(2);
  expect(linesFor("deploy the new tide sensor firmware to the pilots", 120)).toBe(2);
});

test("what room is left makes a cut line whole: its end may say what matters", () => {
  using fixture = openFixture();
  const line =
    "The tide sensor firmware is deployed with harbourctl from the build server of the old harbour, which the crew " +
    "of the north quay restarts on each first Monday of the month before eight; the key for it lies with Marta in the safe";
  fixture.add(line);
  expect(openly(fixture, "how is the tide sensor firmware deployed?").text).toContain(line);
});

test("where things lie is no rule, though it hangs beside them", () => {
  using fixture = openFixture();
  const node = (tags: readonly string[]): MemoryNode =>
    fixture.add("The source lies in the sibling repository ../quay", {
      category: "patterns",
      tags,
    });
  expect([node([]), node(["place"])].map(isRuleNode)).toEqual([true, false]);
});

test("of an exchange no heading, no introduction and no entry of a log is quoted", () => {
  using fixture = openFixture();
  const l1 = [
    "> summarise the tide sensor work",
    "< Here is what was done on the tide sensor:",
    "< ## Tide sensor rewrite",
    "< 9fceb02d1ae5: prompt: start the tide sensor work",
    "< The tide sensor answers on port 7021 now.",
  ].join("\n");
  fixture.add("summarise the tide sensor work → Done.", {
    uri: "mem://sessions/before/exchanges/90",
    category: "sessions",
    l1,
  });
  const { text } = openly(fixture, "what was done on the tide sensor?");
  expect(text).toContain("The tide sensor answers on port 7021 now.");
  expect(text).not.toMatch(/Here is|rewrite|9fceb02d/u);
});

test("a line that was cut ends in its id", () => {
  using fixture = openFixture();
  const lineOf = (node: MemoryNode) => {
    const candidate: PromptCandidate = {
      document: { node } as unknown as PromptCandidate["document"],
      kind: "exchange",
      sentences: [{ by: "user", text: node.l0 }],
      score: 0.9,
    };
    return promptLines([candidate], nowMs, 120).lines[0];
  };
  const long = addExchange(fixture, `the tide sensor ${"and the next berth ".repeat(30)}`);
  const short = addExchange(fixture, "the tide sensor answers on port 7021");
  expect(lineOf(long)).toMatch(/ \(#\w+\)$/u);
  expect(lineOf(short)).not.toContain("#");
});
