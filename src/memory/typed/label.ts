/** Labels words of the user's that point ("never do that again") with their subject, in the agent's words. Pure. */
import { denies, isCommand, isHarmful, isTool } from "#language";
import { addedBy, wordsIn } from "./words.ts";

const labelWordsMax = 10;
/** Share of a label's words in the quote, from which on the quote needs no label. */
const namedShareMin = 0.5;

/**
 * The subject as a label behind the quote, or the head of it that can be one. Null where the quote names half of it, and
 * for what might be read as an order, or names something that the session (`held`) does not.
 */
export function labelOf(subject: string, quote: string, held: string): string | null {
  const whole = subject.trim().replaceAll(/\s+/gu, " ");
  if (isNamedIn(whole, quote)) return null;
  return headsOf(whole).find((head) => !isNamedIn(head, quote) && isLabel(head, held)) ?? null;
}

/** Does a text name half of a subject? */
export function isNamedIn(subject: string, text: string): boolean {
  const own = wordsIn(subject);
  const said = text.toLowerCase();
  return own.filter((word) => said.includes(rootOf(word))).length >= own.length * namedShareMin;
}

/** The subject, and what stands before each mark in it, the longest first: `probe error` of `probe error (in auto)`. */
const headsOf = (subject: string): readonly string[] => [
  subject,
  ...[...subject.matchAll(/[:,](?= )| (?=[([]|[=/–—→] )/gu)]
    .map(({ index }) => subject.slice(0, index).trim())
    .toReversed(),
];

function isLabel(label: string, held: string): boolean {
  if (!/^[./#]?[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .,:/_#-]*$/u.test(label)) return false;
  if (label.split(" ").length > labelWordsMax) return false;
  if (isCommand(label) || isHarmful(label) || denies(label)) return false;
  return isOfSession(label, held) && addedBy(label, held) === null;
}

/** Does the session name every tool that a text names? */
export function isOfSession(text: string, held: string): boolean {
  const known = held.toLowerCase();
  const words = text.toLowerCase().split(/[\s,:]+/u);
  return words.every((word) => !isTool(word) || known.includes(word));
}

/** Enough of a word to find its other forms. */
const rootOf = (word: string): string => word.toLowerCase().slice(0, 5);
