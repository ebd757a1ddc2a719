/** Word-by-word alignment of two short texts. Texts here are one line, so a full table is cheap. Pure. */

type Pair = readonly [number, number];

/** Longest common subsequence as pairs of positions. */
export function longestCommon(a: readonly string[], b: readonly string[]): readonly Pair[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = table[i];
      if (row !== undefined)
        row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** What stands between the common words on either side, in order. */
export function gaps(
  a: readonly string[],
  b: readonly string[],
  common: readonly Pair[],
): readonly (readonly [readonly string[], readonly string[]])[] {
  const marks: readonly Pair[] = [[-1, -1], ...common, [a.length, b.length]];
  return marks.slice(1).map(([i, j], n) => {
    const [fromI, fromJ] = marks[n] ?? [-1, -1];
    return [a.slice(fromI + 1, i), b.slice(fromJ + 1, j)] as const;
  });
}
