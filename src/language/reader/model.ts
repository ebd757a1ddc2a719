/**
 * Two small logistic models: the first looks at each line, the second at what the first thought of the lines around it.
 * Positive means typed. Linear in the lines; knows features, not what a line is used for.
 */
import { type Features, featuresOf, type Line, tableSize } from "./features.ts";
import fitted from "./weights.json";

export interface ReaderWeights {
  readonly table: Float32Array;
  readonly bias: number;
  readonly second: readonly number[];
}

/** Pieces of shape count together as much as some of the full features do. */
const piecesShare = 3;

/** `firstOdds` is the first model's judgement of a line, in log odds. */
export function firstOdds({ table, bias }: ReaderWeights, { full, pieces }: Features): number {
  let odds = bias;
  for (const at of full) odds += table[at] ?? 0;
  const share = piecesWeight(pieces.length);
  for (const at of pieces) odds += share * (table[at] ?? 0);
  return odds;
}

/** `piecesWeight` is the weight of one of `count` pieces. */
export const piecesWeight = (count: number): number =>
  count === 0 ? 0 : piecesShare / Math.sqrt(count * 8);

/** Log odds that each line was typed. */
export function typedOdds(weights: ReaderWeights, lines: readonly Line[]): readonly number[] {
  const first = featuresOf(lines).map((features) => firstOdds(weights, features));
  return smoothed(weights.second, lines, first);
}

export function smoothed(
  second: readonly number[],
  lines: readonly Line[],
  first: readonly number[],
): readonly number[] {
  return aroundOf(lines, first).map((values) => {
    let odds = 0;
    for (const [n, value] of values.entries()) odds += value * (second[n] ?? 0);
    return odds;
  });
}

const reach = 3;
const certain = 5;

/** `aroundOf` gives the second model's features of each line. */
export function aroundOf(
  lines: readonly Line[],
  first: readonly number[],
): readonly (readonly number[])[] {
  const odds = first.map((one) => Math.max(-certain, Math.min(certain, one)));
  const beliefs = odds.map((one) => 2 / (1 + Math.exp(-one)) - 1);
  const paragraphs = meansOf(lines, beliefs);
  const whole = mean(beliefs);
  const last = lines.length - 1;
  return lines.map((line, n) => {
    const own = beliefs[n] ?? 0;
    const paragraph = paragraphs[line.paragraph] ?? 0;
    const before = paragraphs[line.paragraph - 1] ?? whole;
    const after = paragraphs[line.paragraph + 1] ?? whole;
    return [
      1,
      odds[n] ?? 0,
      own,
      ...nearOf(lines, beliefs, n),
      paragraph,
      before,
      after,
      whole,
      ...given(last === 0, own),
      own * whole,
      paragraph * whole,
      ...given(n === 0, own),
      ...given(n === last, own),
      line.inFence || line.isFence ? 1 : 0,
      before * after,
    ];
  });
}

/** A belief that counts on its own in a certain place. */
const given = (is: boolean, own: number): readonly [number, number] => (is ? [own, 1] : [0, 0]);

function nearOf(lines: readonly Line[], beliefs: readonly number[], n: number): readonly number[] {
  const near: number[] = [];
  for (let step = 1; step <= reach; step += 1) {
    near.push(...besideOf(lines, beliefs, { n, step: -step }));
    near.push(...besideOf(lines, beliefs, { n, step }));
  }
  return near;
}

/** A neighbour's belief, once within the paragraph and once beyond it; 0 where there is none. */
function besideOf(
  lines: readonly Line[],
  beliefs: readonly number[],
  { n, step }: { readonly n: number; readonly step: number },
): readonly [number, number] {
  const other = beliefs[n + step];
  if (other === undefined) return [0, 0];
  return lines[n + step]?.paragraph === lines[n]?.paragraph ? [other, 0] : [0, other];
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

function meansOf(lines: readonly Line[], beliefs: readonly number[]): readonly number[] {
  const sums: number[] = [];
  const counts: number[] = [];
  for (const [n, { paragraph }] of lines.entries()) {
    sums[paragraph] = (sums[paragraph] ?? 0) + (beliefs[n] ?? 0);
    counts[paragraph] = (counts[paragraph] ?? 0) + 1;
  }
  return sums.map((sum, n) => sum / (counts[n] ?? 1));
}

// The fitted weights, as `lab/train/reader.ts` wrote them: one byte a position, unpacked on first use.

let unpacked: ReaderWeights | null = null;

export function readerWeights(): ReaderWeights {
  unpacked ??= unpack(fitted);
  return unpacked;
}

/** The content of weights.json. `table`: signed bytes in base64, each times `scale`. */
interface PackedWeights {
  readonly table: string;
  readonly scale: number;
  readonly bias: number;
  readonly second: readonly number[];
}

export function unpack({ table, scale, bias, second }: PackedWeights): ReaderWeights {
  const bytes = new Int8Array(Buffer.from(table, "base64"));
  const weights = new Float32Array(tableSize);
  for (let n = 0; n < tableSize; n += 1) weights[n] = (bytes[n] ?? 0) * scale;
  return { table: weights, bias, second };
}

export function packed({ table, bias, second }: ReaderWeights): PackedWeights {
  let largest = 1e-6;
  for (const value of table) largest = Math.max(largest, Math.abs(value));
  const scale = largest / 127;
  const bytes = Int8Array.from(table, (value) => Math.round(value / scale));
  return {
    table: Buffer.from(bytes.buffer).toString("base64"),
    scale,
    bias,
    second: second.map((value) => Number(value.toPrecision(5))),
  };
}
