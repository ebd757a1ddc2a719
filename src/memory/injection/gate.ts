/**
 * Three questions decide about a prompt. Does it ask for something that memory may hold? Does the best hit answer it?
 * Has the session got it? The first two make one number, and from a bar on the hits are told; the third is asked when
 * their lines are chosen. Pure.
 */
import { unspacedLetters } from "#kit";
import { identifiersOf, isQuestion, namesMemory, readWords, withoutMemory } from "#language";
import file from "../../../models/learnt/wording.json" with { type: "json" };
import { classifierOf, traitsOf } from "../exchange/traits.ts";
import { isNameSaid, isMentioned } from "./name-nearness.ts";
import { isAtWork, isRule, judge } from "./candidate.ts";
import type { PromptCandidate, PromptDecision, PromptEvidence } from "./prompt-types.ts";
import { bars, isLikely, isYoung, quotationBar } from "./quotation.ts";

/**
 * The learnt gate, whole: its weights, fitted with each invented developer left out in turn (lab/train/gate.ts).
 */
export const weights = {
  /** It sounds like prompts that earlier sessions could answer: -3 to 3. */
  asks: 1.4,
  /** Nearness of the best hit. */
  near: 11,
} as const;
export const bias = -4.3;
export type Signals = Readonly<Record<keyof typeof weights, number>>;

/** So far below its bar a hit is plausible, but not sure: it is named and not told. */
const plausibleBelow = 0.08;

export function signalsOf(evidence: PromptEvidence, hit = hitOf(evidence)): Signals {
  return { asks: wordingFor(hit, evidence), near: hit?.score ?? 0 };
}

/** The best of what may be told, else the nearest; an exchange whose quotation is unlikely to help opens no answer. */
function hitOf(evidence: PromptEvidence): PromptCandidate | undefined {
  const near = judge(evidence).flatMap(({ candidate, why }) => (why === "near" ? [candidate] : []));
  return near.find((one) => isLikely(one, evidence)) ?? near[0] ?? evidence.candidates[0];
}

/** Against an order that names what a memory names, or touches a rule of a young store, its wording counts nothing. */
const wordingFor = (hit: PromptCandidate | undefined, evidence: PromptEvidence): number =>
  hit !== undefined && (isNamed(hit, evidence) || (isYoung(evidence) && isRule(hit)))
    ? Math.max(0, evidence.wording)
    : evidence.wording;

function probabilityOf(signals: Signals): number {
  const names = Object.keys(weights) as (keyof Signals)[];
  const sum = names.reduce((all, name) => all + weights[name] * signals[name], bias);
  return 1 / (1 + Math.exp(-sum));
}

/** Decides from evidence alone. */
export function decidePrompt(evidence: PromptEvidence): PromptDecision {
  const hit = hitOf(evidence);
  const { signals, probability, threshold } =
    hit === undefined ? unrated(evidence) : rate(hit, evidence);
  const decide = (verdict: PromptDecision["verdict"], cause: string): PromptDecision => ({
    verdict,
    cause,
    probability: rounded(probability),
    threshold,
    features: Object.fromEntries(
      Object.entries(signals).map(([name, value]) => [name, rounded(value)]),
    ),
  });
  if (!evidence.inject.prompt) return decide("silence", "off");
  if (hit === undefined) return decide("silence", "nothing-found");
  if (!isMentioned(hit)) return decide("silence", "gate");
  if (probability >= threshold) return decide("inject", "wanted");
  const isPlausible = !isAtWork(evidence) && probability >= usualBar(evidence) - plausibleBelow;
  return isPlausible ? decide("inject", "pointer") : decide("silence", "gate");
}

interface Rating {
  readonly signals: Readonly<Record<string, number>>;
  readonly probability: number;
  readonly threshold: number;
}

const usualBar = ({ inject }: PromptEvidence): number => bars[inject.eagerness];

const unrated = (evidence: PromptEvidence): Rating => ({
  signals: {},
  probability: 0,
  threshold: usualBar(evidence),
});

/** Rates a hit: a quotation by its own number, a memory by the gate's. */
function rate(hit: PromptCandidate, evidence: PromptEvidence): Rating {
  if (hit.quotation !== undefined) {
    const { signals, likelihood } = hit.quotation;
    return { signals: { ...signals }, probability: likelihood, threshold: quotationBar(evidence) };
  }
  const signals = signalsOf(evidence, hit);
  return {
    signals: hit.nameNearness === undefined ? signals : { ...signals, name: hit.nameNearness },
    probability: probabilityOf(signals),
    threshold: isAtWork(evidence) ? surely(usualBar(evidence)) : easedBar(hit, evidence),
  };
}

/** Bar of `high` for what is meant in a young store, else the usual one. */
const easedBar = (hit: PromptCandidate, evidence: PromptEvidence): number =>
  (evidence.asks || isRule(hit) || isNamed(hit, evidence)) && isYoung(evidence)
    ? bars.high
    : usualBar(evidence);

/** Bar where the work at hand may be meant: half of the odds that the usual one allows against a hit. */
const surely = (bar: number): number => rounded(1 - (1 - bar) / 2);

/** The prompt names the memory, or has an identifier of it. A quotation that has it seldom answers. */
const isNamed = (hit: PromptCandidate, { prompt }: PromptEvidence): boolean =>
  hit.kind === "memory" &&
  (isNameSaid(hit) ||
    identifiersOf(prompt).some((name) =>
      hit.sentences.some(({ text }) => text.toLowerCase().includes(name)),
    ));

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

// Rates how a prompt sounds: like one that earlier sessions could answer, or like an order and a question about the
// world. Learnt from prompts that were labelled by their wording (lab/train/wording.ts; models/learnt/wording.json).

const classifier = classifierOf(file);
const wordedCharsMax = 400;
const wordingMax = 3;

/** The logarithm of its odds, at most 3 either way; a prompt that names the memory leaves no doubt. */
export function wordingOf(text: string): number {
  if (namesMemory(text)) return wordingMax;
  const place = { by: "user", index: 0, count: 1, answersQuestion: false } as const;
  const likelihood = classifier(traitsOf(text.slice(0, wordedCharsMax), place));
  return Math.max(-wordingMax, Math.min(wordingMax, Math.log(likelihood / (1 - likelihood))));
}

/** Letters of a script without spaces in which a verb and its object fit: "テストを実行して". */
const terseLettersMax = 8;

/** One word, or none that says anything: "yes", "commit it", "👍", "what do you remember about me?". */
export function isTerse(typed: string): boolean {
  const { content, plain } = readWords(typed);
  const isShort = plain.length <= 2 && unspacedLetters(typed) <= terseLettersMax;
  const isOne = content.length === 1 && isShort && !isQuestion(typed);
  return isOne || readWords(withoutMemory(typed)).content.length === 0;
}
