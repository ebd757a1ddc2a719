/**
 * Dates as people write them ("3 May 2024", "May 3rd", "the 1st of Sept.") brought to `2024-05-03`, so that the rules
 * about time have one form to know. Pure; UTC.
 */
import { isoDate, msPerDay, parseNow } from "#kit";

/** In order, in lower case. */
const englishMonths: readonly string[] =
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

/** The first moment of a month from 1 to 12; null for no such month. */
export const startOfMonth = (year: number, month: number): number | null =>
  parseNow(`${String(year).padStart(4, "0")}-${two(month)}-01`);

export const startOfDay = (ms: number): number => Math.floor(ms / msPerDay) * msPerDay;

// Calendar dates in running text. Pure.

export interface Day {
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
}

const monthNames: readonly (readonly string[])[] = [
  ["jan", "januar", "janvier", "enero", "janeiro", "янв", "января"],
  ["feb", "februar", "février", "febrero", "fevereiro", "фев", "февраля"],
  ["mar", "märz", "mars", "marzo", "março", "марта"],
  ["apr", "avril", "abril", "апр", "апреля"],
  ["may", "mai", "mayo", "maio", "мая"],
  ["jun", "juni", "juin", "junio", "junho", "июня"],
  ["jul", "juli", "juillet", "julio", "julho", "июля"],
  ["aug", "août", "agosto", "авг", "августа"],
  ["sep", "sept", "septembre", "septiembre", "setembro", "сен", "сентября"],
  ["oct", "oktober", "octobre", "octubre", "outubro", "окт", "октября"],
  ["nov", "novembre", "noviembre", "novembro", "ноября"],
  ["dec", "dez", "dezember", "décembre", "diciembre", "dezembro", "дек", "декабря"],
];
/** Names of months in eight languages, the longest first. */
export const monthWords: readonly string[] = [...monthNames.flat(), ...englishMonths].toSorted(
  (a, b) => b.length - a.length,
);

/** From 1 to 12, in eight languages; null for no month. */
export const monthNamed = (word: string): number | null => {
  const name = word.toLowerCase().replace(/\.$/, "");
  const at = monthNames.findIndex((names, n) => names.includes(name) || englishMonths[n] === name);
  return at < 0 ? null : at + 1;
};

/** Days as they are written; `5.7.` where the sentence goes on, or behind a word that wants a day: else a version. */
const dayPatterns: readonly RegExp[] = [
  /(?<!\d)(?<y>\d{4})[-/.年](?<m>\d{1,2})[-/.月](?<d>\d{1,2})(?!\d)/gu,
  /(?<!\d)(?<d>\d{1,2})\.\s?(?<m>\d{1,2})\.\s?(?<y>\d{4})(?!\d)/gu,
  new RegExp(
    String.raw`(?:(?<![\d.])(?<!\p{Lu}\p{L}*\s)(?=\d{1,2}\.\s?\d{1,2}\.\s+\p{Ll})|` +
      String.raw`(?<=(?<!\p{L})(?:[Bb]is|[Zz]um|[Aa]m|[Aa]b|[Vv]om|до|с|к)\s))` +
      String.raw`(?<d>\d{1,2})\.\s?(?<m>\d{1,2})\.(?!\s?\d)`,
    "gu",
  ),
  /(?<!\d)(?<m>\d{1,2})\/(?<d>\d{1,2})\/(?<y>\d{4})(?!\d)/gu,
  /(?<!\d)(?<d>\d{1,2})\/(?<m>\d{1,2})\/(?<y>\d{4})(?!\d)/gu,
  /(?<!\d)(?<m>\d{1,2})月(?<d>\d{1,2})日/gu,
  // "Até 30/11": the day first, but for English, where only one of the two may be a day.
  /(?<=(?:até|hasta|jusqu'au|bis|zum|до) (?:o |el |le |dia |día )*)(?<d>\d{1,2})\/(?<m>\d{1,2})(?![\d/])/giu,
  /(?<=(?:until|till?|by) )(?<m>\d{1,2})\/(?<d>1[3-9]|2\d|3[01])(?![\d/])/giu,
  /(?<=(?:until|till?|by) )(?<d>1[3-9]|2\d|3[01])\/(?<m>\d{1,2})(?![\d/])/giu,
  new RegExp(
    String.raw`(?<!\d)(?<d>\d{1,2})(?:st|nd|rd|th|\.|º|er)?\s+(?:de\s+|of\s+)?(?<m>\p{L}{3,10})\.?` +
      String.raw`(?:,?\s+(?:de\s+)?(?<y>\d{4}))?`,
    "giu",
  ),
  /(?<!\p{L})(?<m>\p{L}{3,10})\.?\s+(?<d>\d{1,2})(?:st|nd|rd|th)?(?!\d)(?:,?\s+(?<y>\d{4}))?/giu,
];

/** Every day that a text names; `03/04/2026` may be either of two. */
export const daysIn = (text: string): readonly Day[] =>
  dayPatterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ groups = {} }) => {
      const { y, m = "", d } = groups;
      const month = /^\d/u.test(m) ? Number(m) : (monthNamed(m) ?? 0);
      const day = Number(d);
      const isDay = month >= 1 && month <= 12 && day >= 1 && day <= 31;
      return isDay ? [{ year: y === undefined ? null : Number(y), month, day }] : [];
    }),
  );
