/**
 * The local significance scorer: how much a closed turn mattered, and as what. No model, no state, always at hand.
 *
 * Judged is what changed, what was learned and why it matters (docs/design/extraction.md, "Evaluate"). The strongest
 * claim of a turn gives score and type; claims are never added up, since ten small edits are no insight.
 */
import type { Evaluation } from "#domain";
import { claimsOf } from "./scorer-claims.ts";
import type { Claim } from "./scorer-judging.ts";
import { ceilingOf, readingOf } from "./scorer-reading.ts";
import type { EarlierTurn, Reading } from "./scorer-reading.ts";
import { summaryOf, tagsOf } from "./scorer-summary.ts";
import type { TurnContext } from "./turn-context.ts";

/**
 * Significance from 0 to 1 with type, tags and a self-contained summary of at most 100 tokens. A private turn (null
 * prompt) scores 0. `before` are the turns ahead of it, at most three.
 */
export function scoreTurn(turn: TurnContext, before: readonly EarlierTurn[]): Evaluation {
  if (turn.prompt === null) return { significance: 0, type: "routine", tags: [], summary: "" };
  const strongest = strongestClaim(readingOf(turn, before));
  return {
    significance: Math.round(Math.min(1, strongest.score) * 100) / 100,
    type: strongest.type,
    tags: tagsOf(turn, strongest),
    summary: summaryOf(turn, strongest),
  };
}

/** The claim that decides; always one, since nothing is also a finding. */
export const strongestClaim = (reading: Reading): Claim =>
  bounded(reading, [...claimsOf(reading), idle(reading)].reduce(stronger));

/** On a tie the earlier claim stands: claims come in order of weight. */
const stronger = (best: Claim, next: Claim): Claim => (next.score > best.score ? next : best);

/** What is left when nothing is claimed: a question, an errand, a nod. */
const idle = ({ prompt, answer, work }: Reading): Claim => ({
  type: "routine",
  score: 0.1 + (work.looks + work.commands > 0 ? 0.08 : 0) + (answer.length > 2 ? 0.04 : 0),
  sentence: answer.at(-1) ?? prompt[0] ?? null,
  speaker: "assistant",
});

/** The claim, held down where small talk, a lesson or an errand only uses weighty words. */
function bounded(reading: Reading, claim: Claim): Claim {
  const ceiling = ceilingOf(reading);
  return claim.score <= ceiling ? claim : { ...claim, score: ceiling, type: "routine" };
}
