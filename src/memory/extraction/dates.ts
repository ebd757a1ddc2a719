/** Relative dates as dates, so that a memory still says when. Pure: the turn's own time comes in. */
import { isoDate, msPerDay } from "#kit";

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

const relativeDate =
  /(?:\b(since|from|until|till|by|before|after|of|for|on|between|and) )?\b(?:the day before yesterday|yesterday(?: (?:morning|afternoon|evening|night))?|last night|this (?:morning|afternoon|evening)|(?<!\bas )today|tonight|tomorrow|(?:last|next) (?:week|month|year|quarter)|last (?:sunday|monday|tuesday|wednesday|thursday|friday|saturday)|(?:a|one|two|three|\d{1,2}) (?:days?|weeks?|months?) ago)\b/gi;

/** `we double paid a merchant yesterday` → `… on 2026-09-08`. `atMs`: when it was said, epoch ms, read in UTC. */
export const resolveDates = (text: string, atMs: number): string =>
  text.replace(relativeDate, (phrase: string, before: string | undefined, at: number) => {
    const isOwner = /^['’]s/.test(text.slice(at + phrase.length));
    if (before === undefined)
      return (
        dateOf(phrase.toLowerCase(), atMs)?.replace(isOwner ? /^(?:on|in) / : "", "") ?? phrase
      );
    const bare = dateOf(phrase.slice(before.length + 1).toLowerCase(), atMs);
    return bare === null ? phrase : `${before} ${bare.replace(/^(?:on|in) (?=\d)/, "")}`;
  });

function dateOf(phrase: string, atMs: number): string | null {
  const days = dayOffset(phrase, atMs);
  if (days !== null) return `${preposition(phrase)}${isoDate(atMs + days * msPerDay)}`;
  const [, direction = "", unit = ""] =
    /^(last|next) (week|month|year|quarter)$/.exec(phrase) ?? [];
  const sign = direction === "last" ? -1 : 1;
  if (unit === "year") return `in ${Number(isoDate(atMs).slice(0, 4)) + sign}`;
  if (unit === "month")
    return `in ${isoDate(middleOfMonth(atMs) + sign * 30 * msPerDay).slice(0, 7)}`;
  if (unit === "week") return `in the week of ${isoDate(atMs + sign * 7 * msPerDay)}`;
  return null;
}

const middleOfMonth = (atMs: number): number =>
  atMs + (15 - Number(isoDate(atMs).slice(8, 10))) * msPerDay;

const preposition = (phrase: string): string =>
  phrase === "last night" || phrase.endsWith(" night") ? "in the night of " : "on ";

function dayOffset(phrase: string, atMs: number): number | null {
  if (phrase === "the day before yesterday") return -2;
  if (phrase.startsWith("yesterday") || phrase === "last night") return -1;
  if (/^(?:today|tonight|this )/.test(phrase)) return 0;
  if (phrase === "tomorrow") return 1;
  const weekday = weekdays.indexOf(phrase.replace(/^last /, ""));
  if (weekday >= 0) return -(((dayOfWeek(atMs) - weekday + 6) % 7) + 1);
  return daysAgo(phrase);
}

/** 1970-01-01 was a Thursday. */
const dayOfWeek = (atMs: number): number => (Math.floor(atMs / msPerDay) + 4) % 7;

const daysAgo = (phrase: string): number | null => {
  const [, count = "", unit = ""] = /^(\w+) (day|week|month)s? ago$/.exec(phrase) ?? [];
  if (unit === "") return null;
  const words: Readonly<Record<string, number>> = { a: 1, one: 1, two: 2, three: 3 };
  const amount = words[count] ?? Number(count);
  const days = unit === "day" ? 1 : unit === "week" ? 7 : 30;
  return Number.isFinite(amount) ? -amount * days : null;
};
