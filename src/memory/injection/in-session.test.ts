/** In the middle of a session a memory is told when the talk names what it is about, and does not hold it already. */
import { expect, test } from "bun:test";
import { type Fixture, openFixture } from "../../../test/support/memory/finding.ts";
import { composePrompt } from "./prompt.ts";
import type { ComposedPrompt, PromptInput } from "./prompt-types.ts";
import { evidenceFor } from "../../../test/support/memory/injection.ts";

const given = (fixture: Fixture, prompt: string, over?: Partial<PromptInput>): ComposedPrompt =>
  composePrompt(evidenceFor(fixture, prompt, over));

const line = "The response header is looked at by hand, there are no automated tests";
const prompt = "how do I test this?";

function openHeader(): Fixture {
  const fixture = openFixture();
  fixture.add(line, { slot: "response header · checks" });
  return fixture;
}

test.each([
  // The first prompt of a session.
  [null, true],
  ["The `lock` command claims a turn, `release` gives it back. Both are covered.", false],
  ["The skill prints its response header first.", true],
  // The last answer holds it already.
  [`${line}.`, false],
])("after: %s", (previousAnswer, isTold) => {
  using fixture = openHeader();
  const { text } = given(fixture, prompt, { previousAnswer });
  expect(text === "").toBe(!isTold);
});

test("another topic has to be surer, or to name a thing that the memory names", () => {
  using fixture = openFixture();
  fixture.add("Retries in client.py wait one second and double, with jitter", {
    slot: "retries · wait",
  });
  const thresholdOf = (asked: string, previousAnswer: string | null): number =>
    given(fixture, asked, { previousAnswer }).decision.threshold;
  const answer = "All tests pass.";
  expect(thresholdOf("how long does it wait before it tries again?", answer)).toBe(0.933);
  expect(thresholdOf("how long do retries wait?", answer)).toBe(0.8);
  expect(thresholdOf("how long does client.py wait?", answer)).toBe(0.8);
  expect(thresholdOf("how long does client.py wait?", null)).toBe(0.5);
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

test("what has no slot is named by two of its words, and the user by nobody", () => {
  using fixture = openFixture();
  fixture.add("The pier lamps are switched by the harbour office");
  const thresholdOf = (asked: string): number =>
    given(fixture, asked, { previousAnswer: "All tests pass." }).decision.threshold;
  expect(thresholdOf("who switches the lamps?")).toBe(0.8);
  expect(thresholdOf("who turns the lamps on?")).toBe(0.933);
  using other = openFixture();
  other.add("The user uses the fish shell", { category: "profile", slot: "user · shell" });
  const { decision } = given(other, "which shell do I use?", { previousAnswer: "Done." });
  expect([decision.cause, decision.threshold]).toEqual(["wanted", 0.8]);
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
  expect([text, decision.cause]).toEqual(["", "gate"]);
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
