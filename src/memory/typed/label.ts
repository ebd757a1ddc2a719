/** Labels words of the user's that point ("never do that again") with their subject, in the agent's words. Pure. */
import { denies, isCommand, isHarmful, isTool } from "#language";
import { addedBy, wordsIn } from "./words.ts";

const labelWordsMax = 10;
/** Share of a label's words in the quote, from which on the quote needs no label. */
const namedShareMin = 0.5;

/**
 * The subject as a label behind the quote. Null where the quote names half of it, and for what might be read as an
 * order, or names something that the session (`held`) does not.
 */
export function labelOf(subject: string, quote: string, held: string): string | null {
  const label = subject.trim().replaceAll(/\s+/gu, " ");
  if (!/^[./#]?[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .,:/_#-]*$/u.test(label)) return null;
  const words = label.split(" ");
  const said = quote.toLowerCase();
  const own = wordsIn(label);
  const named = own.filter((word) => said.includes(rootOf(word)));
  const isNamed = named.length >= own.length * namedShareMin;
  if (words.length > labelWordsMax || isNamed) return null;
  if (isCommand(label) || isHarmful(label) || denies(label)) return null;
  return isOfSession(label, held) && addedBy(label, held) === null ? label : null;
}

/** Does the session name every tool that a text names? */
export function isOfSession(text: string, held: string): boolean {
  const known = held.toLowerCase();
  const words = text.toLowerCase().split(/\s+/u);
  return words.every((word) => !isTool(word) || known.includes(word));
}

/** Enough of a word to find its other forms. */
const rootOf = (word: string): string => word.toLowerCase().slice(0, 5);
