/**
 * The end that a statement gives itself ("until 2 December", "bis Freitag", "for the next two weeks"), in English and
 * the seven other languages. Pure but for the zone: days are those of the user. A week ends on Sunday.
 */
import { fromClock, isoDate, msPerDay, parseNow, toClock } from "#kit";
import { aloneOr, either, letters, listsIn } from "./lists.ts";
import endsText from "./lists/ends.txt" with { type: "text" };
import {
  daysIn,
  type Day,
  monthNamed,
  monthWords,
  startOfDay,
  startOfMonth,
} from "./month-names.ts";
import { sentencesOf } from "./sentences.ts";

const { any, alone, cue, list, places } = listsIn(endsText);

/** Words between "until" and its date: articles, a preposition, the name of the weekday. */
const between = String.raw`[\s,]*(?:(?:the|zum|den|dem|einschließlich|ao?|o|el|le|la)\s+){0,2}(?:\p{L}+,?\s+)?`;
const until = alone("until");
const before = new RegExp(String.raw`(?:${until})${between}(?=\d|\p{L}{3,10}\.?\s+\d)`, "iu");
const around = /(?:直到|截至|到|至)\s*(?=\d)|[\d日]\s*(?:まで|为止|為止)/u;

/** "Until" with one of these and nothing else between them but an article. */
const untilOne = (names: readonly string[]): RegExp =>
  new RegExp(
    either([
      String.raw`(?:${until})\s+(?:(?:the|zum|den|dem|ao?|à|o|el|le|la)\s+){0,2}(?:${either(names)})(?!\p{L})`,
      String.raw`(?:${any("until, before")})(?:${either(names)})`,
      String.raw`(?:${either(names)})(?:いっぱい|まで)`,
    ]),
    "iu",
  );

/** Without a year a date further ahead than this is more likely one that has gone by. */
const aheadMaxDays = 183;

type EndAt = (nowMs: number, match: RegExpMatchArray) => number | null;

const daysOn = (ms: number, days: number): number => startOfDay(ms) + days * msPerDay;
/** 0 = Monday. 1970-01-01 was a Thursday. */
const weekdayOf = (ms: number): number => (Math.floor(ms / msPerDay) + 3) % 7;
const endOfWeek: EndAt = (ms) => daysOn(ms, 7 - weekdayOf(ms));
const partsOf = (ms: number): readonly number[] => isoDate(ms).split("-").map(Number);
const yearOf = (ms: number): number => partsOf(ms)[0] ?? 0;
/** The first day of the month that is so many months after that of `ms`. */
function firstOfMonth(ms: number, later: number): number {
  const [year = 0, month = 1] = partsOf(ms);
  const all = year * 12 + month - 1 + later;
  return startOfMonth(Math.floor(all / 12), (all % 12) + 1) ?? ms;
}
const endOfMonth: EndAt = (ms) => firstOfMonth(ms, 1);
const endOfYear: EndAt = (ms) => firstOfMonth(ms, 13 - (partsOf(ms)[1] ?? 1));

/** "until the end of September", "bis Ende März 2027", "9月末まで". */
const monthsEnd = new RegExp(
  either([
    String.raw`(?:${until})\s+(?:${any("end of a month")})\s*` +
      String.raw`(?<name>${either(monthWords)})(?:,?\s+(?:de\s+)?(?<y>\d{4}))?(?!\p{L})`,
    String.raw`(?:${any("until, before")})(?<n>\d{1,2})月[底末]`,
    String.raw`(?<j>\d{1,2})月末(?:いっぱい|まで)`,
  ]),
  "iu",
);

const endOfNamedMonth: EndAt = (ms, { groups = {} }) => {
  const month = monthNamed(groups["name"] ?? "") ?? Number(groups["n"] ?? groups["j"]);
  if (!(month >= 1 && month <= 12)) return null;
  if (groups["y"] !== undefined)
    return firstOfMonth(startOfMonth(Number(groups["y"]), month) ?? 0, 1);
  const years = [yearOf(ms), yearOf(ms) + 1];
  const end = years
    .map((year) => firstOfMonth(startOfMonth(year, month) ?? 0, 1))
    .find((one) => one > ms);
  return end === undefined || end > ms + aheadMaxDays * msPerDay ? null : end;
};

