/** Tells whether a prompt only cites the words of a quote. Pure. */
import { foldText, withoutCitations } from "#language";

/** True for a quote that stands below "summarise what this says" or behind "the page says:" alone. */
export function isOnlyCited(quote: string, prompt: string): boolean {
  const said = letters(quote);
  return letters(prompt).includes(said) && !letters(withoutCitations(prompt, true)).includes(said);
}

const letters = (text: string): string => foldText(text).replaceAll(/[^\p{L}\p{N}]/gu, "");
