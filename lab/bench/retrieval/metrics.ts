/**
 * Retrieval metrics over ranked ids. Those with LongMemEval's names are computed as its authors do
 * (src/retrieval/eval_utils.py): the first two ranks weigh the same, and the ideal ranking has every gold document first.
 */

/** 1 when at least one gold document is among the first k. */
export const recallAny = (
  ranked: readonly string[],
  gold: ReadonlySet<string>,
  k: number,
): number => (ranked.slice(0, k).some((id) => gold.has(id)) ? 1 : 0);

/** 1 when every gold document is among the first k; of none, all are. */
export function recallAll(ranked: readonly string[], gold: ReadonlySet<string>, k: number): number {
  const found = new Set(ranked.slice(0, k));
  return [...gold].every((id) => found.has(id)) ? 1 : 0;
}

/** Share of the gold documents among the first k. */
export function fractionalRecall(
  ranked: readonly string[],
  gold: ReadonlySet<string>,
  k: number,
): number {
  const found = new Set(ranked.slice(0, k));
  return gold.size === 0 ? 0 : [...gold].filter((id) => found.has(id)).length / gold.size;
}

export function reciprocalRank(ranked: readonly string[], gold: ReadonlySet<string>): number {
  const at = ranked.findIndex((id) => gold.has(id));
  return at < 0 ? 0 : 1 / (at + 1);
}

export function ndcgAny(ranked: readonly string[], gold: ReadonlySet<string>, k: number): number {
  const gains = ranked.slice(0, k).map((id) => (gold.has(id) ? 1 : 0));
  const ideal = discounted(Array.from({ length: Math.min(k, gold.size) }, () => 1));
  return ideal === 0 ? 0 : discounted(gains) / ideal;
}

const discounted = (gains: readonly number[]): number =>
  gains.reduce<number>((sum, gain, i) => sum + (i === 0 ? gain : gain / Math.log2(i + 1)), 0);
