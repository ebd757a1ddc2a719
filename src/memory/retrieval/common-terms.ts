/**
 * Common words of a query, looked for in the text of documents that something rarer proposed. An index would have to
 * walk a tenth of all documents for each; in a text that is read anyway they cost nothing. Pure.
 */
import { roughStem } from "#language";
import { retrievalLimits } from "./limits.ts";
import type { ChosenTerms } from "./terms.ts";

export interface CommonTerms {
  /** What a document with all of them would gain, as a share of a perfect lexical score. */
  readonly gainMax: number;
  /** What this text gains. */
  readonly gainOf: (text: string) => number;
}

const none: CommonTerms = { gainMax: 0, gainOf: () => 0 };

export function readCommonTerms({ common, scoreMax }: ChosenTerms): CommonTerms {
  const terms = common
    .filter(({ weight }) => weight > 0)
    .map(({ forms, weight }) => ({ stems: forms.map(roughStem), gain: weight / scoreMax }));
  if (terms.length === 0) return none;
  return {
    gainMax: terms.reduce((sum, { gain }) => sum + gain, 0),
    gainOf: (text) => {
      const folded = text.slice(0, retrievalLimits.rerankCharsMax).toLowerCase();
      return terms.reduce(
        (sum, { stems, gain }) => sum + (stems.some((stem) => occurs(folded, stem)) ? gain : 0),
        0,
      );
    },
  };
}

/** At the beginning of a word; what follows may be an ending. */
export function occurs(text: string, stem: string): boolean {
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1))
    if (at === 0 || !isLetter(text.charCodeAt(at - 1))) return true;
  return false;
}

/** Letters of any script but ASCII count as letters too: their words begin after a space all the same. */
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || code > 127;
