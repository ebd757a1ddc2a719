/**
 * Words of the first results, for a second look: what stands in several of the best answers, and in few other
 * documents, is probably what the question is about. Reads counts, never documents.
 */
import type { FoundDocument, LexicalIndex } from "#domain";
import { roughStem, stopWords } from "#language";
import { idf, isCommon } from "./terms.ts";

/** docs/adr/0028 has the measurements: results read, and words taken from them. */
const resultsRead = 5;
const wordsTaken = 10;
/** Longer texts are about many things; their words lead astray. */
const textCharsMax = 600;
/** Words whose frequency is looked up: those that weigh most in the results themselves. */
const wordsCounted = 150;
/** A word that one document alone has finds nothing new, and one that half of them have tells nothing. */
const documentsMin = 2;
const idfLeast = 0.3;
const lettersMin = 3;
/** As in BM25: the second occurrence says less than the first. */
const occurrencesHalf = 1.2;

/** At most ten words that the query does not have, most telling first. */
export function feedbackWords(
  lexical: LexicalIndex,
  bestFirst: readonly FoundDocument[],
  typed: readonly string[],
): readonly string[] {
  const [best] = bestFirst;
  if (best === undefined) return [];
  const known = new Set(typed.map(roughStem));
  const counted = [...weigh(bestFirst.slice(0, resultsRead))]
    .filter(([word]) => !known.has(roughStem(word)))
    .toSorted(heaviest)
    .slice(0, wordsCounted);
  const { documents, byTerm } = lexical.frequencies(
    best.kind,
    counted.map(([word]) => word),
    null,
  );
  return counted
    .flatMap(([word, weight]): Weighted[] => {
      const count = byTerm.get(word) ?? 0;
      const rarity = idf(count, documents);
      const tells = count >= documentsMin && rarity > idfLeast && !isCommon(count, documents);
      return tells ? [[word, weight * rarity]] : [];
    })
    .toSorted(heaviest)
    .slice(0, wordsTaken)
    .map(([word]) => word);
}

type Weighted = readonly [word: string, weight: number];

const heaviest = ([a, weightA]: Weighted, [b, weightB]: Weighted): number =>
  weightB - weightA || (a < b ? -1 : 1);

/** Each content word by how often it occurs, in better results more. One word per stem, as it occurred first. */
function weigh(results: readonly FoundDocument[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const wordByStem = new Map<string, string>();
  for (const { l0, score } of results) {
    if (l0.length > textCharsMax) continue;
    const counts = new Map<string, number>();
    for (const word of l0.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      if (word.length < lettersMin || stopWords.has(word)) continue;
      const stem = roughStem(word);
      const name = wordByStem.get(stem) ?? word;
      wordByStem.set(stem, name);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    for (const [word, count] of counts)
      weights.set(word, (weights.get(word) ?? 0) + (score * count) / (count + occurrencesHalf));
  }
  return weights;
}