/** The next day of that name; said on such a day it may be this one or the next. */
const onWeekday = (wanted: number, ms: number): number | null => {
  const ahead = (wanted - weekdayOf(ms) + 7) % 7;
  return ahead === 0 ? null : daysOn(ms, ahead + 1);
};

const holdsAnyPlace = new RegExp(either(places("holds")), "u");
/** Verbs of the past: these languages have no copula that would tell what holds from what happened. */
const pastJapanese = /(?:した|った|んだ|いた|きた|れた|えた|めた)(?!い)/u;
const pastRussian = String.raw`^(?!.*\p{L}{2,}(?:л|ла|ло|ли|лся|лась|лось|лись)(?!\p{L}))`;

/** A stretch that a statement holds for: at its beginning or behind what begins it, behind a copula, or "for" it. */
const holding = (name: string): RegExp => {
  const time = aloneOr(letters, list(name));
  const holds = String.raw`(?:${any("holds")})(?!\p{L})`;
  const is = alone("is");
  const from = String.raw`(?<!(?:${alone("from")})\s)`;
  const went = String.raw`(?:${any("went")})`;
  return new RegExp(
    either([
      String.raw`^${holds}.*(?:${time})`,
      String.raw`^(?:${time}),?\s+(?:\p{L}+\s+)?${holds}`,
      String.raw`(?:${is})(?:\s.{0,200})?\s${from}(?:${time})(?=[.,;!]|$|\s(?!${went})\P{Lu}\S+[.!]?$)`,
      String.raw`(?:${alone("for")})\s(?:${time})|(?:^|\s)${from}(?:${time})\s(?:${is})`,
      // "Hoy el servidor está bloqueado", "der Server heute gesperrt ist".
      String.raw`^(?:${time}),?\s+(?!.*(?:${alone("tells of")}))(?:\S+\s+){1,4}(?:${is})`,
      String.raw`${from}(?:${time})\s(?:\S+\s){0,3}(?!${went})[^\s,]+\s(?:ist|sind)[.!]*$`,
      String.raw`${pastRussian}.*${from}(?=\p{sc=Cyrillic})(?:${time})`,
      ...places(name),
    ]),
    "iu",
  );
};

const counts: readonly (readonly string[])[] = [
  "two zwei deux dos duas dois два две 两 二".split(" "),
  "three drei trois tres três три 三".split(" "),
  "four vier quatre cuatro quatro четыре 四".split(" "),
];
const count = String.raw`\d{1,2}|${either(counts.flat())}`;

const onSpan: EndAt = (ms, { groups = {} }) => {
  const said = groups["n"]?.toLowerCase() ?? "";
  const named = counts.findIndex((words) => words.includes(said));
  const n = named < 0 ? Number(said) : named + 2;
  if (n === 0) return null;
  if (groups["d"] !== undefined || groups["w"] !== undefined)
    return daysOn(ms, 1 + n * (groups["d"] === undefined ? 7 : 1));
  // 31 January and a month is the last of February.
  return Math.min(daysOn(firstOfMonth(ms, n), partsOf(ms)[2] ?? 1), firstOfMonth(ms, n + 1));
};

type Way = readonly [said: RegExp, endAt: EndAt];
const untilNamed: readonly Way[] = (
  [
    ["tomorrow", (ms) => daysOn(ms, 2)],
    ["day after tomorrow", (ms) => daysOn(ms, 3)],
    ["midnight", (ms) => daysOn(ms, 1)],
    ["week", endOfWeek],
    ["month", endOfMonth],
    ["year", endOfYear],
  ] satisfies readonly (readonly [name: string, endAt: EndAt])[]
).map(([name, endAt]) => [untilOne(list(name)), endAt]);

/** Each way to name an end by its distance from today. */
const relative: readonly Way[] = [
  ...untilNamed,
  [monthsEnd, endOfNamedMonth],
  [holding("today"), (ms) => daysOn(ms, 1)],
  [holding("this week"), endOfWeek],
  [holding("this month"), endOfMonth],
  ...[...list("span"), ...places("span")].map((span): Way => [
    new RegExp(span.replace("N", count), "iu"),
    onSpan,
  ]),
];

const onWeekdays = list("weekdays").map((names, day): Way => [
  untilOne([names]),
  (ms) => onWeekday(day, ms),
]);

