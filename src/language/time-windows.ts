/**
 * Words about time in a question ("last week", "in October", "before 1 March"), as a window of epoch milliseconds.
 * A window only nudges the ranking: people misremember when something was, and "since" may mean "because".
 * Pure; all dates in UTC, as everywhere in the product.
 */
import { fromClock, isoDate, msPerDay, parseNow, toClock } from "#kit";
import { monthOf, monthPattern, startOfDay, startOfMonth, withPlainDates } from "./month-names.ts";

export interface TimeWindow {
  /** Inclusive; null = open. */
  readonly sinceMs: number | null;
  /** Exclusive; null = open. */
  readonly untilMs: number | null;
  /** A stretch of the calendar was named, not a distance from now: the question is about just that time. */
  readonly isDated: boolean;
}

/** A window without the question how it was named. */
interface Span {
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
}

interface Rule {
  readonly pattern: RegExp;
  readonly window: (match: RegExpMatchArray, nowMs: number) => Span | null;
}

const weekdays = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const daysByUnit: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

const datePattern = "(\\d{4}-\\d{2}-\\d{2})";
/** The days on which something of a day is often still written down. */
const toldLaterDays = 3;

/** Days of a month, both ends included; what is told of its end is written down in the next. */
const partsOfMonth: Readonly<Record<string, readonly [from: number, to: number]>> = {
  first: [1, 10],
  second: [7, 17],
  third: [14, 24],
  last: [18, 34],
  beginning: [1, 12],
  start: [1, 12],
  early: [1, 12],
  middle: [9, 23],
  mid: [9, 23],
  end: [18, 34],
  late: [18, 34],
};
const partPattern = `(${Object.keys(partsOfMonth).join("|")})(?: (?:one |two |three )?(?:week|weekend|day|half)s?)?`;

/** Dates first: who names one means it, whatever else is said about time. The first rule that matches decides. */
const rules: readonly Rule[] = [
  {
    pattern: new RegExp(`\\b(?:between|from) ${datePattern} (?:and|to|until) ${datePattern}`, "u"),
    window: betweenDates,
  },
  {
    pattern: new RegExp(`\\b(day|weekend|week|month) (before|after) ${datePattern}`, "u"),
    window: besideDate,
  },
  {
    pattern: new RegExp(
      `\\b(?:(since|after|before|until|by|as of) (?:the )?)?${datePattern}\\b`,
      "u",
    ),
    window: (match) => aroundDate(match[1] ?? "on", match[2]),
  },
  {
    pattern: new RegExp(
      `\\b${partPattern}(?: of |-| in | )(${monthPattern})\\b(?:,? (\\d{4}))?`,
      "u",
    ),
    window: inPartOfMonth,
  },
  {
    // "May" and "march" alone are mostly verbs: a month counts after a preposition, or before its year.
    pattern: new RegExp(
      `\\b(since|after|before|until|by|as of|in|during|of) (${monthPattern})\\b(?:,? (\\d{4}))?`,
      "u",
    ),
    window: ([, how, month, year], nowMs) => aroundMonth({ how, month, year }, nowMs),
  },
  {
    pattern: new RegExp(`\\b(${monthPattern}),? (\\d{4})\\b`, "u"),
    window: ([, month, year], nowMs) => aroundMonth({ how: "in", month, year }, nowMs),
  },
  {
    pattern: /\b(since|after|before|until|in|during) ((?:19|20)\d{2})\b/u,
    window: (match) => {
      const year = Number(match[2]);
      return relativeTo(match[1] ?? "", startOfMonth(year, 1), startOfMonth(year + 1, 1));
    },
  },
];

/** Told by their distance from now, which people misremember. */
const vagueRules: readonly Rule[] = [
  { pattern: /\btoday\b|\bthis morning\b/u, window: (_, nowMs) => daysBack(nowMs, 0, 1) },
  { pattern: /\byesterday\b/u, window: (_, nowMs) => daysBack(nowMs, 1, 0) },
  {
    pattern: /\b(\d{1,3}|a|one|two|three|four|few|couple of) (day|week|month|year)s? ago\b/u,
    window: aboutAgo,
  },
  {
    pattern: /\b(?:last|past|previous) (?:(\d{1,3}) )?(day|week|month|year)s?\b(?! of)/u,
    window: lately,
  },
  {
    pattern: /\bthis (week|month|year)\b/u,
    window: (match, nowMs) => daysBack(nowMs, (daysByUnit[match[1] ?? ""] ?? 1) - 1, 1),
  },
  { pattern: new RegExp(`\\blast (${weekdays.join("|")})\\b`, "u"), window: lastWeekday },
  {
    pattern: /\brecently\b|\blately\b|\bthese days\b/u,
    window: (_, nowMs) => daysBack(nowMs, 14, 1),
  },
];

/** The window a question speaks of, or null when it speaks of none that a calendar could find. */
export function timeWindowOf(text: string, nowMs: number): TimeWindow | null {
  const found = windowByClock(text, toClock(nowMs, null));
  const utc = (ms: number | null): number | null => (ms === null ? null : fromClock(ms, null));
  return found && { ...found, sinceMs: utc(found.sinceMs), untilMs: utc(found.untilMs) };
}

