/** How a turn that was kept is told to its user. */

/** One line: `Stored: iteration (0.6)`. */
export const storedLine = (type: string, score: number): string =>
  `Stored: ${type.replaceAll(/[^\w -]/g, "").slice(0, 40)} (${Math.round(score * 10) / 10})`;
