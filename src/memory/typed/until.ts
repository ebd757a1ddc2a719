/** The end that an agent names for a memory: a date, or words as people say them. Pure but for the zone. */
import { saidEndOf } from "#language";
import { fromClock, msPerDay, parseNow } from "#kit";

/** Words around a date so that it names an end: the agent gives it bare, in any language. */
const phrases: readonly ((words: string) => string)[] = [
  (words) => words,
  (words) => `until ${words}`,
  (words) => `only ${words}`,
  (words) => `for the next ${words}`,
  (words) => `到${words}`,
  (words) => `${words}まで`,
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
