/** Spells the days that relative dates of a quote mean, as an agent resolves them: "from today" is "17 June". Pure. */
import { saidEndOf, timeWindowOf } from "#language";
import { isoDate, msPerDay, parseNow, toClock } from "#kit";

/** Languages of the names of months and weekdays. */
const locales = ["en", "de", "fr", "es", "pt", "ru"] as const;

/** The day of the session, and the days that the quote reckons from it; empty for a quote without a relative date. */
export function daysSaid(quote: string, nowMs: number, zone: string | null): readonly string[] {
  const window = timeWindowOf(quote, nowMs);
  const since = window === null || window.isDated ? null : window.sinceMs;
  const end = saidEndOf(quote, nowMs, zone);
  if (since === null && end === null) return [];
  const days = [nowMs, since, end === null ? null : end - msPerDay].filter((ms) => ms !== null);
  return [...new Set(days.map((ms) => isoDate(toClock(ms, zone))))].map(spelled);
}

/** `2026-06-17 17.06.2026 17 6 June Jun Wednesday …` */
function spelled(day: string): string {
  const [year = "", month = "", date = ""] = day.split("-");
  const named = locales.map((locale) => {
    const format = (options: Intl.DateTimeFormatOptions): string =>
      new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }).format(parseNow(day) ?? 0);
    return [
      format({ month: "long", day: "numeric" }),
      format({ month: "short" }),
      format({ weekday: "long" }),
    ].join(" ");
  });
  const numbers = [day, `${date}.${month}.${year}`, `${Number(date)} ${Number(month)}`];
  return [...numbers, ordinal(Number(date)), ...named].join(" ");
}

/** `17th`, `1st`. */
function ordinal(date: number): string {
  const rule = new Intl.PluralRules("en", { type: "ordinal" }).select(date);
  const ends: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };
  return `${date}${ends[rule] ?? "th"}`;
}
