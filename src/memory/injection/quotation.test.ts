/** An exchange opens an answer only when its quotation is likely to help; nearness alone does not make it one. */
import { expect, test } from "bun:test";
import { type Fixture, openFixture } from "../../../test/support/memory/finding.ts";
import { evidenceFor } from "../../../test/support/memory/injection.ts";
import { composePrompt } from "./prompt.ts";
import type { ComposedPrompt, PromptCandidate } from "./prompt-types.ts";
import { backgroundOf, quotationBias, quotationWeights, withQuotation } from "./quotation.ts";

function addTurn({ add }: Fixture, id: string, typed: string, answer: string): void {
  add(`${typed} → ${answer}`, {
    uri: `mem://sessions/${id}/exchanges/1`,
    category: "sessions",
    l1: `> ${typed}\n< ${answer}`,
    sourceSession: id,
    daysAgo: 3,
  });
}

const given = (fixture: Fixture, prompt: string): ComposedPrompt =>
  composePrompt(evidenceFor(fixture, prompt));

/** More than a young store has. */
function fill(fixture: Fixture, line: (n: number) => string): void {
  for (let n = 0; n < 20; n += 1) addTurn(fixture, `s${n}`, line(n), "Done.");
}

test("an order in the words of an old turn is not told how that turn ended", () => {
  using fixture = openFixture();
  fill(fixture, (n) => `paint the bow of boat ${n} in the yard`);
  addTurn(
    fixture,
    "before",
    "we need to fix some merge conflicts",
    "No merge conflicts right now.",
  );
  const { text, decision } = given(fixture, "we need to fix the merge conflicts");
  expect([text, decision.cause]).toEqual(["", "gate"]);
});

test("what the user stated is told to who asks for it", () => {
  using fixture = openFixture();
  fill(fixture, (n) => `paint the bow of boat ${n} in the yard`);
  addTurn(fixture, "before", "the tide sensor on the pier answers on port 7021", "Noted.");
  expect(given(fixture, "which port did the tide sensor answer on?").text).toContain("7021");
});

const rated = (
  fixture: Fixture,
  over: Partial<Parameters<typeof withQuotation>[1]> = {},
): PromptCandidate | undefined => {
  const [best] = evidenceFor(fixture, "which port did the tide sensor answer on?").candidates;
  return best && withQuotation(best, { asks: 0, background: 0.3, identifiers: [], ...over });
};

test("where much is as near, one of it is no answer; an identifier of the prompt speaks for it", () => {
  using fixture = openFixture();
  addTurn(fixture, "before", "the tide sensor reads tide_pump.go and port 7021", "Noted.");
  const likelihood = (over: Parameters<typeof rated>[1]): number =>
    rated(fixture, over)?.quotation?.likelihood ?? Number.NaN;
  expect(likelihood({ background: 0.6 })).toBeLessThan(likelihood({ background: 0.2 }));
  const named = rated(fixture, { identifiers: ["tide_pump.go", "missing.go"] })?.quotation;
  expect(named?.signals.names).toBe(1);
  expect(named?.likelihood).toBeGreaterThan(likelihood({}));
});

test("its likelihood is what the weights say; a memory has none", () => {
  using fixture = openFixture();
  addTurn(fixture, "before", "the tide sensor answers on port 7021", "Noted.");
  const { signals, likelihood = 0 } = rated(fixture)?.quotation ?? {};
  const odds = Object.entries(quotationWeights).reduce(
    (sum, [name, weight]) => sum + weight * (signals?.[name as keyof typeof signals] ?? 0),
    quotationBias,
  );
  expect(Math.log(likelihood / (1 - likelihood))).toBeCloseTo(odds, 6);
  using other = openFixture();
  other.add("The tide sensor answers on port 7021");
  expect(rated(other)?.quotation).toBeUndefined();
});

test("the background is the mean of the fifth to twelfth nearest, and low in a store of four", () => {
  const found = (similarities: readonly number[]): Parameters<typeof backgroundOf>[0] =>
    similarities.map((similarity) => ({ explanation: { similarity } })) as never;
  expect(backgroundOf(found([0.1, 0.9, 0.8, 0.7, 0.6, 0.3]))).toBeCloseTo(0.2, 6);
  expect(backgroundOf(found([0.9, 0.8, 0.7, 0.6]))).toBe(0.2);
});
