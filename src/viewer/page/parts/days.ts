/** Days where the reader is: `2026-11-22`, as date fields write them. Pure. */
import { msPerDay, parseNow } from "#kit";

const dayFormat = new Intl.DateTimeFormat("en-CA");

export const dayOf = (ms: number): string => dayFormat.format(ms);
/** Midnight of such a day; 0 for what is none. */
export const startOf = (day: string): number => parseNow(`${day}T00:00:00`) ?? 0;
/** The day before or after; no day is as long as a day and a half. */
export const beside = (day: string, by: -1 | 1): string =>
  dayOf(startOf(day) + (by < 0 ? -msPerDay / 2 : msPerDay * 1.5));

export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && parseNow(text) !== null;

interface Span {
  readonly since?: string;
  readonly until?: string;
}

/** Two days, both included, as the API takes a span. What is no day counts as none. */
export function spanOf(from: string | null, to: string | null): Span {
  return {
    ...(from !== null && isDay(from) ? { since: `${startOf(from)}` } : {}),
    ...(to !== null && isDay(to) ? { until: `${startOf(beside(to, 1)) - 1}` } : {}),
  };
}
