/**
 * Rates a quotation of the archive, and says from which rating on it is told. A memory was kept because it may be asked
 * for; an exchange is whatever was said, so nearness alone does not make it an answer. Pure.
 */
import type { FoundDocument, Settings } from "#domain";
import { worthOf } from "../exchange/traits.ts";
import type {
  PromptCandidate,
  PromptEvidence,
  QuotationSignals,
  Sentence,
} from "./prompt-types.ts";

/**
 * Learnt from the invented developers, and from prompts of real ones with the quotations that would have been given,
 * judged by use (lab/train/gate.ts).
 */
export const quotationWeights: QuotationSignals = { asks: 0.7, lead: 7, worth: 4, names: 0.8 };
export const quotationBias = -2.4;

export const bars: Readonly<Record<Settings["inject"]["eagerness"], number>> = {
  low: 0.9,
  normal: 0.8,
  high: 0.5,
};

/** Documents below which a store is young. */
const youngDocuments = 12;

/** A young store has little to be wrong with: questions, rules and identifiers are told what is near. Not at work. */
export const isYoung = ({ found, previousAnswer }: PromptEvidence): boolean =>
  previousAnswer === null && found < youngDocuments;

/** True for memories, and for an exchange whose quotation is likely to help: it may open an answer. */
export const isLikely = ({ kind, quotation }: PromptCandidate, evidence: PromptEvidence): boolean =>
  kind === "memory" || (quotation?.likelihood ?? 0) >= quotationBar(evidence);

export const quotationBar = (evidence: PromptEvidence): number =>
  evidence.asks && isYoung(evidence) ? bars.high : bars[evidence.inject.eagerness];

/** Adds the rating of its quotation to an exchange. */
export function withQuotation(
  candidate: PromptCandidate,
  asked: Pick<QuotationSignals, "asks"> & {
    readonly background: number;
    readonly identifiers: readonly string[];
  },
): PromptCandidate {
  if (candidate.kind === "memory") return candidate;
  const { node } = candidate.document;
  const whole = `${node.l0} ${node.l1 ?? ""}`.toLowerCase();
  const signals: QuotationSignals = {
    asks: asked.asks,
    lead: candidate.score - asked.background,
    worth: worthIn(candidate.sentences),
    names: Math.min(namesMax, asked.identifiers.filter((name) => whole.includes(name)).length),
  };
  const names = Object.keys(quotationWeights) as (keyof QuotationSignals)[];
  const odds = names.reduce(
    (sum, name) => sum + quotationWeights[name] * signals[name],
    quotationBias,
  );
  return { ...candidate, quotation: { signals, likelihood: 1 / (1 + Math.exp(-odds)) } };
}

/** A pasted list of paths counts as so many. */
const namesMax = 4;

const worthIn = (sentences: readonly Sentence[]): number =>
  Math.max(
    0,
    ...sentences.map(({ by, text }, index) =>
      by === "asked"
        ? 0
        : worthOf(text, { by, index, count: sentences.length, answersQuestion: false }),
    ),
  );

const background = { from: 4, to: 12, least: 0.2 } as const;

/** Mean nearness of the fifth to twelfth nearest of what was found. */
export function backgroundOf(found: readonly FoundDocument[]): number {
  const near = found
    .map(({ explanation }) => explanation.similarity ?? 0)
    .toSorted((a, b) => b - a)
    .slice(background.from, background.to);
  if (near.length === 0) return background.least;
  return near.reduce((sum, one) => sum + one, 0) / near.length;
}
