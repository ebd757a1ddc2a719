/**
 * What a turn can claim to be, each claim with the weight of its kind (docs/design/extraction.md, "Evaluate"): 0.9
 * breakthrough, 0.7 decision, correction after investigation, cause or pattern, 0.5 iteration, 0.3 routine.
 *
 * A claim is a word class said by the right speaker, held against the tool record. Pure.
 */
import { plainWork, trial } from "./scorer-done.ts";
import type { Claim, Judge } from "./scorer-judging.ts";
import { breakthrough, insight, pattern } from "./scorer-learned.ts";
import type { Reading } from "./scorer-reading.ts";
import { correction, deadEnd, decision, notice, rule, setting } from "./scorer-said.ts";

/** In order of weight: on a tie the earlier stands. */
const judges: readonly Judge[] = [
  breakthrough,
  correction,
  decision,
  rule,
  insight,
  pattern,
  deadEnd,
  trial,
  notice,
  setting,
  plainWork,
];

/** Every claim the turn makes, weightiest kinds first. Empty when nothing happened. */
export const claimsOf = (reading: Reading): readonly Claim[] =>
  judges.map((judge) => judge(reading)).filter((claim) => claim !== null);
