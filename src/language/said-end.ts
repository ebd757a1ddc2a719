/**
 * The end that a statement gives itself ("until 2 December", "bis zum 2. Dezember"), in English and the seven other
 * languages. Pure; UTC.
 */
import { isoDate, msPerDay, parseNow } from "#kit";
import { daysIn, type Day } from "./said-dates.ts";
import { sentencesOf } from "./sentences.ts";

/** Words between "until" and its date: articles, a preposition, the name of the weekday. */
const between = String.raw`[\s,]*(?:(?:the|zum|den|dem|ao?|o|el|le)\s+)?(?:\p{L}+,?\s+)?`;
const until = String.raw`(?<!\p{L})(?:until|till|bis|jusqu['’]au|jusqu['’]à|hasta|até|до)(?!\p{L})`;
const before = new RegExp(String.raw`${until}${between}(?=\d|\p{L}{3,10}\.?\s+\d)`, "iu");
const around = /(?:直到|截至|到|至)\s*(?=\d)|[\d日]\s*まで/u;

/** Without a year a date further ahead than this is more likely one that has gone by. */
const aheadMaxDays = 183;

/**
 * The end of the day until which `text` says that it holds; null when it names none, more than one day, or one that is
 * over at `nowMs`. Of several sentences none is: the end of one is not the end of the others.
 */
export function saidEndOf(text: string, nowMs: number): number | null {
  if (!before.test(text) && !around.test(text)) return null;
  // "2. Dezember" is no end of a sentence.
  if (sentencesOf(text.replaceAll(/(\d)\.(?=\s)/gu, "$1")).length > 1) return null;
  const ends = new Set(daysIn(text).map((day) => endOf(day, nowMs)));
  const [end = null] = ends;
  return ends.size === 1 ? end : null;
}

function endOf({ year, month, day }: Day, nowMs: number): number | null {
  const thisYear = Number(isoDate(nowMs).slice(0, 4));
  const years = year === null ? [thisYear, thisYear + 1] : [year];
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
