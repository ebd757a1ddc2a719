/** Numbers, times, days and places in few characters. Pure but for the clock of `ago`. */
import { type Category, causeWords, type NodeStatus } from "#domain";
import { msPerDay, msPerHour, msPerMinute, parseNow, systemClock } from "#kit";

const dayFormat = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const yearFormat = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  year: "numeric",
});
const clockFormat = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const fullFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const numberFormat = new Intl.NumberFormat("en");
const shortFormat = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** `now`, `5m`, `3h`, `2d`, `12 Sep`, `12 Sep 2024`: how long ago, as short as it can be said. */
export function ago(ms: number): string {
  const past = systemClock.nowMs() - ms;
  if (past < msPerMinute) return "now";
  if (past < msPerHour) return `${Math.floor(past / msPerMinute)}m`;
  if (past < msPerDay) return `${Math.floor(past / msPerHour)}h`;
  if (past < 7 * msPerDay) return `${Math.floor(past / msPerDay)}d`;
  return past < 300 * msPerDay ? dayFormat.format(ms) : yearFormat.format(ms);
}

export const clockTime = (ms: number): string => clockFormat.format(ms);
export const fullTime = (ms: number): string => fullFormat.format(ms);
export const dayName = (ms: number): string => yearFormat.format(ms);

export const count = (value: number): string => numberFormat.format(value);
/** `1.2K`. */
export const short = (value: number): string => shortFormat.format(value);
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** `1.5 MB`. */
export function bytes(value: number): string {
  const units = ["B", "KB", "MB", "GB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
  const scaled = value / 1_000 ** power;
  return `${scaled.toFixed(power === 0 || scaled >= 100 ? 0 : 1)} ${units[power] ?? ""}`;
}

/** `4 min`, `2 h 10 min`. */
export function span(ms: number): string {
  if (ms < msPerMinute) return `${Math.max(0, Math.round(ms / 1_000))} s`;
  if (ms < msPerHour) return `${Math.round(ms / msPerMinute)} min`;
  const hours = Math.floor(ms / msPerHour);
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  const minutes = Math.round((ms % msPerHour) / msPerMinute);
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
}

/** Keys of folders without a remote: a hash of the path. */
const folderKey = /^dir:/;
const hashCharsShown = 8;

export const isFolder = (key: string): boolean => folderKey.test(key);

/** `acme/shop` for `github.com/acme/shop`: what people call it. A folder's key says nothing; `names` may know it. */
export function projectName(
  key: string,
  names: readonly { readonly key: string; readonly name: string }[] = [],
): string {
  const parts = key.split("/").filter(Boolean);
  const name = names.find((one) => one.key === key)?.name;
  // A name that a person gave; any other is the end of the key.
  if (!isFolder(key))
    return name !== undefined && name !== parts.at(-1) ? name : parts.slice(-2).join("/") || key;
  const hash = key.slice(key.indexOf(":") + 1).slice(0, hashCharsShown);
  const isShared = names.some((one) => one.key !== key && one.name === name);
  return name === undefined ? `folder ${hash}` : isShared ? `${name}:${hash}` : name;
}

/** Names of categories, as people say them. */
export const categoryNames: Readonly<Record<Category, string>> = {
  profile: "About you",
  preferences: "Preferences",
  entities: "Facts",
  events: "Decisions",
  patterns: "Rules",
  cases: "Fixes",
  sessions: "Conversations",
};

const { sessions: _sessions, ...movable } = categoryNames;
/** Categories that a memory may be moved to, with their names. */
export const categoryOptions = movable;

/** States of memories, as people say them. */
export const statusNames: Readonly<Record<NodeStatus, string>> = {
  active: "Current",
  superseded: "Replaced",
  pending: "To review",
  retracted: "Retracted",
};

/** Says how something was sent when no prompt asked for it; null at a prompt. */
export function occasionOf(channel: string, cause: string): string | null {
  if (channel === "tool") return tools[cause] ?? "A tool failed";
  const name = occasions[channel];
  if (name === undefined) return null;
  return cause === "" || cause === "startup" ? name : `${name}: ${causeWords(cause)}`;
}

const tools: Readonly<Partial<Record<string, string>>> = {
  file: "A file was opened",
  "": "Beside a tool",
};

const occasions: Readonly<Partial<Record<string, string>>> = {
  start: "Session start",
  subagent: "Subagent",
  hint: "Hint to save",
};

const fields: Readonly<Partial<Record<string, string>>> = {
  aliases: "other words for search",
  valid_to: "valid until",
  valid_from: "valid from",
  expires_at: "expires",
  superseded_by: "replaced by",
};

/** `fieldName` is the name of a memory's field for people. Pure. */
export const fieldName = (name: string): string => fields[name] ?? name.replaceAll("_", " ");

const timeFields: ReadonlySet<string> = new Set(["valid_to", "valid_from", "expires_at"]);

/** The value of a field in a history: times as times. */
export function fieldValue(name: string, json: string | null): string {
  const ms = Number(json ?? "");
  return timeFields.has(name) && ms > 0 ? fullTime(ms) : worded(json);
}

/** A value that is given as JSON text, in a person's words: `a, b` for `["a","b"]`, `–` for none. */
export function worded(json: string | null): string {
  const value = parsed(json) ?? [];
  const words: readonly unknown[] = Array.isArray(value) ? value : [value];
  const text = words.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(", ");
  return text === "" ? "–" : text;
}

function parsed(json: string | null): unknown {
  try {
    return JSON.parse(json ?? "null");
  } catch {
    return json; // Words already.
  }
}

/** The last part of a memory's place. */
export const leafName = (uri: string): string => uri.split("/").findLast(Boolean) ?? uri;

const isoFormat = new Intl.DateTimeFormat("en-CA");

export const dayOf = (ms: number): string => isoFormat.format(ms);
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
