/**
 * Does this prompt want memory at all? Most do not: silence beats noise. A learnt likelihood decides, and it has to
 * stand out from what this project's ordinary prompts reach. Pure.
 */
import { hasUnspaced } from "#kit";
import { candidateFeatureNames } from "./candidate.ts";
import { promptFeatureNames, thresholds } from "./rank.ts";
import type { PromptDecision, PromptEvidence } from "./prompt-types.ts";

/** Share of a project's ordinary prompts above which a prompt has to stand, once there are enough to tell. */
const ordinaryShare = { low: 0.95, normal: 0.85, high: 0.7 } as const;
const ordinaryMin = 24;
/**
 * Exchanges of a store in which people say little that lasts: of 301 prompts of real developers 14 were helped by one,
 * and no likelihood tells which (docs/adr/0038): from .55 on 24 of 335 were given one and few of them used it, from .8
 * on 9. Only what is beyond doubt is said there. The mean worth of the exchanges that were found is below this in 98 %
 * of those prompts, and above it in 97 % of those of the voices.
 */
const sparseBelow = 0.4;
const sparseFrom = 0.9;

/** As many candidates as are looked at: the store has more than a beginning. */
const manyFrom = 16;

/** Decides from evidence alone; never looks at what the session has seen (that only decides what is left to show). */
export function decidePrompt(evidence: PromptEvidence): PromptDecision {
  const { learnt, usual } = needed(evidence);
  const threshold = Math.max(learnt, usual);
  const probability = rounded(evidence.likelihood);
  const silence = (cause: string): PromptDecision => ({
    verdict: "silence",
    cause,
    probability,
    threshold: rounded(threshold),
    features: featuresOf(evidence),
  });
  if (!evidence.inject.prompt) return silence("off");
  if (evidence.features.length === 0) return silence("nothing-found");
  if (isRepeatedOrder(evidence)) return silence("order");
  if (evidence.likelihood < learnt) return silence("gate");
  if (evidence.likelihood < usual) return silence("ordinary");
  return { ...silence("wanted"), verdict: "inject" };
}

/** What was learnt to be enough, and what this project's ordinary prompts reach. */
function needed(evidence: PromptEvidence): { readonly learnt: number; readonly usual: number } {
  const { eagerness: wanted } = evidence.inject;
  // Scripts without spaces are compared by pairs of letters, which meet sooner than words: of the Chinese and Japanese
  // prompts of the voices that need nothing 88 % were given nothing at `normal`, 94 % at `low`.
  const eagerness = wanted === "normal" && hasUnspaced(evidence.prompt) ? "low" : wanted;
  const own = thresholds[evidence.candidates[0]?.kind ?? "exchange"];
  // A young store has little to be wrong with, and everything in it is near.
  const isYoung = evidence.candidates.length < manyFrom;
  const usually = isYoung ? own.high : own[eagerness];
  const learnt = isSparse(evidence) ? Math.max(sparseFrom, usually) : usually;
  return { learnt, usual: usualOf(evidence.ordinary, ordinaryShare[eagerness]) };
}

/** True when an order would be told an exchange, those found are worth little, and no memory stands beside. */
function isSparse({ asks, candidates }: PromptEvidence): boolean {
  if (asks || candidates.some(({ kind }) => kind === "memory")) return false;
  const worth = candidates
    .filter(({ kind }) => kind === "exchange")
    .map(({ features }) => features[worthAt] ?? 0);
  return worth.reduce((sum, one) => sum + one, 0) < sparseBelow * worth.length;
}

const worthAt = candidateFeatureNames.indexOf("worth");

/** An order that was given before in nearly the same words asks for nothing that was said then. */
const isRepeatedOrder = ({ prompt, candidates }: PromptEvidence): boolean =>
  !/[?？]/u.test(prompt) &&
  candidates.some(
    ({ kind, features }) => kind === "exchange" && (features[echoAt] ?? 0) >= repeatedFrom,
  );

const echoAt = candidateFeatureNames.indexOf("echo");
const repeatedFrom = 0.75;

/** The likelihood that a share of the project's last prompts did not reach; 0 while there are too few. */
function usualOf(ordinary: readonly number[], share: number): number {
  if (ordinary.length < ordinaryMin) return 0;
  const sorted = ordinary.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * sorted.length)] ?? 0;
}

const featuresOf = ({ features }: PromptEvidence): Readonly<Record<string, number>> =>
  Object.fromEntries(
    promptFeatureNames.flatMap((name, i) => {
      const value = rounded(features[i] ?? 0);
      return value === 0 ? [] : [[name, value]];
    }),
  );

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
