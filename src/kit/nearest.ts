/** The known name nearest to one that is not known. Pure. */

/** A third of the letters may be wrong, at most four: beyond that it is another word. */
const distanceMax = (name: string): number => Math.min(4, Math.max(1, Math.floor(name.length / 3)));

/** Null when none is near. */
export function nearestOf(name: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = distanceMax(name) + 1;
  for (const candidate of known) {
    const distance = distanceOf(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Levenshtein's distance, where two letters changed round count once. */
function distanceOf(one: string, two: string): number {
  const rows: number[][] = [Array.from({ length: two.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    rows.push(line);
    for (let column = 1; column <= two.length; column += 1) {
      const cost = one[row - 1] === two[column - 1] ? 0 : 1;
      const swapped = one[row - 1] === two[column - 2] && one[row - 2] === two[column - 1];
      line.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + cost,
          swapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(one.length, two.length);
}
