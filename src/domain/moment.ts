/** Line that tells a user of a turn that was kept. */

/** One line: `Stored: iteration (0.6)`. */
export const storedLine = (type: string, score: number): string =>
  `Stored: ${type.replaceAll(/[^\w -]/g, "").slice(0, 40)} (${Math.round(score * 10) / 10})`;
