/**
 * Does this prompt want memory at all? Most do not: silence beats noise. A logistic combination of features with
 * weights learnt from labelled prompts for each embedder (models/calibrations.json; bench/calibrate.ts says how). Pure.
 */
import type { GateWeights } from "#domain";
import { gateFeatures, type GateFeatures, isTerse } from "./prompt-features.ts";
import type { PromptDecision, PromptEvidence } from "./prompt-types.ts";

/** Decides from evidence alone; never looks at what the session has seen (that only decides what is left to show). */
export function decidePrompt(evidence: PromptEvidence): PromptDecision {
  const { gate } = evidence.calibration;
  const threshold = gate.thresholds[evidence.inject.eagerness];
  const silence = (cause: string): PromptDecision => ({
    verdict: "silence",
    cause,
    probability: 0,
    threshold,
    features: {},
  });
  if (!evidence.inject.prompt) return silence("off");
  if (isTerse(evidence.prompt)) return silence("terse");
  if (evidence.found.length === 0 && evidence.practices.length === 0)
    return silence("nothing-found");
  const features = gateFeatures(evidence);
  const probability = gateProbability(gate, features);
  const wanted = probability >= threshold;
  return {
    verdict: wanted ? "inject" : "silence",
    cause: wanted ? "wanted" : "gate",
    probability: rounded(probability),
    threshold,
    features: Object.fromEntries(
      Object.entries(features).map(([name, value]) => [name, rounded(value)]),
    ),
  };
}

/** Logistic regression: 1 / (1 + e^-(bias + Σ weight · feature)). */
function gateProbability({ bias, weights }: GateWeights, features: GateFeatures): number {
  let sum = bias;
  for (const [name, value] of Object.entries(features)) sum += (weights[name] ?? 0) * value;
  return 1 / (1 + Math.exp(-sum));
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
