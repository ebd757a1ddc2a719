/**
 * What still says nearly the same after something was forgotten: other wordings, which repeat none of its sentences and
 * so stayed. Found by the words that tell it apart; the user decides about them.
 */
import { documentKinds, type StoreDep } from "#domain";
import { stemsOf } from "#memory";
import type { FinderDep } from "./deps.ts";
import type { SimilarJson } from "#api";

/** Named at most. */
const similarMax = 10;
/** Of what search finds, this many are compared. */
const foundMax = 30;
/** Share of the telling words, by weight, that a text has to have. */
const shareMin = 0.6;
/** One word alone is a coincidence unless it is all there was. */
const sharedMin = 2;
/** A word that stands in more than this share of what is recorded tells nothing. */
const commonFrom = 0.2;

/** Memories and records, of any project, that share most of the telling words of one of these lines. */
export function similarTo(
  deps: FinderDep & StoreDep,
  lines: readonly string[],
  nowMs: number,
): readonly SimilarJson[] {
  const found = new Map<string, SimilarJson>();
  for (const line of lines) {
    const weights = weightsOf(deps, line);
    if (weights.size === 0) continue;
    const documents = deps.finder.find({
      text: line,
      kinds: documentKinds,
      limit: foundMax,
      sort: "relevance",
      projects: null,
      homeProject: null,
      nowMs,
    });
    for (const { uri, kind, l0, node } of documents)
      if (isSimilar(weights, `${l0} ${node?.l1 ?? ""}`)) found.set(uri, { uri, kind, l0 });
  }
  return [...found.values()].slice(0, similarMax);
}

/** What each word of a line tells: the rarer, the more. */
function weightsOf({ store }: StoreDep, line: string): ReadonlyMap<string, number> {
  const stems = [...stemsOf(line)];
  const known = documentKinds.map((kind) => store.lexical.frequencies(kind, stems, null));
  const documents = known.reduce((sum, one) => sum + one.documents, 0);
  return new Map(
    stems.flatMap((stem): readonly [string, number][] => {
      const count = known.reduce((sum, one) => sum + (one.byTerm.get(stem) ?? 0), 0);
      const isCommon = documents >= 1 / commonFrom && count / documents > commonFrom;
      return isCommon ? [] : [[stem, Math.log(2 + documents / (1 + count))]];
    }),
  );
}

function isSimilar(weights: ReadonlyMap<string, number>, text: string): boolean {
  const theirs = stemsOf(text);
  const shared = [...weights].filter(([stem]) => theirs.has(stem));
  const sum = (some: readonly (readonly [string, number])[]): number =>
    some.reduce((total, [, weight]) => total + weight, 0);
  const enough = Math.min(sharedMin, weights.size);
  return shared.length >= enough && sum(shared) / sum([...weights]) >= shareMin;
}
