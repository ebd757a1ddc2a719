/** In the middle of a session a memory is told when the prompt says what it is about, and the talk does not hold it. */
import { expect, test } from "bun:test";
import { type Fixture, openFixture } from "../../../test/support/memory/finding.ts";
import { composePrompt } from "./prompt.ts";
import type { ComposedPrompt, PromptInput } from "./prompt-types.ts";
import { evidenceFor } from "../../../test/support/memory/injection.ts";

const given = (fixture: Fixture, prompt: string, over?: Partial<PromptInput>): ComposedPrompt =>
  composePrompt(evidenceFor(fixture, prompt, over));

const line = "The response header is looked at by hand, there are no automated tests";

function openHeader(): Fixture {
  const fixture = openFixture();
  fixture.add(line, { slot: "response header · checks", aliases: ["skill banner"] });
  return fixture;
}

test.each([
  // The first prompt of a session.
  ["are there automated tests of the parser?", null, true],
  ["are there automated tests of the parser?", "Both commands are covered.", false],
  ["are there automated tests of the response header?", "Both commands are covered.", true],
  // The last answer holds it already.
  ["are there automated tests of the response header?", `${line}.`, false],
])("%s, after: %s", (prompt, previousAnswer, isTold) => {
  using fixture = openHeader();
  const { text } = given(fixture, prompt, { previousAnswer });
  expect(text === "").toBe(!isTold);
});

test("the nearest of a memory's names counts, and what was pasted is looked through for it", () => {
  using fixture = openHeader();
  const nameIn = (prompt: string): number =>
    given(fixture, prompt, { previousAnswer: "Done." }).decision.features["name"] ?? 0;
  expect(nameIn("are there tests of the skill banner?")).toBeGreaterThan(0.7);
  const asked = "why do the automated tests stop here?";
  const pasted = `${asked}\n\`\`\`\n$ skill run\nresponse header: ok\n\`\`\``;
  expect(nameIn(pasted)).toBeGreaterThan(nameIn(asked) + 0.3);
});

test("the bar is higher at work, and the wording of an order that names a memory counts nothing", () => {
  using fixture = openFixture();
  const quirk = "The linter of this repository needs its cache emptied first: `lint --no-cache`";
  fixture.add(quirk, { slot: "linter · cache", aliases: ["lint errors"] });
  const order = "now fix all lint errors of the linter";
  const first = given(fixture, order);
  const later = given(fixture, order, { previousAnswer: "Committed." });
  expect([first.text, first.decision.threshold]).toEqual(["", 0.8]);
  expect([later.text, later.decision.threshold]).toEqual([expect.stringContaining(quirk), 0.9]);
});

test("an order that names the file of a memory is told it, though its wording asks for nothing", () => {
  using fixture = openFixture();
  const ends = "Every line of ledger.csv ends with a carriage return and a line feed";
  fixture.add(ends, { slot: "ledger · line ends" });
  const order = (file: string): string =>
    `Write export.py in the root of the repository. It reads the orders and writes each as a line of ${file}, then run it`;
  expect(given(fixture, order("ledger.csv")).text).toContain(ends);
  expect(given(fixture, order("orders.csv")).text).toBe("");
});

test("an exchange that only asked, and was answered nothing, is not told", () => {
  using fixture = openFixture();
  const heard = (said: string, n: number): void =>
    void fixture.add(said, {
      uri: `mem://sessions/before/exchanges/${n}`,
      category: "sessions",
      l1: `> ${said}\n< Noted.`,
      sourceSession: "before",
      daysAgo: 1,
    });
  heard("What indent style is most common in Python?", 1);
  expect(given(fixture, "which indent style does our Python code have?").text).toBe("");
  heard("Our Python code is indented with four spaces, never with tabs.", 2);
  expect(given(fixture, "which indent style does our Python code have?").text).toContain(
    "four spaces",
  );
});

test("the name of what has no slot is its line, and of what is known of the user its attribute", () => {
  using fixture = openFixture();
  const lamps = "The pier lamps are switched by the harbour office";
  fixture.add(lamps);
  fixture.add("The user uses the fish shell", { category: "profile", slot: "user · shell" });
  const after = { previousAnswer: "All tests pass." };
  expect(given(fixture, "who switches the pier lamps?", after).text).toContain(lamps);
  expect(given(fixture, "which shell do I use?", after).text).toContain("fish");
});

test("at work no exchange is told, unless the prompt names the memory", () => {
  using fixture = openFixture();
  const heard = "The tide sensor of tide.toml sits on the north pier, behind the harbour office";
  fixture.add(heard, {
    uri: "mem://sessions/before/exchanges/1",
    category: "sessions",
    l1: `> ${heard}\n< Noted.`,
    sourceSession: "before",
    daysAgo: 1,
  });
  const asked = "where does the tide sensor of tide.toml sit?";
  const after = { previousAnswer: "Done." };
  expect(given(fixture, asked).text).toContain("north pier");
  const { text, decision } = given(fixture, asked, after);
  expect([text, decision.cause]).toEqual(["", "nothing-found"]);
  expect(given(fixture, `Use project memory: ${asked}`, after).text).toContain("north pier");
});

test("at work one memory is told, and nothing is named below it", () => {
  using fixture = openFixture();
  fixture.add("The tide sensor answers on port 7021", { slot: "tide sensor · port" });
  fixture.add("The tide sensor of the pier was bought in 2019", { slot: "tide sensor · purchase" });
  const asked = "which port does the tide sensor answer on, and when was the tide sensor bought?";
  const linesOf = (previousAnswer: string | null): number =>
    given(fixture, asked, { previousAnswer }).text.match(/^- /gmu)?.length ?? 0;
  expect([linesOf(null), linesOf("Done.")]).toEqual([2, 1]);
});
