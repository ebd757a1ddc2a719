/**
 * The local significance scorer: how much a closed turn mattered, and as what. No model, no state, always at hand.
 *
 * Judged is what changed, what was learned and why it matters (30-extraction, "Evaluate"). The strongest claim of a
 * turn gives score and type; claims are never added up, since ten small edits are no insight.
 */
import type { Evaluation } from "#domain";
import { claimsOf, has, isAboutLife, isSpecific } from "./scorer-claims.ts";
import type { Claim, Reading } from "./scorer-claims.ts";
import { summaryOf, tagsOf } from "./scorer-summary.ts";
import { sentencesOf } from "./scorer-text.ts";
import { workOf } from "./scorer-tools.ts";
import type { TurnContext } from "./turn-context.ts";

/** One-line forms of the turns before, oldest first. */
export interface EarlierTurn {
  readonly prompt: string | null;
  readonly answer: string | null;
}

/**
 * Significance from 0 to 1 with type, tags and a self-contained summary of at most 100 tokens. A private turn (null
 * prompt) scores 0. `before` are up to three turns, oldest first; more are ignored.
 */
export function scoreTurn(turn: TurnContext, before: readonly EarlierTurn[]): Evaluation {
  if (turn.prompt === null) return { significance: 0, type: "routine", tags: [], summary: "" };
  const reading = readingOf(turn, before.slice(-3));
  const strongest = bounded(reading, [...claimsOf(reading), idle(reading)].reduce(stronger));
  return {
    significance: Math.round(Math.min(1, strongest.score) * 100) / 100,
    type: strongest.type,
    tags: tagsOf(turn, strongest),
    summary: summaryOf(turn, strongest),
  };
}

function readingOf(turn: TurnContext, before: readonly EarlierTurn[]): Reading {
  return {
    prompt: sentencesOf(turn.prompt),
    answer: sentencesOf(turn.answer),
    work: workOf(turn.tools),
    hasPrevious: turn.previousAnswer !== null || before.some(({ answer }) => answer !== null),
    afterStruggle: before.some(({ prompt, answer }) =>
      [...sentencesOf(prompt), ...sentencesOf(answer)].some((sentence) =>
        has(sentence, "unresolved"),
      ),
    ),
  };
}

/** On a tie the earlier claim stands: claims come in order of weight. */
const stronger = (best: Claim, next: Claim): Claim => (next.score > best.score ? next : best);

/** What is left when nothing is claimed: a question, an errand, a nod. */
const idle = ({ prompt, answer, work }: Reading): Claim => ({
  type: "routine",
  score: 0.1 + (work.looks + work.commands > 0 ? 0.08 : 0) + (answer.length > 2 ? 0.04 : 0),
  sentence: answer.at(-1) ?? prompt[0] ?? null,
  speaker: "assistant",
});

/** Ceilings: small talk, lessons and errands stay below what is stored, whatever words occur in them. */
const ceilings = { talk: 0.2, lesson: 0.25, errand: 0.28 } as const;

function bounded(reading: Reading, claim: Claim): Claim {
  const ceiling = ceilingOf(reading);
  return claim.score <= ceiling ? claim : { ...claim, score: ceiling, type: "routine" };
}

function ceilingOf(reading: Reading): number {
  const { prompt, work } = reading;
  const changed = work.filesEdited.length + work.changingCommands + work.failures > 0;
  if (changed) return 1;
  if (prompt.some(isAboutLife)) return ceilings.talk;
  const isErrand = prompt.some((sentence) => opensWithErrand(sentence.plain));
  if (isErrand && prompt.length <= 2) return ceilings.errand;
  const isLesson = prompt.some((sentence) => has(sentence, "lesson")) && !isSpecific(reading);
  return isLesson ? ceilings.lesson : 1;
}

/** An errand is asked for in the first words. */
const opensWithErrand = (plain: string): boolean =>
  has({ text: plain, plain: plain.split(" ").slice(0, 4).join(" "), isQuestion: false }, "errand");