const day = String.raw`\d{1,2}(?:st|nd|rd|th|\.|º|er)?`;
/** "until 10 March", "bis zum 10. März", "hasta el 10 de marzo". */
const untilDate =
  String.raw`(?:${until})${between}(?:${day}(?:\s+(?:of\s+|de\s+)?(?:${either(monthWords)}))|` +
  String.raw`(?:${either(monthWords)})\.?\s+${day}|\d{1,4}[./-]\d{1,2}(?:[./-]\d{0,4})?)(?:,?\s+\d{4})?`;
const namedEnd = new RegExp(
  either([untilDate, ...[...untilNamed, ...onWeekdays].map(([said]) => said.source)]),
  "iu",
);
/** A text without the words that name its end. */
export const withoutEnd = (text: string): string => text.replace(namedEnd, " ");
const namedEndAhead = new RegExp(String.raw`^(?:${namedEnd.source})[\s,]*`, "iu");
/** A text that begins with the words that name its end, without them; null for another one. */
export const behindEnd = (text: string): string | null =>
  namedEndAhead.test(text) ? text.replace(namedEndAhead, "") : null;

/** Nothing is named in a text with none of these; most have none. */
const quick = new RegExp(
  either([
    until,
    ...list("until, before"),
    "まで|いっぱい|为止|為止",
    ...["today", "this week", "this month"].map(alone),
    ...list("span, sign"),
  ]),
  "iu",
);

/**
 * The end of the day until which `text`, said at `saidMs`, says that it holds; null when it names none, more than one,
 * or one that was over by then. Of several sentences none is: the end of one is not the end of the others. `zone`: of
 * who said it; null = the local one.
 */
export function saidEndOf(text: string, saidMs: number, zone: string | null = null): number | null {
  if (!quick.test(text)) return null;
  const end = endByClock(text, toClock(saidMs, zone));
  return end === null ? null : fromClock(end, zone);
}

function endByClock(text: string, saidMs: number): number | null {
  // "2. Dezember" is no end of a sentence.
  const plain = text.trim().replaceAll(/(\d)\.(?=\s)/gu, "$1");
  if (sentencesOf(plain).length > 1) return null;
  const days = before.test(plain) || around.test(plain) ? daysIn(text) : [];
  const ends = new Set(days.map((day) => endOf(day, saidMs)));
  // "Until Wednesday, December 2nd" is one day.
  for (const [pattern, endAt] of days.length > 0 ? relative : [...relative, ...onWeekdays]) {
    const match = plain.match(pattern);
    if (match !== null && isInForce(plain, match)) ends.add(endAt(saidMs, match));
  }
  const [end = null] = ends;
  return ends.size === 1 ? end : null;
}

/** In a script without spaces a stretch alone says nothing of what holds for it. */
const isInForce = (text: string, [said]: RegExpMatchArray): boolean =>
  !/^(?:今(?!後)|本|这).*(?<!まで|いっぱい)$/u.test(said) ||
  holdsAnyPlace.test(text) ||
  (/[\u3040-\u30ff]/u.test(text) && !pastJapanese.test(text));

/** True when a text of then says nothing but what was to end by now. */
export function isOver(text: string, saidMs: number, nowMs: number): boolean {
  if (!quick.test(text)) return false;
  const end = saidEndOf(text, saidMs);
  return end !== null && end <= nowMs;
}

const aWhile = cue("for a while");

/** Says that it holds for a time whose end is not named: "for now", "this sprint", "while Mia is away". */
export const isForAWhile = (text: string): boolean => aWhile.test(text);

/** True when a text names the last day before `endMs` by its date. */
export const namesLastDay = (text: string, endMs: number): boolean => {
  const [year, month, day] = isoDate(toClock(endMs, null) - 1)
    .split("-")
    .map(Number);
  return daysIn(text).some(
    (one) => one.month === month && one.day === day && (one.year ?? year) === year,
  );
};

function endOf({ year, month, day }: Day, nowMs: number): number | null {
  const years = year === null ? [yearOf(nowMs), yearOf(nowMs) + 1] : [year];
  const end = years.map((one) => endOfDay(one, month, day)).find((ms) => ms !== null && ms > nowMs);
  if (end == null || (year === null && end > nowMs + aheadMaxDays * msPerDay)) return null;
  return end;
}

function endOfDay(year: number, month: number, day: number): number | null {
  const date = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const ms = parseNow(date);
  // There is no 31 June; `Date` takes it for the first of July.
  return ms !== null && isoDate(ms) === date ? ms + msPerDay : null;
}
