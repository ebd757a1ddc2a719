/** How rare words are in a store: over its exchanges and memories together. Pure but for the index it asks. */
import type { LexicalIndex } from "#domain";

/**
 * The natural logarithm of one document in so many, by stem, for the given stems. A store counts as one of
 * `documentsMin` documents at least.
 */
export function rarityIn(
  lexical: Pick<LexicalIndex, "frequencies">,
  stems: Iterable<string>,
  documentsMin = 0,
): (stem: string) => number {
  const terms = [...stems];
  const counts = (["exchange", "memory"] as const).map((kind) =>
    lexical.frequencies(kind, terms, null),
  );
  const documents = Math.max(
    documentsMin,
    counts.reduce((sum, count) => sum + count.documents, 0),
  );
  return (stem) => {
    const count = counts.reduce((sum, { byTerm }) => sum + (byTerm.get(stem) ?? 0), 0);
    return Math.max(0, Math.log((documents + 1) / (count + 0.5)));
  };
}

/**
 * The same, found by the words that the stems come from: `line` is `lin` here, and `line` in the index, where nothing
 * is called `lin` and a common word would count as the rarest of all.
 */
export function rarityOfStems(
  lexical: Pick<LexicalIndex, "frequencies">,
  stems: ReadonlySet<string>,
): (stem: string) => number {
  const rarity = rarityIn(
    lexical,
    [...stems].flatMap((stem) => [stem, `${stem}e`]),
  );
  return (stem) => Math.min(rarity(stem), rarity(`${stem}e`));
}
