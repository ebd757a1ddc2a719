/** Logistic regression with L2 by Newton's method. Small, exact, deterministic. */

export interface Model {
  readonly bias: number;
  readonly weights: readonly number[];
}

export interface Example {
  readonly x: readonly number[];
  readonly y: 0 | 1;
  /** 1 where nothing is said. */
  readonly weight?: number;
}

const rounds = 40;

/** Fits bias and weights; the bias is not regularised. */
export function fitLogistic(examples: readonly Example[], l2: number): Model {
  const size = (examples[0]?.x.length ?? 0) + 1;
  let theta = Array.from({ length: size }, () => 0);
  for (let round = 0; round < rounds; round += 1) {
    const gradient = theta.map((value, i) => (i === 0 ? 0 : l2 * value));
    const hessian = theta.map((_, i) =>
      theta.map((__, j) => (i === j ? (i === 0 ? 1e-6 : l2) : 0)),
    );
    for (const { x, y, weight = 1 } of examples) {
      const row = [1, ...x];
      const p = sigmoid(dot(row, theta));
      row.forEach((a, i) => {
        gradient[i]! += weight * (p - y) * a;
        row.forEach((b, j) => (hessian[i]![j]! += weight * p * (1 - p) * a * b));
      });
    }
    const step = solve(hessian, gradient);
    theta = theta.map((value, i) => value - step[i]!);
    if (Math.max(...step.map(Math.abs)) < 1e-8) break;
  }
  const [bias = 0, ...weights] = theta;
  return { bias, weights };
}

export const probability = (model: Model, x: readonly number[]): number =>
  sigmoid(model.bias + dot(model.weights, x));

const sigmoid = (z: number): number => 1 / (1 + Math.exp(-z));
const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** Gaussian elimination with pivoting. */
function solve(
  matrix: readonly (readonly number[])[],
  right: readonly number[],
): readonly number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  const n = rows.length;
  for (let column = 0; column < n; column += 1) {
    let pivot = column;
    for (let r = column + 1; r < n; r += 1)
      if (Math.abs(rows[r]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = r;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (let r = 0; r < n; r += 1) {
      if (r === column) continue;
      const factor = rows[r]![column]! / rows[column]![column]!;
      for (let k = column; k <= n; k += 1) rows[r]![k]! -= factor * rows[column]![k]!;
    }
  }
  return rows.map((row, i) => row[n]! / row[i]!);
}
