/**
 * Words about time in a question ("last week", "in October", "before 2026-03-01"), as a window of epoch milliseconds.
 * A window only nudges the ranking: people misremember when something was, and "since" may mean "because".
 * Pure; all dates in UTC, as everywhere in the product.
 */
import { isoDate, msPerDay, parseNow } from "#kit";

export interface TimeWindow {
  /** Inclusive; null = open. */
  readonly sinceMs: number | null;
  /** Exclusive; null = open. */
  readonly untilMs: number | null;
}

interface Rule {
  readonly pattern: RegExp;
  readonly window: (match: RegExpMatchArray, nowMs: number) => TimeWindow | null;
}

const months =
  "january february march april may june july august september october november december";
const monthNames = months.split(" ");
const weekdays = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const daysByUnit: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

/** "May" alone is mostly a verb, so it counts as a month only after a preposition; so do all others. */
const monthPattern = `(${monthNames.join("|")})(?:\\s+(\\d{4}))?`;
const datePattern = "(\\d{4}-\\d{2}-\\d{2})";

/** The first rule that matches decides. */
const rules: readonly Rule[] = [
  { pattern: /\btoday\b|\bthis morning\b/u, window: (_, nowMs) => daysBack(nowMs, 0, 1) },
  { pattern: /\byesterday\b/u, window: (_, nowMs) => daysBack(nowMs, 1, 0) },
  {
    pattern: /\b(\d{1,3}|a|one|two|three|four|few|couple of) (day|week|month|year)s? ago\b/u,
    window: (match, nowMs) => aboutAgo(match, nowMs),
  },
  {
    pattern: /\b(?:last|past|previous) (?:(\d{1,3}) )?(day|week|month|year)s?\b/u,
    window: (match, nowMs) => lately(match, nowMs),
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
  {
    pattern: new RegExp(`\\b(since|after|before|until|on) ${datePattern}`, "u"),
    window: aroundDate,
  },
  {
    pattern: new RegExp(`\\b(since|after|before|until|in|during) ${monthPattern}\\b`, "u"),
    window: aroundMonth,
  },
];

/** The window a question speaks of, or null when it speaks of none that a calendar could find. */
export function timeWindowOf(text: string, nowMs: number): TimeWindow | null {
  const folded = text.slice(0, 2_000).toLowerCase();
  for (const { pattern, window } of rules) {
    const match = folded.match(pattern);
    if (match !== null) return window(match, nowMs);
  }
  return null;
}

/** Does this moment lie in the window? */
export const isWithin = (window: TimeWindow, atMs: number): boolean =>
  (window.sinceMs === null || atMs >= window.sinceMs) &&
  (window.untilMs === null || atMs < window.untilMs);

const startOfDay = (ms: number): number => Math.floor(ms / msPerDay) * msPerDay;

/** From the start of the day `from` days ago to the end of the day before `1 - to`: (1, 0) is yesterday. */
const daysBack = (nowMs: number, from: number, to: number): TimeWindow => ({
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
function aboutAgo(match: RegExpMatchArray, nowMs: number): TimeWindow {
  const unit = (daysByUnit[match[2] ?? ""] ?? 1) * msPerDay;
  const word = match[1] ?? "";
  const centre = nowMs - (countByWord[word] ?? Number(word)) * unit;
  return {
    sinceMs: startOfDay(centre - unit / 2),
    untilMs: startOfDay(centre + unit / 2) + msPerDay,
  };
}

/** "Last week" may be the calendar's or the last seven days: both. "The last 3 weeks" are counted back from now. */
function lately(match: RegExpMatchArray, nowMs: number): TimeWindow {
  const unit = daysByUnit[match[2] ?? ""] ?? 1;
  const days = match[1] === undefined ? unit * 2 : unit * Number(match[1]);
  return daysBack(nowMs, days, 1);
}

function lastWeekday(match: RegExpMatchArray, nowMs: number): TimeWindow {
  const wanted = weekdays.indexOf(match[1] ?? "");
  // 1970-01-01 was a Thursday.
  const today = (Math.floor(nowMs / msPerDay) + 4) % 7;
  const back = ((today - wanted + 6) % 7) + 1;
  return daysBack(nowMs, back, 1 - back);
}

function aroundDate(match: RegExpMatchArray): TimeWindow | null {
  const startMs = parseNow(match[2]);
  return startMs === null ? null : relativeTo(match[1] ?? "", startMs, startMs + msPerDay);
}

function aroundMonth(match: RegExpMatchArray, nowMs: number): TimeWindow | null {
  const month = monthNames.indexOf(match[2] ?? "") + 1;
  const [thisYear, thisMonth] = isoDate(nowMs).split("-").map(Number);
  // A month that has not come yet this year was last year's.
  const guess = (thisYear ?? 0) - (month > (thisMonth ?? 12) ? 1 : 0);
  const year = match[3] === undefined ? guess : Number(match[3]);
  const startMs = startOfMonth(year, month);
  const endMs = month === 12 ? startOfMonth(year + 1, 1) : startOfMonth(year, month + 1);
  return startMs === null || endMs === null ? null : relativeTo(match[1] ?? "", startMs, endMs);
}

const startOfMonth = (year: number, month: number): number | null =>
  parseNow(`${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-01`);

function relativeTo(preposition: string, startMs: number, endMs: number): TimeWindow {
  if (preposition === "before" || preposition === "until")
    return { sinceMs: null, untilMs: startMs };
  if (preposition === "since") return { sinceMs: startMs, untilMs: null };
  if (preposition === "after") return { sinceMs: endMs, untilMs: null };
  return { sinceMs: startMs, untilMs: endMs };
}
