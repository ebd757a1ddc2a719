/** A hit that is plausible and not sure is named, and not told. */
import { expect, test } from "bun:test";
import { tokensOf } from "#kit";
import { openFixture } from "../../../test/support/memory/finding.ts";
import { decidePrompt } from "./gate.ts";
import { composePrompt } from "./prompt.ts";
import { evidenceFor } from "../../../test/support/memory/injection.ts";
import type { ComposedPrompt, PromptEvidence } from "./prompt-types.ts";

const prompt = "which port does the tide sensor answer on?";

function pointed(evidence: PromptEvidence): ComposedPrompt {
  const decision = decidePrompt(evidence);
  return composePrompt(evidence, { ...decision, verdict: "inject", cause: "pointer" });
}

test("a pointer names slots with their ids, within 30 tokens, and counts as nothing shown", () => {
  using fixture = openFixture();
  const { id } = fixture.add("The tide sensor answers on port 7021", {
    slot: "tide sensor · port",
  });
  const { text, nodeIds, decision } = pointed(evidenceFor(fixture, prompt));
  expect(text.split("\n")[1]).toBe(`Continuity may know: tide sensor port #${id.toString(36)}`);
  expect(tokensOf(text)).toBeLessThanOrEqual(30);
  expect(text).not.toContain("7021");
  expect([nodeIds, decision.cause]).toEqual([[], "pointer"]);
});

test("in the middle of a session nothing is named, nor ever what has no name", () => {
  using fixture = openFixture();
  fixture.add("The tide sensor answers on port 7021", { slot: "tide sensor · port" });
  const { cause, probability } = decidePrompt(
    evidenceFor(fixture, "what is the tide tomorrow?", { previousAnswer: "Done." }),
  );
  expect(cause).toBe("gate");
  expect(probability).toBeGreaterThan(0.8);
  using other = openFixture();
  other.add("The tide sensor answers on port 7021");
  expect(pointed(evidenceFor(other, prompt)).text).toBe("");
});

test("a long name is cut, and what has no room is left out", () => {
  using fixture = openFixture();
  for (const kind of ["harbour", "river", "estuary"])
    fixture.add(`The tide sensor of the ${kind} answers on port 7021`, {
      slot: `tide sensor of the ${kind} and its gateway · port of the answers to questions`,
    });
  const { text } = pointed(evidenceFor(fixture, "which port do the tide sensors answer on?"));
  expect(text).toContain("Continuity may know: tide sensor of the ");
  expect(tokensOf(text)).toBeLessThanOrEqual(30);
});

test("what is near its bar is named, what is farther is not", () => {
  using fixture = openFixture();
  fixture.add("The tide sensor answers on port 7021", { slot: "tide sensor · port" });
  const evidence = evidenceFor(fixture, prompt);
  const [best] = evidence.candidates;
  if (best === undefined) throw new Error("nothing found");
  // As many as in a store that is no longer young, all as near as one another.
  const causeAt = (score: number): string =>
    decidePrompt({
      ...evidence,
      wording: 0,
      found: 12,
      candidates: Array.from({ length: 12 }, () => ({ ...best, score })),
    }).cause;
  expect([0.6, 0.5, 0.4].map(causeAt)).toEqual(["wanted", "pointer", "gate"]);
});

test("another is told beside the first from six tenths of its nearness on, and is not named below it", () => {
  using fixture = openFixture();
  const first = fixture.add("The tide sensor answers on port 7021", { slot: "tide sensor · port" });
  const second = fixture.add("The tide sensor of the pier was bought in 2019", {
    slot: "tide sensor · purchase",
  });
  const evidence = evidenceFor(fixture, prompt);
  const at = (share: number): ComposedPrompt => {
    const candidates = evidence.candidates.map((one) => ({
      ...one,
      score: one.document.node.id === first.id ? 0.9 : 0.9 * share,
    }));
    return composePrompt({ ...evidence, candidates });
  };
  expect(at(0.7).nodeIds).toEqual([first.id, second.id]);
  expect(at(0.5).nodeIds).toEqual([first.id]);
  expect(at(0.5).text).not.toContain("may know");
});
