/**
 * Does a later exchange say something else about the same subject than an earlier one? What was learnt from pairs of
 * the voices (train/succession.ts) tells how likely that is; an earlier exchange is never quoted without what came
 * after it. Pure.
 */
import { hasUnspaced, letterPairs, memoised } from "#kit";
import { readWords, roughStem } from "#language";
import successionFile from "../../../models/learnt/succession.json" with { type: "json" };
import changeFile from "../../../models/learnt/change.json" with { type: "json" };
import { classifierOf, type Classifier } from "./learnt.ts";
import { traitsOf } from "./traits.ts";
import type { Spoken } from "./exchange.ts";

/** A text as pairs are compared: its stems with their weights, its numbers and its vector. */
export interface Compared {
  readonly stems: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly vector: Float32Array | null;
}

export interface Said extends Compared {
  readonly by: Spoken["by"];
  readonly text: string;
}

export interface Weighing {
  /** How rare a stem of the earlier sentence is here: the natural logarithm of one document in so many. */
  readonly idf: (stem: string) => number;
}

/** Stems of the content words; text without spaces counts by pairs of letters. */
export const stemsOf: (text: string) => ReadonlySet<string> = memoised((text) => {
  const { content } = readWords(text);
  return new Set(
    content.flatMap((word) => (hasUnspaced(word) ? letterPairs(word) : [roughStem(word)])),
  );
});

/** Numbers as they stand, times and versions as one. */
export const numbersIn = (text: string): ReadonlySet<string> =>
  new Set(text.match(/\p{N}+(?:[.:]\p{N}+)*/gu) ?? []);

export const compared = (text: string, embed: (text: string) => Float32Array | null): Compared => ({
  stems: stemsOf(text),
  numbers: numbersIn(text),
  vector: embed(text),
});

export const saidBy = (
  by: Said["by"],
  text: string,
  embed: (text: string) => Float32Array | null,
): Said => ({ by, text, ...compared(text, embed) });

const changeClassifier = classifierOf(changeFile);

/** A sentence of a later exchange, and how much it sounds like a change: 0 to 1. */
export interface Told extends Said {
  readonly change: number;
}

/** The sentences of an exchange as something earlier is compared with them; a question tells nothing. */
export function toldIn(
  spoken: readonly Pick<Spoken, "by" | "text">[],
  embed: (text: string) => Float32Array | null,
  isChange: Classifier = changeClassifier,
): readonly Told[] {
  const said = spoken.filter(({ by }) => by !== "asked");
  return said.map(({ by, text }, index) => {
    const place = {
      by: by === "agent" ? ("agent" as const) : ("user" as const),
      index,
      count: said.length,
      answersQuestion: false,
    };
    return Object.assign(saidBy(by, text, embed), { change: isChange(traitsOf(text, place)) });
  });
}

/** Few sentences change anything, so that nearly all likelihoods are small: what counts is their proportion. */
const oddsOf = (likelihood: number): number => {
  const p = Math.min(0.999, Math.max(0.001, likelihood));
  return Math.log(p / (1 - p)) / 4;
};

/**
 * Features of "what `later` says replaces what this one sentence of the earlier exchange says". Order and number belong
 * to the weights in models/learnt/succession.json.
 */
export function successionFeatures(
  earlier: Said,
  later: { readonly all: Compared; readonly sentences: readonly Told[] },
  { idf }: Weighing,
): readonly number[] {
  const weigh = (stems: Iterable<string>): number => {
    let sum = 0;
    for (const stem of stems) sum += idf(stem);
    return sum;
  };
  const own = Math.max(1, weigh(earlier.stems));
  const shares = (one: Compared): readonly string[] =>
    [...earlier.stems].filter((stem) => one.stems.has(stem));
  const best = nearestOf(later.sentences, (sentence) => {
    const share = weigh(shares(sentence)) / own;
    return share + Math.max(0, cosine(earlier.vector, sentence.vector));
  });
  const sharedAll = shares(later.all);
  const shared = best === null ? [] : shares(best);
  const sharedWeight = weigh(shared);
  const rarest = Math.max(0, ...shared.map(idf));
  const rarestAll = Math.max(0, ...sharedAll.map(idf));
  const change = Math.max(0, ...later.sentences.map((one) => one.change));
  const [isOther, isCommon] = compareNumbers(earlier.numbers, best?.numbers ?? new Set());
  return [
    Math.max(0, cosine(earlier.vector, later.all.vector)),
    Math.max(0, cosine(earlier.vector, best?.vector ?? null)),
    weigh(sharedAll) / own,
    sharedWeight / own,
    best === null ? 0 : shared.length / Math.max(1, best.stems.size),
    Math.min(2, sharedWeight / 10),
    rarest / 6,
    rarestAll / 6,
    isOther,
    isCommon,
    change,
    change * (sharedWeight / own),
    best?.by === "user" ? 1 : 0,
    earlier.by === "user" ? 1 : 0,
    Math.min(1, earlier.stems.size / 12),
  ];
}

function nearestOf(sentences: readonly Said[], scoreOf: (one: Said) => number): Said | null {
  let best: Said | null = null;
  let bestScore = -1;
  for (const sentence of sentences) {
    const score = scoreOf(sentence);
    if (score > bestScore) [best, bestScore] = [sentence, score];
  }
  return best;
}

/** Are the numbers others, have they one in common? 1 or 0 each. */
function compareNumbers(
  earlier: ReadonlySet<string>,
  later: ReadonlySet<string>,
): readonly [number, number] {
  const isCommon = [...earlier].some((number) => later.has(number));
  const isOther = earlier.size > 0 && later.size > 0 && !isCommon;
  return [isOther ? 1 : 0, isCommon ? 1 : 0];
}

/**
 * Features of "this sentence of the later exchange is the one that tells what holds now", in the order of the weights.
 */
export function tellingFeatures(
  shown: readonly Said[],
  { sentences, at }: { readonly sentences: readonly Told[]; readonly at: number },
  { idf }: Weighing,
): readonly number[] {
  const one = sentences[at];
  if (one === undefined) return [];
  const own = new Set(shown.flatMap(({ stems }) => [...stems]));
  const numbers = new Set(shown.flatMap((said) => [...said.numbers]));
  let shared = 0;
  for (const stem of one.stems) if (own.has(stem)) shared += idf(stem);
  const isOther = [...one.numbers].some((number) => !numbers.has(number));
  return [
    Math.min(1, shared / 15),
    Math.max(0, ...shown.map(({ vector }) => cosine(vector, one.vector))),
    one.by === "user" ? 1 : 0,
    oddsOf(one.change),
    isOther ? 1 : 0,
    isOther && numbers.size > 0 ? 1 : 0,
    at / sentences.length,
    Math.min(1, one.stems.size / 12),
  ];
}

/** The likelihood, 0 to 1, that the later exchange replaces. */
export const successionOf = (features: readonly number[]): number =>
  logistic(successionFile, features);

/** The likelihood, 0 to 1, that the sentence tells. */
export const tellingOf = (features: readonly number[]): number =>
  logistic(successionFile.telling, features);

function logistic(
  { bias, weights }: { readonly bias: number; readonly weights: readonly number[] },
  features: readonly number[],
): number {
  let sum = bias;
  for (const [i, weight] of weights.entries()) sum += weight * (features[i] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/** Of two unit vectors; 0 where one of the texts has none. */
export function cosine(a: Float32Array | null, b: Float32Array | null): number {
  if (a === null || b === null) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
