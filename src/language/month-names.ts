/**
 * Dates as people write them ("3 May 2024", "May 3rd", "the 1st of Sept.") brought to `2024-05-03`, so that the rules
 * about time have one form to know. Pure; UTC.
 */
import { isoDate, parseNow } from "#kit";

/** In order, in lower case. */
export const englishMonths: readonly string[] =
  "january february march april may june july august september october november december".split(
    " ",
  );

/** In full, or its first three letters (and "sept"). */
const shortOrLong = (name: string): string => `${name.slice(0, 3)}(?:${name.slice(3)})?`;

export const monthPattern = `(?:${englishMonths.map(shortOrLong).join("|")}|sept)`;

const dayPattern = "([0-3]?\\d)(?:st|nd|rd|th)?";
const yearPattern = "(?:,?\\s*(\\d{4}))?";
const dayFirst = new RegExp(
  `\\b${dayPattern}(?: of)?\\s(${monthPattern})\\b\\.?${yearPattern}(?!\\d)`,
  "gu",
);
const monthFirst = new RegExp(
  `\\b(${monthPattern})\\b\\.?\\s${dayPattern}(?!\\d)${yearPattern}(?!\\d)`,
  "gu",
);

/** From 1 to 12, by a name in lower case; 0 for none. */
export const monthOf = (name: string): number =>
  name === "" ? 0 : englishMonths.findIndex((month) => month.startsWith(name.slice(0, 3))) + 1;

/** The text, in lower case, with every date in one form. A date without a year is the latest one not after `nowMs`. */
export const withPlainDates = (folded: string, nowMs: number): string =>
  folded
    .replace(dayFirst, (whole: string, day: string, month: string, year?: string) =>
      plainDate({ day, month, year }, nowMs, whole),
    )
    .replace(monthFirst, (whole: string, month: string, day: string, year?: string) =>
      plainDate({ day, month, year }, nowMs, whole),
    );

function plainDate(
  spoken: { readonly day: string; readonly month: string; readonly year: string | undefined },
  nowMs: number,
  whole: string,
): string {
  const rest = `${two(monthOf(spoken.month))}-${two(Number(spoken.day))}`;
  const thisYear = Number(isoDate(nowMs).slice(0, 4));
  const guess = `${thisYear}-${rest}` > isoDate(nowMs) ? thisYear - 1 : thisYear;
  const date = `${spoken.year ?? guess}-${rest}`;
  const ms = parseNow(date);
  // There is no 31 June; `Date` takes it for the first of July.
  return ms !== null && isoDate(ms) === date ? date : whole;
}

const two = (value: number): string => String(value).padStart(2, "0");
