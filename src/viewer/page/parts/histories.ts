/** Results of a search by what they are about: the value that holds, and under it those that it replaced. Pure. */
interface Result {
  readonly uri: string;
  readonly superseded_by: string | null;
}

export interface Folded<One> {
  /** One current value for each subject, in the order of the results. */
  readonly current: readonly One[];
  /** What a current value has replaced, by its URI. */
  readonly earlier: ReadonlyMap<string, readonly One[]>;
  /** Replaced values whose successor is not among the results. */
  readonly left: readonly One[];
}

/** A result that was replaced by another one of them stands under that one. */
export function folded<One extends Result>(results: readonly One[]): Folded<One> {
  const byUri = new Map(results.map((one) => [one.uri, one]));
  const earlier = new Map<string, One[]>();
  const current: One[] = [];
  const left: One[] = [];
  for (const one of results) {
    if (one.superseded_by === null) {
      current.push(one);
      continue;
    }
    const heir = heirOf(one, byUri);
    if (heir === null) left.push(one);
    else earlier.set(heir.uri, [...(earlier.get(heir.uri) ?? []), one]);
  }
  return { current, earlier, left };
}

/** What holds now of a chain of replacements; null when it leads out of the results, or in a circle. */
function heirOf<One extends Result>(one: One, byUri: ReadonlyMap<string, One>): One | null {
  const seen = new Set<string>();
  let at: One | undefined = one;
  while (at !== undefined && at.superseded_by !== null && !seen.has(at.uri)) {
    seen.add(at.uri);
    at = byUri.get(at.superseded_by);
  }
  return at?.superseded_by === null ? at : null;
}

/** Words of one turn, such as its prompt and its exchange, are one result: the best of them. */
export function onePerTurn<One extends { readonly uri: string }>(
  results: readonly One[],
): readonly One[] {
  const turns = new Set<string>();
  return results.filter(({ uri }) => {
    const turn = /^mem:\/\/sessions\/([^/]+)\/[^/]+\/(\d+)/.exec(uri);
    if (turn === null) return true;
    const name = `${turn[1]} ${turn[2]}`;
    return !turns.has(name) && turns.add(name);
  });
}
