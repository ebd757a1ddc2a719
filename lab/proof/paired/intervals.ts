/** Paired differences of shares: Newcombe's interval (1998, method 10) and McNemar's exact test. */

/** Counts of pairs: both solved, only the first, only the second, neither. */
export interface Pairs {
  readonly both: number;
  readonly first: number;
  readonly second: number;
  readonly neither: number;
}

export function pairsOf(pairs: readonly (readonly [boolean, boolean])[]): Pairs {
  const count = (a: boolean, b: boolean): number =>
    pairs.filter(([x, y]) => x === a && y === b).length;
  return {
    both: count(true, true),
    first: count(true, false),
    second: count(false, true),
    neither: count(false, false),
  };
}

/** Quantile of the normal distribution, for 95 %. */
const z = 1.959964;

function wilson(k: number, n: number): readonly [number, number] {
  const p = k / n;
  const middle = p + (z * z) / (2 * n);
  const width = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  const scale = 1 + (z * z) / n;
  return [(middle - width) / scale, (middle + width) / scale];
}

/** Share of the first minus share of the second, with its lower and upper bound. */
export function difference({
  both,
  first,
  second,
  neither,
}: Pairs): readonly [number, number, number] {
  const n = both + first + second + neither;
  const [p1, p2] = [(both + first) / n, (both + second) / n];
  const [l1, u1] = wilson(both + first, n);
  const [l2, u2] = wilson(both + second, n);
  const product = (both + first) * (second + neither) * (both + second) * (first + neither);
  const raw = both * neither - first * second;
  const corrected = raw > n / 2 ? raw - n / 2 : Math.min(raw, 0);
  const phi = product === 0 ? 0 : corrected / Math.sqrt(product);
  const bound = (a: number, b: number): number =>
    Math.sqrt(Math.max(0, a * a - 2 * phi * a * b + b * b));
  const d = p1 - p2;
  return [d, d - bound(p1 - l1, u2 - p2), d + bound(u1 - p1, p2 - l2)];
}

/** Two-sided: how likely such a split of the unlike pairs is by chance. */
export function mcnemar({ first, second }: Pairs): number {
  const n = first + second;
  let term = 0.5 ** n;
  let sum = 0;
  for (let k = 0; k <= Math.min(first, second); k += 1) {
    sum += term;
    term *= (n - k) / (k + 1);
  }
  return Math.min(1, 2 * sum);
}
