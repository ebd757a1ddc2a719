/**
 * One memory or exchange, measured against a prompt: what of it would be shown, and the features that the rank is
 * learnt from. Pure.
 */
import type { FoundDocument, MemoryNode } from "#domain";
import { msPerDay } from "#kit";
import { standingIn } from "../exchange/exchange.ts";
import { cosine, stemsOf } from "../exchange/stems.ts";
import { kindOfNode } from "../retrieval/filters.ts";
import { candidateLikelihood } from "./rank.ts";
import type { PromptCandidate, PromptInput, Sentence } from "./prompt-types.ts";

/** A prompt as candidates are compared with it. */
export interface Asked {
  readonly stems: ReadonlySet<string>;
  readonly vector: Float32Array | null;
  /** Content words. */
  readonly words: number;
  readonly idf: (stem: string) => number;
  readonly embed: (text: string) => Float32Array | null;
}

/** What of an exchange is shown, in characters: two of them and their frame stay below 120 tokens. */
const shownCharsMax = 220;

export function candidateOf(
  document: FoundDocument & { readonly node: MemoryNode },
  asked: Asked,
  input: Pick<PromptInput, "nowMs" | "branch">,
): PromptCandidate {
  const { node } = document;
  const kind = kindOfNode(node) === "memory" ? "memory" : "exchange";
  const said = sentencesOfNode(node, kind, input.nowMs).map((one): Measured => {
    const stems = stemsOf(one.text);
    const near = Math.max(0, cosine(asked.vector, asked.embed(one.text)));
    return Object.assign({ stems, share: shareOf(asked, stems), cosine: near }, one);
  });
  const features = featuresOf(document, said, asked, input);
  return {
    document,
    kind,
    sentences: kind === "memory" ? said : shownOf(said),
    features,
    likelihood: candidateLikelihood(kind, features),
    laters: [],
  };
}

/** A memory is one line; its other words count for finding it only. */
const sentencesOfNode = (node: MemoryNode, kind: "memory" | "exchange", nowMs: number) =>
  kind === "memory" ? [{ by: "user" as const, text: node.l0 }] : standingIn(node, nowMs);

interface Measured extends Sentence {
  readonly stems: ReadonlySet<string>;
  /** Of the prompt's words by weight, 0 to 1. */
  readonly share: number;
  readonly cosine: number;
}

/** The sentences nearest to the prompt, in order; a question only with its answer. */
function shownOf(said: readonly Measured[]): readonly Measured[] {
  const score = ({ by, share, cosine: near }: Measured): number =>
    near + 0.6 * share + (by === "user" ? 0.1 : 0) - (by === "asked" ? 0.1 : 0);
  const kept = new Set<Measured>();
  let left = shownCharsMax;
  for (const one of said.toSorted((a, b) => score(b) - score(a))) {
    if (kept.size > 0 && one.text.length > left) continue;
    kept.add(one);
    left -= one.text.length;
    if (left < 30) break;
  }
  return said.filter((one) => kept.has(one));
}

/** Names of the features, in order. */
export const candidateFeatureNames = [
  "lexical",
  "cosine",
  "share of the best sentence",
  "cosine of the best sentence",
  "share of all",
  "matched",
  "rarest match",
  "user's words",
  "age",
  "this branch",
  "length",
  "prompt's length",
  "echo",
  "answered",
  "worth",
] as const;

/**
 * In order: lexical; cosine; share and cosine of the best sentence; share of all; matched; rarest match; user's words;
 * age; this branch; length; prompt's length; echo; answered; worth.
 */
function featuresOf(
  { node, explanation, project }: FoundDocument & { readonly node: MemoryNode },
  said: readonly Measured[],
  asked: Asked,
  { nowMs, branch }: Pick<PromptInput, "nowMs" | "branch">,
): readonly number[] {
  const stems = stemsIn(said);
  const aliases = stemsOf(node.aliases.join(" "));
  const matched = [...asked.stems].filter((stem) => stems.has(stem) || aliases.has(stem));
  const all = new Set(matched);
  const days = Math.max(0, nowMs - (node.validFrom ?? node.updatedAt)) / msPerDay;
  return [
    explanation.lexical,
    // Its vector may still have to be made: a new model, an import.
    Math.max(0, explanation.similarity ?? most(said.map((one) => one.cosine))),
    most(said.map(({ share }) => share)),
    most(said.map((one) => one.cosine)),
    shareOf(asked, all),
    Math.min(1, matched.length / 4),
    Math.min(1, most(matched.map(asked.idf)) / 6),
    said.some(({ by }) => by === "user") ? 1 : 0,
    Math.min(1, days / 180),
    project !== null && branch !== null && node.branch === branch ? 1 : 0,
    Math.min(1, stems.size / 40),
    Math.min(1, asked.words / 12),
    echoOf(asked, said),
    shareOf(asked, stemsIn(said.filter(({ by }) => by === "agent"))),
    (node.importance - 1) / 4,
  ];
}

const stemsIn = (said: readonly Measured[]): ReadonlySet<string> =>
  new Set(said.flatMap(({ stems }) => Array.from(stems)));

const most = (values: readonly number[]): number => Math.max(0, ...values);

/** How nearly the user said the same then: an order that is given again is no question about it. */
function echoOf(asked: Asked, said: readonly Measured[]): number {
  const own = stemsIn(said.filter(({ by }) => by === "user"));
  const shared = [...asked.stems].filter((stem) => own.has(stem)).length;
  return shared / Math.max(1, asked.stems.size + own.size - shared);
}

function shareOf(asked: Pick<Asked, "stems" | "idf">, stems: ReadonlySet<string>): number {
  let own = 0;
  let shared = 0;
  for (const stem of asked.stems) {
    const weight = asked.idf(stem);
    own += weight;
    if (stems.has(stem)) shared += weight;
  }
  return own > 0 ? shared / own : 0;
}
