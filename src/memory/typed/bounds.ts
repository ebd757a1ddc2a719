/** Reads from a quote where and until when its line holds. Pure. */
import { besideEverywhere, saidEndOf, timeWindowOf } from "#language";
import { clausesOf, withoutCitations, wordsIn } from "./words.ts";

/** Says the quote that the line holds everywhere? "There are TODOs everywhere, use tabs" does not say it of the tabs. */
export function saysEverywhere(quote: string, line: string): boolean {
  const said = new Set(wordsIn(line));
  return clausesOf(withoutCitations(quote)).some((clause) => {
    const beside = besideEverywhere(clause);
    if (beside === null) return false;
    const words = wordsIn(beside);
    return words.length === 0 || words.some((word) => said.has(word));
  });
}

/** Names the quote a time, from which an agent may have reckoned the end? */
export const saysTime = (quote: string, nowMs: number): boolean =>
  /\p{N}/u.test(quote) || saidEndOf(quote, nowMs) !== null || timeWindowOf(quote, nowMs) !== null;
