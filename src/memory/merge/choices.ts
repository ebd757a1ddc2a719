/**
 * What a statement chooses and what it turns down: "tabs over spaces", "pnpm, never npm", "drop chart.js and go with
 * visx", "redis is out". The turned-down words are how a later statement names what it replaces. Pure.
 */
import { memoised } from "#kit";
import { canonicalWord, wordsOf } from "#language";

export interface Choice {
  readonly chosen: readonly string[];
  readonly rejected: readonly string[];
}

/** A choice names its sides within this many words. */
const sideWordsMax = 2;

const between =
  /\s(?:(?<!\b(?:took|takes|taking|take|hand|handed|hands|all|moved?|switch(?:ed)?|carry|carried|spread|went) )over|instead of|rather than|in place of|as opposed to)\s|,?\s(?:and |but )?(?:never|not)\s/gi;

/** Pairs of chosen and rejected words. */
export const choicesIn = memoised((text: string): readonly Choice[] => {
  const found: Choice[] = [];
  for (const match of text.matchAll(between)) {
    const chosen = sideWords(wordsOf(text.slice(0, match.index)).slice(-4), "end");
    const rejected = sideWords(
      wordsOf(text.slice(match.index + match[0].length)).slice(0, 4),
      "start",
    );
    if (chosen.length > 0 && rejected.length > 0) found.push({ chosen, rejected });
  }
  return found;
});

/** Words between the sides and what they belong to. Not all stop words: "Go" is a language. */
const joints = new Set(
  "a an the our my your any to of for with on in by at as it is are was".split(" "),
);

const sideWords = (around: readonly string[], side: "start" | "end"): readonly string[] => {
  const content = around.filter((word) => !joints.has(word)).map((word) => canonicalWord(word));
  return side === "end" ? content.slice(-sideWordsMax) : content.slice(0, sideWordsMax);
};
