/** Tells whether a prompt only cites the words of a quote. Pure. */
import { foldText, withoutCitations } from "#language";

/**
 * True for a quote that stands below "summarise what this says" alone; for `isWide`, what is to hold everywhere, also
 * behind "the page says:" within a line.
 */
export function isOnlyCited(quote: string, prompt: string, isWide: boolean): boolean {
  const said = letters(quote);
  const own = withoutCitations(prompt, true).split("\n");
  const lines = prompt.split("\n").filter((_, n) => own[n]?.trim() !== "");
  const left = isWide ? own : lines;
  return letters(prompt).includes(said) && !letters(left.join("\n")).includes(said);
}

const letters = (text: string): string => foldText(text).replaceAll(/[^\p{L}\p{N}]/gu, "");
