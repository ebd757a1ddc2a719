/**
 * Three questions decide about a prompt. Does it ask for something that memory may hold? Does the best hit answer it?
 * Has the session got it? The first two make one number, and from a bar on the hits are told; the third is asked when
 * their lines are chosen. Pure.
 */
import type { Settings } from "#domain";
import { hasUnspaced } from "#kit";
import type { PromptDecision, PromptEvidence } from "./prompt-types.ts";

/** The learnt gate, whole: what each number counts, fitted with each invented developer left out in turn (train/gate.ts). */
export const weights = {
  /** It sounds like prompts that earlier sessions could answer: -3 to 3. */
  asks: 0.65,
  /** Nearness of the best hit. */
  near: 6,
  /** Lead of the best hit over the others. */
  lead: 4.2,
} as const;
export const bias = -4.2;
export type Signals = Readonly<Record<keyof typeof weights, number>>;

const bars: Readonly<Record<Settings["inject"]["eagerness"], number>> = {
  low: 0.63,
  normal: 0.53,
  high: 0.35,
};

/** So far below its bar a hit is plausible, but not sure: it is named and not told. */
const plausibleBelow = 0.08;

/** Places behind the first hits, above which the best has to stand, and how near it is where nothing was found. */
const others = { from: 4, to: 12, usual: 0.2 } as const;

export function signalsOf({
  candidates,
  seen,
  wording,
}: Pick<PromptEvidence, "candidates" | "seen" | "wording">): Signals {
  const fresh = candidates.find(({ document }) => !seen.has(document.node.id));
  const near = (fresh ?? candidates[0])?.score ?? 0;
  let sum = 0;
  for (let at = others.from; at < others.to; at += 1) sum += candidates[at]?.score ?? others.usual;
  return { asks: wording, near, lead: near - sum / (others.to - others.from) };
}

function probabilityOf({ asks, near, lead }: Signals): number {
  const sum = bias + weights.asks * asks + weights.near * near + weights.lead * lead;
  return 1 / (1 + Math.exp(-sum));
}

/** Decides from evidence alone. */
export function decidePrompt(evidence: PromptEvidence): PromptDecision {
  const signals = signalsOf(evidence);
  const isFound = evidence.candidates.length > 0;
  const probability = isFound ? probabilityOf(signals) : 0;
  const threshold = barOf(evidence);
  const decide = (verdict: PromptDecision["verdict"], cause: string): PromptDecision => ({
    verdict,
    cause,
    probability: rounded(probability),
    threshold,
    features: isFound
      ? Object.fromEntries(Object.entries(signals).map(([name, value]) => [name, rounded(value)]))
      : {},
  });
  if (!evidence.inject.prompt) return decide("silence", "off");
  if (!isFound) return decide("silence", "nothing-found");
  if (probability >= threshold) return decide("inject", "wanted");
  const isPlausible = probability >= usualBar(evidence) - plausibleBelow;
  return isPlausible ? decide("inject", "pointer") : decide("silence", "gate");
}

/** A young store has little to be wrong with, and nothing from which a hit could stand out. */
const barOf = (evidence: PromptEvidence): number =>
  evidence.candidates.length < others.to ? bars.high : usualBar(evidence);

/** Scripts without spaces are compared by pairs of letters, which meet sooner than words. */
const usualBar = ({ inject: { eagerness }, prompt }: PromptEvidence): number =>
  bars[eagerness === "normal" && hasUnspaced(prompt) ? "low" : eagerness];

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
