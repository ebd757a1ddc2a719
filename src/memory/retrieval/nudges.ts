/**
 * Small corrections of a score: whose project it is, how important, how fresh, whether the question names its time.
 * Each is a factor near 1 (docs/adr/0006): they break near-ties and never bury a good match. Pure.
 */
import type { NodeHead, Settings } from "#domain";
import { type TimeWindow, isWithin } from "#language";
import { datedBoost, nudgeMax } from "./limits.ts";

/** The settings, with the share of words settled. */
export type Weights = Settings["retrieval"] & { readonly lexicalWeight: number };

export interface NudgeContext {
  readonly homeProject: string | null;
  readonly window: TimeWindow | null;
  readonly weights: Weights;
}

export type Nudges = Readonly<Record<string, number>>;

/**
 * Factors by name; those of 1 are left out. With `relevance_weight = 1` relevance multiplies the fused similarity and
 * nothing else counts, which is the original `similarity × relevance`.
 */
export function nudgesOf(node: NodeHead, context: NudgeContext): Nudges {
  const { weights } = context;
  const relevance = relevanceFactor(node.relevance, weights.relevanceWeight);
  if (weights.relevanceWeight >= 1) return withoutOnes({ relevance });
  return withoutOnes({
    project: projectFactor(node.project, context),
    importance: 1 + bounded(weights.importanceWeight) * ((node.importance - 3) / 2),
    relevance,
    ...timeNudge(atMsOf(node), context.window),
  });
}

export const productOf = (nudges: Nudges): number =>
  Object.values(nudges).reduce((product, factor) => product * factor, 1);

/** The largest product that `nudgesOf` can give: what an unread candidate could still reach. */
export function nudgeCeiling({ weights, homeProject, window }: NudgeContext): number {
  if (weights.relevanceWeight >= 1) return 1;
  const project = homeProject === null ? 1 : 1 + bounded(weights.projectWeight);
  const time = window === null ? 1 : timeFactor(window);
  return project * (1 + bounded(weights.importanceWeight)) * time;
}

/** When a memory is about: the date of what it tells when known, else when it was last written. */
export const atMsOf = (node: Pick<NodeHead, "validFrom" | "updatedAt">): number =>
  node.validFrom ?? node.updatedAt;

/** For a question that names a time: those of that time stand higher, much higher if it names a date. */
export const timeNudge = (atMs: number, window: TimeWindow | null): Nudges =>
  window === null || !isWithin(window, atMs) ? {} : { time: timeFactor(window) };

const timeFactor = ({ isDated }: TimeWindow): number => 1 + (isDated ? datedBoost : nudgeMax);

function projectFactor(project: string | null, context: NudgeContext): number {
  const weight = bounded(context.weights.projectWeight);
  if (project === null || context.homeProject === null) return 1;
  return project === context.homeProject ? 1 + weight : 1 - weight;
}

/** From 1 at full relevance down to 1 − weight at none. */
const relevanceFactor = (relevance: number, weight: number): number =>
  1 - Math.min(1, Math.max(0, weight)) * (1 - Math.min(1, Math.max(0, relevance)));

const bounded = (weight: number): number => Math.min(nudgeMax, Math.max(0, weight));

function withoutOnes(factors: Nudges): Nudges {
  const kept: Record<string, number> = {};
  for (const name in factors) if (factors[name] !== 1) kept[name] = factors[name] ?? 1;
  return kept;
}
