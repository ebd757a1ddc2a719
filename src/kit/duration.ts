/** Spans of time as people write them. */
import { msPerDay, msPerHour, msPerMinute, msPerSecond } from "./clock.ts";

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: msPerSecond,
  m: msPerMinute,
  min: msPerMinute,
  h: msPerHour,
  d: msPerDay,
  w: 7 * msPerDay,
};

/** `90s`, `30m`, `1h`, `2d`, `2w`, `500ms` in milliseconds; `never` is Infinity; null when it is none of them. */
export function parseDuration(text: string): number | null {
  const clean = text.trim().toLowerCase();
  if (clean === "never") return Infinity;
  const match = /^(\d{1,9})\s*([a-z]+)$/.exec(clean);
  const unit = Object.hasOwn(unitMs, match?.[2] ?? "") ? unitMs[match?.[2] ?? ""] : undefined;
  return match === null || unit === undefined ? null : Number(match[1]) * unit;
}
