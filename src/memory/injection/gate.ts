/**
 * Three questions decide about a prompt. Does it ask for something that memory may hold? Does the best hit answer it?
 * Has the session got it? The first two make one number, and from a bar on the hits are told; the third is asked when
 * their lines are chosen. Pure.
 */
import type { Settings } from "#domain";
import { hasUnspaced } from "#kit";
import { identifiersOf } from "#language";
import { isRule } from "./candidate.ts";
import { judge } from "./near.ts";
import type { PromptCandidate, PromptDecision, PromptEvidence } from "./prompt-types.ts";

/**
 * The learnt gate, whole: what each number counts, fitted with each invented developer left out in turn (train/gate.ts);
 * the last by real prompts (docs/adr/0055).
 */
export const weights = {
  /** It sounds like prompts that earlier sessions could answer: -3 to 3. */
  asks: 0.65,
  /** Nearness of the best hit. */
  near: 6,
  /** Lead of the best hit over the others. */
  lead: 4.2,
  /** It is an exchange of which no memory was made, though somebody reads the sessions of this project. */
  record: -0.8,
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

export function signalsOf(evidence: PromptEvidence): Signals {
  const { candidates, wording } = evidence;
  const judged = judge(evidence);
  const told = judged.flatMap(({ candidate, why }) => (why === "near" ? [candidate] : []));
  // A hit that says the same as another lends it its nearness.
  const same = judged.flatMap(({ candidate, why }) => (why === "same" ? [candidate.score] : []));
  const near = Math.max((told[0] ?? candidates[0])?.score ?? 0, ...same);
  let sum = 0;
  for (let at = others.from; at < others.to; at += 1) sum += candidates[at]?.score ?? others.usual;
  const isRead = candidates.some(isReading);
  return {
    asks: wording,
    near,
    lead: near - sum / (others.to - others.from),
    record: isRead && told.every(({ kind }) => kind === "exchange") ? 1 : 0,
  };
}

/** A memory that a model or an agent made, not one that the user dictated. */
const isReading = ({ kind, document: { node } }: PromptCandidate): boolean =>
  kind === "memory" && (node.maker === "extract" || node.origin === "agent");

function probabilityOf(signals: Signals): number {
  const names = Object.keys(weights) as (keyof Signals)[];
  const sum = names.reduce((all, name) => all + weights[name] * signals[name], bias);
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
  const isPlausible = !isAtHand(evidence) && probability >= usualBar(evidence) - plausibleBelow;
  return isPlausible ? decide("inject", "pointer") : decide("silence", "gate");
}

/**
 * A young store has little to be wrong with, and nothing from which a hit could stand out. But an order, and a question
 * about the work at hand, are told what happens to be near only where that is a rule.
 */
function barOf(evidence: PromptEvidence): number {
  const { asks, candidates } = evidence;
  const [best] = candidates;
  const isYoung = candidates.length < others.to;
  const isWelcome = asks || (best !== undefined && isRule(best));
  return isYoung && isWelcome && !isAtHand(evidence) ? bars.high : usualBar(evidence);
}

/** Below it the wording of a prompt goes on with the work at hand. */
const wordingMin = -1;

/**
 * By its wording the prompt goes on with the work at hand ("did you commit?"), and what is nearest is neither a rule
 * nor has an identifier of the prompt ("what is POL-359?").
 */
const isAtHand = ({ candidates: [best], prompt, wording }: PromptEvidence): boolean =>
  wording < wordingMin && (best === undefined || !(isRule(best) || isNamed(best, prompt)));

const isNamed = ({ sentences }: PromptCandidate, prompt: string): boolean =>
  identifiersOf(prompt).some((name) =>
    sentences.some(({ text }) => text.toLowerCase().includes(name)),
  );

/** Scripts without spaces are compared by pairs of letters, which meet sooner than words. */
function usualBar(evidence: PromptEvidence): number {
  const { eagerness } = evidence.inject;
  const isStrict = hasUnspaced(evidence.prompt) || isAtHand(evidence);
  return bars[eagerness === "normal" && isStrict ? "low" : eagerness];
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
