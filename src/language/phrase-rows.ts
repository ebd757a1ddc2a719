/**
 * Reads rows of phrases: "ok so, please also". A row can be divided into its phrases in many ways, and one expression
 * for the whole row would try each of them; here each place is looked at once. Pure, linear in the row.
 */
import { memoised } from "#kit";

interface Row {
  /** A pattern of one phrase. */
  readonly phrase: string;
  /** The class of the characters before the first phrase. */
  readonly start: string;
  /** The class of the characters behind a phrase; none begins with one of them. */
  readonly joint: string;
  /** Phrases in a row, at least and at most. */
  readonly min: number;
  readonly max: number;
}

/** Words of one phrase, at most; without spaces, signs. */
const wordsMax = 12;
const unspaced = String.raw`[\u3005\u3040-\u30ff\u4e00-\u9fff]`;

/** Says of a text whether it is such a row and nothing else. */
export function rowOf({ phrase, start, joint, min, max }: Row): {
  readonly test: (text: string) => boolean;
} {
  const head = new RegExp(`^ ${start}*`, "u");
  const begins = new RegExp(phrase, "iuy");
  // With the characters beside it, which decide whether a phrase stands alone.
  const whole = new RegExp(`^[^](?:${phrase})${joint}*[^]$`, "iu");
  const isPhrase = memoised((text) => whole.test(text));
  const word = new RegExp(`(?:${unspaced}|(?:(?!${joint}|${unspaced})[^])+)${joint}*`, "uy");
  const endsOf = (padded: string, at: number): readonly number[] => {
    begins.lastIndex = at;
    if (!begins.test(padded)) return [];
    const ends: number[] = [];
    word.lastIndex = at;
    for (let n = 0; n < wordsMax && word.test(padded); n += 1) {
      const end = Math.min(word.lastIndex, padded.length - 1);
      if (isPhrase(padded.slice(at - 1, end + 1))) ends.push(end);
    }
    return ends;
  };
  return {
    test: (text) => {
      const padded = ` ${text} `;
      const end = padded.length - 1;
      const seen = new Set<number>();
      let places = [Math.min(head.exec(padded)?.[0].length ?? 1, end)];
      for (let count = 0; count <= max && places.length > 0; count += 1) {
        if (count >= min && places.includes(end)) return true;
        const next = new Set(places.flatMap((at) => endsOf(padded, at)));
        places = [...next].filter((at) => !seen.has(at));
        for (const at of places) seen.add(at);
      }
      return false;
    },
  };
}
