/** Chooses the words and stems that get a vector, and turns a text into their rows. */
import { createWordTable, isUnspaced, modelRows, modelWords, piecesOf, stemMark } from "#embed";

const stemLettersMin = 4;
const stemLettersMax = 9;

const segmenters = {
  zh: new Intl.Segmenter("zh", { granularity: "word" }),
  ja: new Intl.Segmenter("ja", { granularity: "word" }),
};

/** Words of a text as they are counted for a vocabulary: unspaced runs as a dictionary would cut them. */
export function countedWords(text: string): string[] {
  return modelWords(text).flatMap((word) => {
    if (!isUnspaced(word)) return [word];
    const isJapanese = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word);
    return [...segmenters[isJapanese ? "ja" : "zh"].segment(word)].map(({ segment }) => segment);
  });
}

/** Beginnings that several of the rarer words share, with how often they are met. */
export function stemsOf(
  counts: ReadonlyMap<string, number>,
  known: ReadonlySet<string>,
  limit: number,
): string[] {
  const kinds = new Map<string, number>();
  const uses = new Map<string, number>();
  for (const [word, count] of counts) {
    if (isUnspaced(word) || /\d/.test(word)) continue;
    const longest = Math.min(stemLettersMax, word.length - 1);
    for (let length = stemLettersMin; length <= longest; length += 1) {
      const stem = word.slice(0, length);
      kinds.set(stem, (kinds.get(stem) ?? 0) + 1);
      uses.set(stem, (uses.get(stem) ?? 0) + count);
    }
  }
  return [...kinds]
    .filter(([stem, kind]) => kind >= 3 && (uses.get(stem) ?? 0) >= 8 && !known.has(stem))
    .toSorted(([a], [b]) => (uses.get(b) ?? 0) * b.length - (uses.get(a) ?? 0) * a.length)
    .slice(0, limit)
    .map(([stem]) => stem + stemMark);
}

export interface Encoder {
  /** Rows of a text. */
  readonly rows: (text: string) => readonly number[];
  /** Rows of what a word falls apart into when its own must not be used. */
  readonly pieces: (word: string) => readonly number[];
}

/** Exactly what the program does with a text. */
export function createEncoder(vocabulary: readonly string[]): Encoder {
  const table = createWordTable(new TextEncoder().encode(vocabulary.join("\n")));
  return { rows: (text) => modelRows(table, text), pieces: (word) => piecesOf(table, word) };
}
