/**
 * The user's days: clocks of a zone. Times are stored in UTC; what people say and read is by the clock where they are.
 */
import { isoTime, msPerMinute } from "./clock.ts";

let last: { readonly zone: string; readonly format: Intl.DateTimeFormat | null } | null = null;

/** Null for a zone that nobody knows. The last one is kept: a user has one, and to make it takes a millisecond. */
function formatOf(zone: string): Intl.DateTimeFormat | null {
  if (last?.zone === zone) return last.format;
  let format: Intl.DateTimeFormat | null = null;
  try {
    format = new Intl.DateTimeFormat("sv-SE", {
      timeZone: zone,
      dateStyle: "short",
      timeStyle: "medium",
    });
  } catch {
    // Not a name of a zone.
  }
  last = { zone, format };
  return format;
}

function offsetMs(ms: number, zone: string | null): number {
  const format = zone === null ? null : formatOf(zone);
  if (format === null) return -new Date(ms).getTimezoneOffset() * msPerMinute;
  const second = Math.floor(ms / 1_000) * 1_000;
  return Date.parse(`${format.format(second).replace(" ", "T")}Z`) - second;
}

/**
 * Returns what the clock of a zone shows at `ms`, as if it ran in UTC. `zone`: an IANA name; null = that of this
 * process.
 */
export const toClock = (ms: number, zone: string | null): number => ms + offsetMs(ms, zone);

/** When the clock of a zone shows this. An hour that summer time leaves out is taken for the one after it. */
export function fromClock(shownMs: number, zone: string | null): number {
  const before = shownMs - offsetMs(shownMs - 43_200_000, zone);
  if (toClock(before, zone) === shownMs) return before;
  const after = shownMs - offsetMs(shownMs + 43_200_000, zone);
  return toClock(after, zone) === shownMs ? after : before;
}

/** `2026-09-01T14:05`, as the clocks of this process show it. */
export const localTime = (ms: number): string => isoTime(toClock(ms, null)).slice(0, 16);

/** The user's day: `2026-09-01` in the zone of this process. */
export const localDate = (ms: number): string => localTime(ms).slice(0, 10);

/** Name of this process's zone. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
