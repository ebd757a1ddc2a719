/** Labels words of the user's that point ("never do that again") with their subject, in the agent's words. Pure. */
import { denies, isCommand, isHarmful, isTool } from "#language";
import { addedBy, wordsIn } from "./words.ts";

const labelWordsMax = 10;
/** Share of a subject's words in a quote that needs no label, to be exceeded. */
const namedShareMin = 0.5;

/** Where a label stands: behind the quote, in a session (`held`), in a project of these names. */
export interface Labelled {
  readonly quote: string;
  readonly held: string;
  readonly projectNames?: readonly string[];
}

/**
 * The subject as a label behind the quote, or the head of it that can be one. Null where the quote names more than half
 * of it, and for what might be read as an order, or names something that the session does not.
 */
export function labelOf(subject: string, { quote, held, projectNames }: Labelled): string | null {
  const whole = subject.trim().replaceAll(/\s+/gu, " ");
  const lacks = (head: string): boolean => namedShare(head, quote, projectNames) <= namedShareMin;
  return headsOf(whole).find((head) => lacks(head) && isLabel(head, held)) ?? null;
}

/** Share of a subject's words that a text names, but for those of the project's own name; of none, 1. */
export function namedShare(
  subject: string,
  text: string,
  projectNames: readonly string[] = [],
): number {
  const ofProject = new Set(projectNames.flatMap((name) => wordsIn(name)));
  const own = wordsIn(subject).filter((word) => !ofProject.has(word));
  const said = text.toLowerCase();
  const words = new Set(wordsIn(text));
  const named = own.filter((word) => words.has(word) || said.includes(rootOf(word)));
  return own.length === 0 ? 1 : named.length / own.length;
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
  // One word names a thing also where it might be a verb: "replicate".
  const isOrder = label.includes(" ") && isCommand(label);
  if (isOrder || isHarmful(label) || denies(label)) return false;
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
