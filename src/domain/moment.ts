/** How the score of a moment stands in the reason of its revision: one place that writes it, one that reads it. */

/** `scored 0.62`: the significance, 0 to 1, to two digits. */
export const momentReason = (significance: number): string => `scored ${significance.toFixed(2)}`;

/** What the user is told of a moment: `Stored: iteration (0.6)`. */
export const storedLine = (type: string, score: number): string =>
  `Stored: ${type.replaceAll(/[^\w -]/g, "").slice(0, 40)} (${Math.round(score * 10) / 10})`;

/** The score that a reason tells; null when it tells none (the moment was edited). */
export function momentScore(reason: string): number | null {
  const score = /^scored ([01]\.\d\d)$/.exec(reason)?.[1];
  return score === undefined ? null : Number(score);
}
