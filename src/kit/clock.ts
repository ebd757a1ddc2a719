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

/**
 * Reads CONTINUITY_NOW: epoch milliseconds or ISO 8601.
 * Returns null when absent or unreadable, so that a bad value never stops a hook.
 */
export function parseNow(text: string | undefined): number | null {
  if (text === undefined || text === "") return null;
  const ms = /^-?\d+$/.test(text) ? Number(text) : Date.parse(text);
  return Number.isFinite(ms) ? ms : null;
}

/** `2026-09-01` for an epoch, in UTC, so that the same store renders the same bytes everywhere. */
export const isoDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Full ISO 8601 in UTC. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
