/** Marks rows of a list, for one change of all of them: some memories, or all that match but some. Pure. */

export interface Picks {
  /** All that the list shows, also what is not loaded; then `uris` are those that are not meant. */
  readonly isAll: boolean;
  readonly uris: ReadonlySet<string>;
}

export const noPicks: Picks = { isAll: false, uris: new Set() };
export const allPicks: Picks = { isAll: true, uris: new Set() };

export const isPicked = ({ isAll, uris }: Picks, uri: string): boolean => uris.has(uri) !== isAll;

export const countOf = ({ isAll, uris }: Picks, total: number): number =>
  isAll ? Math.max(0, total - uris.size) : uris.size;

/** The same with these marked, or not. */
export function picked({ isAll, uris }: Picks, changed: readonly string[], isOn: boolean): Picks {
  const next = new Set(uris);
  for (const uri of changed)
    if (isOn === isAll) next.delete(uri);
    else next.add(uri);
  return { isAll, uris: next };
}

/** Row numbers from one to the other, both included, in any direction. */
export const between = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => Math.min(from, to) + at);
