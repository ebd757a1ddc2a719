/** Time as a dependency. Nothing outside kit/ reads the system clock. */

export interface Clock {
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
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

// The user's days: clocks of a zone. Times are stored in UTC; what people say and read is by the clock where they
// are.

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

/**
 * `fromClock` gives the time at which the clock of a zone shows this. An hour that summer time
 * leaves out is taken for the one after it.
 */
export function fromClock(shownMs: number, zone: string | null): number {
  const before = shownMs - offsetMs(shownMs - 43_200_000, zone);
  if (toClock(before, zone) === shownMs) return before;
  const after = shownMs - offsetMs(shownMs + 43_200_000, zone);
  return toClock(after, zone) === shownMs ? after : before;
}

/** Start of the day of a zone in which `ms` lies, or of the day that many days later. */
export const dayStart = (ms: number, zone: string | null = null, later = 0): number =>
  fromClock((Math.floor(toClock(ms, zone) / msPerDay) + later) * msPerDay, zone);

export type ZoneOffsets = readonly { readonly fromMs: number; readonly aheadMs: number }[];

/** Times from which a zone's clocks are ahead of UTC by so much, the first at `sinceMs`; to the minute. */
export function offsetsOf(sinceMs: number, untilMs: number, zone: string | null): ZoneOffsets {
  const found = [{ fromMs: sinceMs, aheadMs: offsetMs(sinceMs, zone) }];
  for (let at = sinceMs + msPerDay; at < untilMs + msPerDay; at += msPerDay) {
    const aheadMs = offsetMs(at, zone);
    if (aheadMs === found.at(-1)?.aheadMs) continue;
    let [before, after] = [at - msPerDay, at];
    while (after - before > msPerMinute) {
      const middle = Math.floor((before + after) / 2);
      if (offsetMs(middle, zone) === aheadMs) after = middle;
      else before = middle;
    }
    found.push({ fromMs: Math.ceil(before / msPerMinute) * msPerMinute, aheadMs });
  }
  return found;
}

/** Name of the zone of a process, or of a browser. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

// Times and zone of this machine without the runtime's own, which loads data of every zone first and takes longer for
// it than an empty program runs (4.7 ms and 4.1, measured). A zone that TZ names is left to the runtime, which knows it
// without files.

/** `2026-09-01T14:05`. */
export function localTime(ms: number): string {
  if (process.env["TZ"]) return byRuntime(ms);
  clock ??= openClock();
  return clock(ms) ?? byRuntime(ms);
}

/** The user's day: `2026-09-01`. */
export const localDate = (ms: number): string => localTime(ms).slice(0, 10);

const byRuntime = (ms: number): string => isoTime(toClock(ms, null)).slice(0, 16);

let clock: ((ms: number) => string | null) | null = null;

/** SQLite asks the C library, which reads one zone's file. Null for years that it does not know. */
function openClock(): (ms: number) => string | null {
  const { Database } = process.getBuiltinModule("bun:sqlite") as typeof import("bun:sqlite");
  const statement = new Database(":memory:").prepare<{ readonly at: string | null }, [number]>(
    "SELECT strftime('%Y-%m-%dT%H:%M', ?, 'unixepoch', 'localtime') AS at",
  );
  return (ms) => statement.get(Math.floor(ms / 1_000))?.at ?? null;
}

/** Link to the zone's file; its target ends with the zone's name on Linux and macOS. */
const zoneLink = "/etc/localtime";

/** Name of the zone of this machine. */
export function localZone(): string {
  if (process.env["TZ"]) return ownZone();
  try {
    const target = process.getBuiltinModule("node:fs").readlinkSync(zoneLink);
    return /zoneinfo\/(.+)$/.exec(target)?.[1] ?? ownZone();
  } catch {
    return ownZone(); // No link there: Windows, or a machine that keeps a copy of the file.
  }
}

/** Resolves in the next turn of the event loop, so that a hook that waits goes first. */
export const letOthersIn = (): Promise<void> =>
  new Promise((resolve) => void setImmediate(resolve));
