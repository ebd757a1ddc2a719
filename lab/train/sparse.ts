/** Sparse logistic regression by AdaGrad with L2: small enough to train in seconds, deterministic. */

/** Indices of features that are on, with their values. */
export interface Example {
  readonly on: readonly number[];
  readonly values: readonly number[];
  readonly y: 0 | 1;
  readonly weight?: number;
}

export interface Linear {
  readonly weights: Float32Array;
  readonly bias: number;
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

export function score(
  { weights, bias }: Linear,
  { on, values }: Pick<Example, "on" | "values">,
): number {
  let sum = bias;
  for (let k = 0; k < on.length; k += 1) sum += (weights[on[k] ?? 0] ?? 0) * (values[k] ?? 0);
  return sum;
}

export function train(
  examples: readonly Example[],
  size: number,
  {
    epochs = 20,
    rate = 0.2,
    l2 = 1e-4,
  }: { readonly epochs?: number; readonly rate?: number; readonly l2?: number } = {},
): Linear {
  const weights = new Float32Array(size);
  const squares = new Float32Array(size).fill(1e-6);
  let bias = 0;
  let biasSquare = 1e-6;
  let seed = 12_345;
  const order = examples.map((_, i) => i);
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (let i = order.length - 1; i > 0; i -= 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      const j = seed % (i + 1);
      [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
    }
    for (const at of order) {
      const example = examples[at];
      if (example === undefined) continue;
      const p = sigmoid(score({ weights, bias }, example));
      const gap = (p - example.y) * (example.weight ?? 1);
      const { on, values } = example;
      for (let k = 0; k < on.length; k += 1) {
        const index = on[k] ?? 0;
        const gradient = gap * (values[k] ?? 0) + l2 * (weights[index] ?? 0);
        squares[index] = (squares[index] ?? 0) + gradient * gradient;
        weights[index] = (weights[index] ?? 0) - (rate * gradient) / Math.sqrt(squares[index] ?? 1);
      }
      biasSquare += gap * gap;
      bias -= (rate * gap) / Math.sqrt(biasSquare);
    }
  }
  return { weights, bias };
}

/** Area under the ROC curve. */
export function auc(rows: readonly { readonly p: number; readonly y: 0 | 1 }[]): number {
  const sorted = rows.toSorted((a, b) => a.p - b.p);
  let rankSum = 0;
  let positives = 0;
  sorted.forEach(({ y }, i) => {
    if (y === 0) return;
    rankSum += i + 1;
    positives += 1;
  });
  const negatives = rows.length - positives;
  return (rankSum - (positives * (positives + 1)) / 2) / Math.max(1, positives * negatives);
}
