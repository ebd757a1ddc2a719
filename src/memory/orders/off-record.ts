/** Orders not to remember: a turn with one leaves no record; and orders whose object was private. Pure. */
import { forbidsMemory, stopWords } from "#language";
import { typedIn, unitsOf } from "./units.ts";

/** In a longer prompt, what is written right below a paste is taken for its last line. */
const shortCharsMax = 4_000;
const lastLineCharsMax = 500;

/** True when a prompt orders, in words that its user typed, that nothing of its turn is remembered. */
export const leavesNoRecord = (prompt: string): boolean =>
  forbidsIn(prompt) || (prompt.length > shortCharsMax && forbidsIn(lastLineOf(prompt)));

const forbidsIn = (prompt: string): boolean =>
  forbidsMemory(typedIn(unitsOf(prompt, null, true).units));

function lastLineOf(prompt: string): string {
  const end = prompt.slice(-lastLineCharsMax).trimEnd();
  const from = end.lastIndexOf("\n");
  return from === -1 ? "" : end.slice(from + 1).trim();
}

/** True for a sentence, or what an order keeps of it, from which a private part was taken. */
export const lacksPrivate = (sentence: string, text: string): boolean =>
  [sentence.trim(), text.trim()].some((said) => gap.test(said) || endsOpen(said)) ||
  cutHead.test(text.trim());
/** Blanks on both sides of what was taken, or one before a mark; particles without a noun. */
const gap =
  /\S[ \t]{2,}\S|\S[ \t][.,;!](?:\s|$)|[はがをにの](?:です|だ|と|を|。|、|$)|[是叫为][，。]/u;
const copula = "(?:is|are|was|were|ist|sind|war|est|sont|es|son|é|são|это)";
const cutHead = new RegExp(String.raw`^(?:${copula}(?!\p{L})|[是为はがをにのと])`, "iu");
/** Verbs that a name follows. */
const naming =
  "(?:called|named|heißt|heisst|nennt sich|s['’]appelle|se (?:llama|chama)|chama-se|зовут|называется)";
const cutEnd = new RegExp(String.raw`(?:(?<!\p{L})(?:${copula}|${naming})|[:：是为])$`, "iu");
const endsOpen = (said: string): boolean => {
  const [last = ""] = /[\p{L}'’]+$/u.exec(said) ?? [];
  return cutEnd.test(said) || stopWords.has(last.toLowerCase());
};
