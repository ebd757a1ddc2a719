/**
 * How likely a candidate is what a prompt needs, and how likely the prompt is helped at all: two logistic combinations
 * of features with learnt weights (train/inject.ts; models/learnt/inject.json). Pure.
 */
import { unspacedLetters } from "#kit";
import injectFile from "../../../models/learnt/inject.json" with { type: "json" };
import wantsFile from "../../../models/learnt/wants.json" with { type: "json" };
import { classifierOf } from "../exchange/learnt.ts";
import { traitsOf } from "../exchange/traits.ts";
import { promptSigns } from "./prompt-signs.ts";
import type { PromptCandidate } from "./prompt-types.ts";

interface Weights {
  readonly bias: number;
  readonly weights: readonly number[];
}

const logistic = ({ bias, weights }: Weights, features: readonly number[]): number => {
  let sum = bias;
  for (const [i, weight] of weights.entries()) sum += weight * (features[i] ?? 0);
  return 1 / (1 + Math.exp(-sum));
};

export const candidateLikelihood = (
  kind: PromptCandidate["kind"],
  features: readonly number[],
): number => logistic(injectFile[kind], features);

export const promptLikelihood = (features: readonly number[]): number =>
  logistic(injectFile.prompt, features);

/** From this likelihood on something is said, by what the likeliest candidate is and by `[inject] eagerness`. */
export const thresholds: Readonly<
  Record<PromptCandidate["kind"], Readonly<Record<"low" | "normal" | "high", number>>>
> = injectFile.thresholds;

/** Ties by address, so that the order never depends on the order of writing. */
export const byLikelihood = (a: PromptCandidate, b: PromptCandidate): number =>
  b.likelihood - a.likelihood || (a.document.uri < b.document.uri ? -1 : 1);

/** Names of the features of a prompt, in order; the signs of its wording follow. */
export const promptFeatureNames = [
  "wants",
  "best",
  "second",
  "above the fifth",
  "above the tenth",
  "lexical of the best",
  "cosine of the best",
  "rarest match of the best",
  "share of the best",
  "best is a memory",
  "worth of the best",
  "worth of all",
  "words",
  "many words",
  "question",
  "we",
  "refers",
  "specific",
  "advice",
  "general",
  "howTo",
  "transform",
  "local",
  "worldly",
  "creates",
] as const;

const wantsClassifier = classifierOf(wantsFile);
const wantsCharsMax = 400;

/** How much a prompt sounds as if it wanted something remembered, by its wording alone: 0 to 1. */
const wantsOf = (text: string): number =>
  wantsClassifier(
    traitsOf(text.slice(0, wantsCharsMax), {
      by: "user",
      index: 0,
      count: 1,
      answersQuestion: false,
    }),
  );

function logitOf(likelihood: number): number {
  const p = Math.min(0.999, Math.max(0.001, likelihood));
  return Math.log(p / (1 - p)) / 4;
}

/** Words; two letters of a script without spaces are about one. */
const wordsOf = (text: string): number => text.split(/\s+/u).length + unspacedLetters(text) / 2;

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** `candidates`: the likeliest first, at least one. */
export function promptFeatures(
  text: string,
  candidates: readonly Pick<PromptCandidate, "likelihood" | "features" | "kind">[],
  wants: number = wantsOf(text),
): readonly number[] {
  const logit = (at: number): number => logitOf(candidates[at]?.likelihood ?? 0);
  const [best] = candidates;
  const own = best?.features ?? [];
  const words = wordsOf(text);
  const signs = promptSigns(text);
  return [
    logitOf(wants),
    logit(0),
    logit(1),
    logit(0) - logit(4),
    logit(0) - logit(9),
    own[0] ?? 0,
    own[1] ?? 0,
    own[6] ?? 0,
    own[4] ?? 0,
    best?.kind === "memory" ? 1 : 0,
    own[14] ?? 0,
    meanOf(candidates.map(({ features }) => features[14] ?? 0)),
    Math.min(1, words / 12),
    Math.min(1, words / 60),
    /[?？]/u.test(text) ? 1 : 0,
    signs.we,
    signs.refers,
    signs.specific,
    signs.advice,
    signs.general,
    signs.howTo,
    signs.transform,
    signs.local,
    signs.worldly,
    signs.creates,
  ];
}
