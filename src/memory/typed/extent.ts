/** Reads from a quote where and until when its line holds, and whether it is to last. Pure but for the zone. */
import {
  besideEverywhere,
  type Forgetting,
  hardSplit,
  isCommand,
  isMomentary,
  isQuestion,
  orderIn,
  saidEndOf,
  saysItHolds,
  timeWindowOf,
} from "#language";
import { fromClock, msPerDay, parseNow } from "#kit";
import { addedBy, clausesOf, withoutQuoted, wordsIn } from "./words.ts";
import { isUser } from "./shown.ts";

// The end that an agent names for a memory: a date, or words as people say them. Pure but for the zone.

/** Words around a date so that it names an end: the agent gives it bare, in any language. */
const phrases: readonly ((words: string) => string)[] = [
  (words) => words,
  (words) => `until ${words}`,
  (words) => `only ${words}`,
  (words) => `for the next ${words}`,
  (words) => `到${words}`,
];

/** A date holds through its end, as the user counts days; null for words that name no day. */
export function untilOf(said: string, nowMs: number, zone: string): number | null {
  const words = said.trim().replace(/[.。]$/u, "");
  const date = /^(\d{4})-(\d{1,2})-(\d{1,2})$/u.exec(words);
  if (date !== null) {
    const [, year = "", ...rest] = date;
    const ms = parseNow([year, ...rest.map((part) => part.padStart(2, "0"))].join("-"));
    return ms === null ? null : fromClock(ms + msPerDay, zone);
  }
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/u.test(words)) return parseNow(words);
  const ends = phrases.map((phrase) => saidEndOf(phrase(words), nowMs, zone));
  return ends.find((end) => end !== null) ?? null;
}

// Reads from a quote where and until when its line holds. Pure.

/** True if the quote says so of the line: "there are TODOs everywhere, use tabs" does not say it of the tabs. */
export function saysEverywhere(quote: string, line: string): boolean {
  const said = new Set(wordsIn(line));
  return clausesOf(withoutQuoted(quote)).some((clause) => {
    const beside = besideEverywhere(clause);
    if (beside === null) return false;
    const words = wordsIn(beside);
    return words.length === 0 || words.some((word) => said.has(word));
  });
}

/** Pronouns and verbs of the first person alone, in eight languages. */
const ofMyself =
  /(?<!\p{L})(?:i|i'?m|my|me|ich|mir|mich|meine?[mnrs]?|je|j'|mon|ma|mes|moi|yo|soy|mi|mis|eu|sou|meus?|minhas?|я|мне|меня|мой|моя|мои)(?!\p{L})|我(?!们)|私(?!たち)|僕|俺/iu;

/** Do a subject and the quote tell who the user is, and order nothing? That holds wherever they work. */
export const tellsOfUser = (quote: string, line: string, subject: string): boolean =>
  isUser(subject) &&
  tellsOfMe(withoutQuoted(quote)) &&
  (!isCommand(line) || tellsOfMyself(line.trim()));

const tellsOfMe = (text: string): boolean => ofMyself.test(text.replaceAll("’", "'"));

/** "Fridays I never work": speaks of its user, and none of its clauses is an order that holds. */
const tellsOfMyself = (line: string): boolean =>
  tellsOfMe(line.split(/\s+/u, myselfWordsMax).join(" ")) &&
  clausesOf(line).every((clause) => orderIn(clause) === null);

/** Words of a line at its head, of which one is "I" or "my". */
const myselfWordsMax = 3;

/** Names the quote a time, from which an agent may have reckoned the end? */
export const saysTime = (quote: string, nowMs: number): boolean =>
  /\p{N}/u.test(quote) || saidEndOf(quote, nowMs) !== null || timeWindowOf(quote, nowMs) !== null;

/** Says the quote that its order is to last: a rule, or an order to remember? Other orders may be of the moment. */
export const ordersForGood = (quote: string): boolean =>
  hardSplit(quote).some((sentence) => {
    const order = orderIn(sentence);
    return order !== null && (order.kind === "rule" || order.isOutright);
  });

/** Says a quote that an agent takes for a rule that it is one: its words name no occasion, and an extent or a duty. */
export const holdsAsRule = (quote: string): boolean =>
  ordersForGood(quote) ||
  hardSplit(withoutQuoted(quote)).some(
    (sentence) => saysItHolds(sentence) && !isMomentary(sentence) && !isQuestion(sentence),
  );

// Finds the memory that an order to forget means. Pure.

/** Share of a line's words that name it. */
const heldShareMin = 0.6;

/** Does the order name this line: by most of its words, or as a rule by some of them, with no other name or value? */
export function isMeant({ words, isOfWords }: Forgetting, line: string): boolean {
  const said = wordsIn(words);
  const own = new Set(wordsIn(line));
  const held = said.filter((word) => own.has(word)).length;
  if (held === 0 || addedBy(words, line) !== null) return false;
  const isNamed = held > 1 && held >= own.size * heldShareMin;
  return isNamed || (isOfWords && held === said.length);
}
