/** Fits the two models of src/language/reader to labelled prompts. Same data, same weights: the shuffle is seeded. */
import {
  featuresOf,
  linesOf,
  tableSize,
  type Features,
  type Line,
} from "../../src/language/reader/features.ts";
import {
  aroundOf,
  firstOdds,
  piecesWeight,
  smoothed,
  type ReaderWeights,
} from "../../src/language/reader/model.ts";

/** The writer of a line: typed, pasted, quoted from the agent, the client's. */
export type Label = "t" | "p" | "q" | "c";

export interface Sample {
  readonly id: string;
  /** The writer of the prompt; "ours" for invented ones. */
  readonly person: string;
  readonly text: string;
  readonly previous: string | null;
  /** Label of each line of the text; blank lines have none. */
  readonly labels: readonly (Label | null)[];
}

export interface Prepared {
  readonly sample: Sample;
  readonly lines: readonly Line[];
  readonly features: readonly Features[];
  /** 1 = typed. */
  readonly wanted: readonly number[];
  /** The weight of each line: a long paste must not outweigh a hundred prompts. */
  readonly weight: number;
}

/** `share`: how much a prompt counts. `text`: what the model is shown of it. */
export function prepared(sample: Sample, text: string, share: number): Prepared {
  const lines = linesOf(text);
  const wanted = lines.map(({ index }) => (sample.labels[index] === "t" ? 1 : 0));
  const weight = (share * Math.sqrt(lines.length)) / Math.max(1, lines.length);
  return { sample, lines, features: featuresOf(lines), wanted, weight };
}

const rounds = 10;
const rate = 0.12;
const decay = 4e-3;
const folds = 5;

export function fitReader(prompts: readonly Prepared[]): ReaderWeights {
  const first = fitFirst(prompts);
  // The second model must see the first one's errors on prompts that it was not fitted to.
  const seen: { readonly prompt: Prepared; readonly odds: readonly number[] }[] = [];
  for (let fold = 0; fold < folds; fold += 1) {
    const part = fitFirst(prompts.filter((_, n) => n % folds !== fold));
    for (const prompt of prompts.filter((_, n) => n % folds === fold))
      seen.push({ prompt, odds: prompt.features.map((one) => firstOdds(part, one)) });
  }
  return { ...first, second: fitSecond(seen) };
}

function fitFirst(prompts: readonly Prepared[]): ReaderWeights {
  const table = new Float32Array(tableSize);
  const squares = new Float32Array(tableSize + 1).fill(1e-2);
  const weights = { table, bias: 0, second: [] };
  const order = prompts.flatMap((prompt, p) => prompt.lines.map((_, n) => [p, n] as const));
  const random = seeded(7);
  for (let round = 0; round < rounds; round += 1) {
    shuffle(order, random);
    for (const [p, n] of order) {
      const prompt = prompts[p]!;
      const features = prompt.features[n]!;
      const error = (prompt.wanted[n]! - sigmoid(firstOdds(weights, features))) * prompt.weight;
      const step = (at: number, value: number): void => {
        const slope = error * value - decay * table[at]!;
        squares[at]! += slope * slope;
        table[at]! += (rate * slope) / Math.sqrt(squares[at]!);
      };
      for (const at of features.full) step(at, 1);
      const share = piecesWeight(features.pieces.length);
      for (const at of features.pieces) step(at, share);
      squares[tableSize]! += error * error;
      weights.bias += (rate * error) / Math.sqrt(squares[tableSize]!);
    }
  }
  return weights;
}

function fitSecond(
  seen: readonly { readonly prompt: Prepared; readonly odds: readonly number[] }[],
): readonly number[] {
  const rows = seen.flatMap(({ prompt, odds }) =>
    aroundOf(prompt.lines, odds).map((values, n) => ({
      values,
      wanted: prompt.wanted[n]!,
      weight: prompt.weight,
    })),
  );
  const size = rows[0]?.values.length ?? 0;
  const weights: number[] = Array.from({ length: size }, () => 0);
  const squares = Array.from({ length: size }, () => 1e-2);
  const random = seeded(11);
  for (let round = 0; round < 30; round += 1) {
    shuffle(rows, random);
    for (const { values, wanted, weight } of rows) {
      let odds = 0;
      for (let n = 0; n < size; n += 1) odds += values[n]! * weights[n]!;
      const error = (wanted - sigmoid(odds)) * weight;
      for (let n = 0; n < size; n += 1) {
        const slope = error * values[n]! - 1e-4 * weights[n]!;
        squares[n]! += slope * slope;
        weights[n]! += (0.1 * slope) / Math.sqrt(squares[n]!);
      }
    }
  }
  return weights;
}

/** Log odds of a prepared prompt's lines. */
export function oddsOf(weights: ReaderWeights, prompt: Prepared): readonly number[] {
  const first = prompt.features.map((one) => firstOdds(weights, one));
  return smoothed(weights.second, prompt.lines, first);
}

const sigmoid = (odds: number): number => 1 / (1 + Math.exp(-odds));

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

function shuffle(list: unknown[], random: () => number): void {
  for (let n = list.length - 1; n > 0; n -= 1) {
    const other = Math.floor(random() * (n + 1));
    [list[n], list[other]] = [list[other], list[n]];
  }
}
