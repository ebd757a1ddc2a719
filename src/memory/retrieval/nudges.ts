/**
 * Small corrections of a score: whose project it is, how important, how fresh, whether the question names its time.
 * Each is a factor near 1 (docs/adr/0006): they break near-ties and never bury a good match. Pure.
 */
import type { Embedder, FoundDocument, NodeHead, Settings } from "#domain";
import { isWithin, type TimeWindow } from "#language";
import { cosine } from "../exchange/traits.ts";
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

/**
 * `atMsOf` gives the time that a memory is about: the date of what it tells when known, else when
 * it was last written.
 */
export const atMsOf = (node: NodeHead): number => node.validFrom ?? node.updatedAt;

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

// Similarity with the best passages of long texts. The vector of a memory is that of its abstract, and of a long text
// it says little: a question about a detail is nearer to the few sentences that tell it than to the whole.

/** Shorter texts are one passage, and their vector says it. */
const longCharsMin = 400;
/** A passage is a line, as people and tools write lists and logs; longer ones are cut. */
const passageCharsMax = 600;
const passageCharsMin = 20;
/** The limits for one document, and for all documents of one search: about ten milliseconds of embedding. */
const documentCharsMax = 8_000;
const searchCharsMax = 120_000;
/** The mean of so many best passages counts, beside the whole and by so much of its weight (docs/adr/0028). */
const bestPassages = 4;
const passageWeight = 0.8;

/**
 * The same documents, best first. Long ones rise or fall by how much nearer their best passages are than those of the
 * other long ones; short ones stay as they are.
 */
export function withPassages(
  embedder: Embedder,
  weights: Weights,
  bestFirst: readonly FoundDocument[],
  vector: Float32Array | null,
): readonly FoundDocument[] {
  if (vector === null) return bestFirst;
  let left = searchCharsMax;
  const nearness = bestFirst.map((document) => {
    const text = longTextOf(document);
    if (text === null || text.length > left) return null;
    left -= text.length;
    return bestOf(embedder, text, vector);
  });
  const known = nearness.filter((value) => value !== null);
  const typical = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  const weight = passageWeight * (1 - weights.lexicalWeight);
  return bestFirst.map((document, i) => {
    const own = nearness[i] ?? null;
    return own === null ? document : moved(document, weight * (own - typical));
  });
}

function longTextOf({ node }: FoundDocument): string | null {
  if (node === null) return null;
  const text = [node.l0, node.l1 ?? "", node.l2 ?? ""].join("\n");
  return text.length < longCharsMin ? null : text.slice(0, documentCharsMax);
}

/** Mean similarity of the best few passages. */
function bestOf(embedder: Embedder, text: string, vector: Float32Array): number {
  const found: number[] = [];
  for (const passage of text.split(/\n+/u)) {
    if (passage.length < passageCharsMin) continue;
    const own = embedder.embed(passage.slice(0, passageCharsMax));
    if (own !== null) found.push(Math.max(0, cosine(vector, own)));
  }
  const best = found.toSorted((a, b) => b - a).slice(0, bestPassages);
  return best.reduce((sum, value) => sum + value, 0) / bestPassages;
}

function moved(document: FoundDocument, by: number): FoundDocument {
  const { explanation } = document;
  const fused = Math.max(0, explanation.fused + by);
  const score = fused * productOf(explanation.nudges);
  return { ...document, score, explanation: { ...explanation, fused } };
}
