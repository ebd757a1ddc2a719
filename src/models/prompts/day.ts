/** Days as a model reads them: relative dates are resolved by the weekday. */
import { msPerDay, parseNow } from "#kit";

/** From the first of January 1970. */
const weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"] as const;

/** `2026-03-02 (Mon)`. */
export function dayOf(date: string): string {
  const atMs = parseNow(date);
  return atMs === null ? date : `${date} (${weekdays[Math.floor(atMs / msPerDay) % 7] ?? ""})`;
}