function windowByClock(text: string, nowMs: number): TimeWindow | null {
  const folded = withPlainDates(text.slice(0, 2_000).toLowerCase(), nowMs);
  const named = spanOf(rules, folded, nowMs);
  const span = named ?? spanOf(vagueRules, folded, nowMs);
  if (span === null) return null;
  return { ...span, isDated: named?.sinceMs != null && named.untilMs !== null };
}

function spanOf(some: readonly Rule[], folded: string, nowMs: number): Span | null {
  for (const { pattern, window } of some) {
    const match = folded.match(pattern);
    if (match !== null) return window(match, nowMs);
  }
  return null;
}

/** Does this moment lie in the window? */
export const isWithin = (window: TimeWindow, atMs: number): boolean =>
  (window.sinceMs === null || atMs >= window.sinceMs) &&
  (window.untilMs === null || atMs < window.untilMs);

/** From the start of the day `from` days ago to the end of the day before `1 - to`: (1, 0) is yesterday. */
const daysBack = (nowMs: number, from: number, to: number): Span => ({
  sinceMs: startOfDay(nowMs) - from * msPerDay,
  untilMs: startOfDay(nowMs) + to * msPerDay,
});

const countByWord: Readonly<Record<string, number>> = {
  a: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  few: 4,
  "couple of": 2,
};

/** "Three weeks ago" is rarely exact: half a unit more on both sides. */
function aboutAgo(match: RegExpMatchArray, nowMs: number): Span {
  const unit = (daysByUnit[match[2] ?? ""] ?? 1) * msPerDay;
  const word = match[1] ?? "";
  const centre = nowMs - (countByWord[word] ?? Number(word)) * unit;
  return {
    sinceMs: startOfDay(centre - unit / 2),
    untilMs: startOfDay(centre + unit / 2) + msPerDay,
  };
}

/** "Last week" may be the calendar's or the last seven days: both. "The last 3 weeks" are counted back from now. */
function lately(match: RegExpMatchArray, nowMs: number): Span {
  const unit = daysByUnit[match[2] ?? ""] ?? 1;
  const days = match[1] === undefined ? unit * 2 : unit * Number(match[1]);
  return daysBack(nowMs, days, 1);
}

function lastWeekday(match: RegExpMatchArray, nowMs: number): Span {
  const wanted = weekdays.indexOf(match[1] ?? "");
  // 1970-01-01 was a Thursday.
  const today = (Math.floor(nowMs / msPerDay) + 4) % 7;
  const back = ((today - wanted + 6) % 7) + 1;
  return daysBack(nowMs, back, 1 - back);
}

function betweenDates(match: RegExpMatchArray): Span | null {
  const [from, to] = [parseNow(match[1]), parseNow(match[2])];
  return from === null || to === null
    ? null
    : { sinceMs: Math.min(from, to), untilMs: Math.max(from, to) + toldLaterDays * msPerDay };
}

/** "The week before 3 May", and what was told of it on the days after. */
function besideDate(match: RegExpMatchArray): Span | null {
  const dateMs = parseNow(match[3]);
  if (dateMs === null) return null;
  const unit = (daysByUnit[match[1] ?? ""] ?? 3) * msPerDay;
  const later = toldLaterDays * msPerDay;
  return match[2] === "before"
    ? { sinceMs: dateMs - unit, untilMs: dateMs + later }
    : { sinceMs: dateMs, untilMs: dateMs + unit + later };
}

function aroundDate(how: string, date: string | undefined): Span | null {
  const startMs = parseNow(date);
  if (startMs === null) return null;
  const endMs = startMs + msPerDay;
  if (how === "on") return { sinceMs: startMs, untilMs: startMs + toldLaterDays * msPerDay };
  return relativeTo(how, startMs, endMs);
}

function aroundMonth(
  spoken: Readonly<Record<"how" | "month" | "year", string | undefined>>,
  nowMs: number,
): Span | null {
  const month = monthOf(spoken.month ?? "");
  const [thisYear, thisMonth] = isoDate(nowMs).split("-").map(Number);
  // A month that has not come yet this year was last year's.
  const guess = (thisYear ?? 0) - (month > (thisMonth ?? 12) ? 1 : 0);
  const year = spoken.year === undefined ? guess : Number(spoken.year);
  const endMs = month === 12 ? startOfMonth(year + 1, 1) : startOfMonth(year, month + 1);
  return relativeTo(spoken.how ?? "", startOfMonth(year, month), endMs);
}

/** "The last week of May", "mid-May". */
function inPartOfMonth(match: RegExpMatchArray, nowMs: number): Span | null {
  const firstMs = aroundMonth({ how: "in", month: match[2], year: match[3] }, nowMs)?.sinceMs;
  const [from, to] = partsOfMonth[match[1] ?? ""] ?? [1, 31];
  if (firstMs == null) return null;
  return { sinceMs: firstMs + (from - 1) * msPerDay, untilMs: firstMs + to * msPerDay };
}

function relativeTo(how: string, startMs: number | null, endMs: number | null): Span | null {
  if (startMs === null || endMs === null) return null;
  switch (how) {
    case "before":
    case "until":
      return { sinceMs: null, untilMs: startMs };
    case "since":
      return { sinceMs: startMs, untilMs: null };
    case "after":
      return { sinceMs: endMs, untilMs: null };
    case "by":
    case "as of":
      return { sinceMs: null, untilMs: endMs };
    default:
      return { sinceMs: startMs, untilMs: endMs };
  }
}
