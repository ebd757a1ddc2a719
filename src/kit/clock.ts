/** Time as a dependency. Nothing outside kit/ reads the system clock. */
export interface Clock {
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

export interface ClockDep {
  readonly clock: Clock;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/** A clock that only moves when a test says so. */
export const stoppedClock = (
  startMs: number,
): Clock & { readonly advance: (ms: number) => void } => {
  let nowMs = startMs;
  return { nowMs: () => nowMs, advance: (ms) => void (nowMs += ms) };
};

export const msPerSecond = 1_000;
export const msPerMinute = 60_000;
export const msPerHour = 3_600_000;
export const msPerDay = 86_400_000;

/** Years 1 to 9999: what has a date of ten characters, and is a whole number in every program on the way. */
const firstMs = Date.parse("0001-01-01T00:00:00Z");
const lastMs = Date.parse("9999-12-31T23:59:59.999Z");

/** True for a time that can be written down: whole milliseconds in the years 1 to 9999. */
export const isTime = (ms: number): boolean =>
  Number.isInteger(ms) && ms >= firstMs && ms <= lastMs;

/**
 * Reads CONTINUITY_NOW: epoch milliseconds or ISO 8601.
 * Returns null when absent, unreadable or beyond the calendar, so that a bad value never stops a hook.
 */
export function parseNow(text: string | undefined): number | null {
  if (text === undefined || text === "") return null;
  const ms = /^-?\d+$/.test(text) ? Number(text) : Date.parse(text);
  return isTime(ms) ? ms : null;
}

/** `2026-09-01` for an epoch, in UTC, so that the same store renders the same bytes everywhere. */
export const isoDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Full ISO 8601 in UTC. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

// Spans of time as people write them.

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
