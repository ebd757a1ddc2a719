/**
 * The hard tokens of a sentence: numbers with their units, times, dates, versions, and identifiers. They decide
 * whether two statements can say the same thing, and whether a sentence is concrete enough to be a fact.
 * Pure; every pattern is bounded, so that reading is linear in the text.
 */
import { memoised } from "#kit";

type ValueKind = "time" | "date" | "duration" | "size" | "percent" | "version" | "money" | "number";

interface Value {
  readonly kind: ValueKind;
  /** Comparable form: `time:03:15`, `duration:86400` (seconds), `size:358400`, `number:15`. */
  readonly canonical: string;
  readonly text: string;
  readonly index: number;
}

const secondsByUnit: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  sec: 1,
  second: 1,
  m: 60,
  min: 60,
  minute: 60,
  h: 3_600,
  hr: 3_600,
  hour: 3_600,
  d: 86_400,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
  year: 31_536_000,
  millisecond: 0.001,
};

const bytesByUnit: Readonly<Record<string, number>> = {
  b: 1,
  byte: 1,
  kb: 1_000,
  mb: 1_000_000,
  gb: 1_000_000_000,
  tb: 1_000_000_000_000,
  kib: 1_024,
  mib: 1_048_576,
  gib: 1_073_741_824,
  tib: 1_099_511_627_776,
};

const numberWords: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
  hundred: 100,
};

const numberWord = Object.keys(numberWords).join("|");
const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const monthWord =
  "january|february|march|april|may|june|july|august|september|october|november|december|" +
  "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec";
const unitWord =
  "milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|min|m|hours?|hrs?|h|days?|d|weeks?|months?|years?|" +
  "[kmgt]i?b|bytes?|%|percent|cents?|euros?|dollars?|usd|eur";

/** One alternative per kind, most specific first. `y` is not used: matchAll walks the text once. */
const pattern = new RegExp(
  [
    String.raw`(?<iso>\b\d{4}-\d{2}-\d{2}\b)`,
    String.raw`(?<dayfirst>\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${monthWord})\b(?! \d{1,2}\b)|` +
      String.raw`\b(?:${monthWord})\.? \d{1,2}(?:st|nd|rd|th)?\b(?![:.]))`,
    String.raw`(?<clock>\b(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\s?[ap]m\b)?)`,
    String.raw`(?<meridiem>\b(?:1[0-2]|[1-9])\s?[ap]m\b)`,
    String.raw`(?<halfpast>\b(?:half|quarter) past (?:${numberWord})\b)`,
    String.raw`(?<version>\bv?\d{1,4}(?:\.\d{1,5}){2,3}\b|(?<![\p{L}\p{N}_/.-])v\d{1,4}(?:\.\d{1,4})?\b)`,
    String.raw`(?<amount>(?<![\p{L}\p{N}_-])[$€£]?\d{1,12}(?:[.,]\d{1,6})*[k]?)` +
      String.raw`(?:[ \u00a0-]?(?<unit>${unitWord})(?![\p{L}\p{N}_]))?`,
    String.raw`\b(?<word>${numberWord})\b(?:[ -](?<wordunit>${unitWord})\b)?`,
    String.raw`\b(?:a|an) (?<single>day|week|hour|minute)\b(?! (?:of|off|ago))`,
  ].join("|"),
  "giu",
);

/** Every value of a text in order. */
export const valuesOf = memoised((text: string): readonly Value[] => {
  const found: Value[] = [];
  for (const match of text.matchAll(pattern)) {
    const value = readValue(match);
    if (value !== null) found.push({ ...value, text: match[0], index: match.index });
  }
  return found;
});

/** A value without its place in the text. */
interface Reading {
  readonly kind: Value["kind"];
  readonly canonical: string;
}

/** The reader of each named group of the pattern; the first that matched decides. */
const readers: readonly (readonly [string, (groups: Groups, text: string) => Reading | null])[] = [
  ["iso", (_, text) => ({ kind: "date", canonical: `date:${text}` })],
  ["dayfirst", (_, text) => dayOfMonth(text)],
  ["clock", (_, text) => timeOfDay(text)],
  ["meridiem", (_, text) => timeOfDay(text)],
  ["halfpast", (_, text) => spokenTime(text)],
  ["version", (_, text) => ({ kind: "version", canonical: `version:${text.replace(/^v/, "")}` })],
  ["single", (groups) => measured(1, groups["single"])],
  ["word", (groups) => spokenNumber(groups)],
  ["amount", (groups) => readAmount(groups["amount"] ?? "", groups["unit"])],
];

type Groups = Readonly<Record<string, string | undefined>>;

function readValue(match: RegExpMatchArray): Reading | null {
  const groups: Groups = match.groups ?? {};
  const reader = readers.find(([name]) => groups[name] !== undefined);
  return reader === undefined ? null : reader[1](groups, match[0].toLowerCase());
}

/** "one of them", "one" alone is a pronoun far more often than a number. */
function spokenNumber(groups: Groups): Reading | null {
  const word = (groups["word"] ?? "").toLowerCase();
  const unit = groups["wordunit"];
  return word === "one" && unit === undefined ? null : measured(numberWords[word] ?? 0, unit);
}

const readAmount = (raw: string, unit: string | undefined): Reading => {
  const thousands = /k$/i.test(raw) ? 1_000 : 1;
  const digits = raw.replace(/[$€£k]/gi, "");
  const plain = /^\d{1,3}(?:,\d{3})+$/.test(digits) ? digits.replaceAll(",", "") : digits;
  const amount = Number(plain.replace(",", ".")) * thousands;
  // Two dots or the like: not a number, but still a hard token.
  if (!Number.isFinite(amount)) return { kind: "version", canonical: `version:${digits}` };
  if (/[$€£]/.test(raw)) return { kind: "money", canonical: `money:${amount}` };
  return measured(amount, unit);
};

const measured = (amount: number, unit: string | undefined): Reading => {
  if (unit === undefined) return { kind: "number", canonical: `number:${amount}` };
  const name = unit.toLowerCase();
  if (name === "%" || name === "percent")
    return { kind: "percent", canonical: `percent:${amount}` };
  if (/^(?:cents?|euros?|dollars?|usd|eur)$/.test(name))
    return { kind: "money", canonical: `money:${amount}${name.replace(/s$/, "")}` };
  const singular = name.length > 2 && name !== "ms" ? name.replace(/s$/, "") : name;
  const seconds = Object.hasOwn(secondsByUnit, singular) ? secondsByUnit[singular] : undefined;
  if (seconds !== undefined)
    return { kind: "duration", canonical: `duration:${round(amount * seconds)}` };
  const bytes = Object.hasOwn(bytesByUnit, singular) ? bytesByUnit[singular] : undefined;
  if (bytes !== undefined) return { kind: "size", canonical: `size:${round(amount * bytes)}` };
  return { kind: "number", canonical: `number:${amount}` };
};

const round = (amount: number): number => Math.round(amount * 1_000) / 1_000;

const timeOfDay = (text: string): Reading => {
  const [hoursText = "0", minutesText = "0"] = text.replace(/\s?[ap]m$/, "").split(":");
  const isAfternoon = text.endsWith("pm") && Number(hoursText) < 12;
  const isMidnight = text.endsWith("am") && Number(hoursText) === 12;
  const hours = isMidnight ? 0 : Number(hoursText) + (isAfternoon ? 12 : 0);
  return { kind: "time", canonical: `time:${pad(hours)}:${pad(Number(minutesText))}` };
};

const spokenTime = (text: string): Reading => {
  const [part = "", , hour = ""] = text.split(" ");
  const minutes = part === "half" ? 30 : 15;
  return { kind: "time", canonical: `time:${pad(numberWords[hour] ?? 0)}:${pad(minutes)}` };
};

const dayOfMonth = (text: string): Reading => {
  const day = Number(/\d{1,2}/.exec(text)?.[0] ?? 0);
  const month = months.findIndex((name) => new RegExp(`\\b${name}`).test(text)) + 1;
  return { kind: "date", canonical: `date:${pad(month)}-${pad(day)}` };
};

const pad = (n: number): string => String(n).padStart(2, "0");

/**
 * Names in code, addresses, paths, channels and handles: `payout_lock_wait_ms`, `#fin-recon`, `s3://x`, `@orbit/kit`.
 */
const identifierPattern = new RegExp(
  [
    /[a-z][a-z0-9+.-]{1,9}:\/\/[^\s)>\]"'`,]{1,200}/u,
    /[#@][\p{L}\p{N}][\p{L}\p{N}_/.-]{0,80}/u,
    /[\p{L}\p{N}_.$][\p{L}\p{N}_$./@+-]{1,80}/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "giu",
);

/** Everyday words that only look like identifiers. */
const everydayCompound = new RegExp(
  String.raw`^(?:e\.g|i\.e|etc|and/or|his/her|he/she|a\.m|p\.m|vs|n/a|w/o|read/write|day/month|yes/no|on/off|24/7)\.?$`,
  "i",
);

/** Identifiers of a text, lower case, in order, without duplicates. */
export const identifiersOf = memoised((text: string): readonly string[] => {
  const found = new Set<string>();
  for (const [raw] of text.matchAll(identifierPattern)) {
    const token = raw.replace(/[.,:;/+-]+$/, "");
    if (isIdentifier(token)) found.add(token.toLowerCase());
  }
  return [...found];
});

/** True for a token that people would put into backticks. */
function isIdentifier(token: string): boolean {
  if (token.length < 2 || everydayCompound.test(token)) return false;
  if (/:\/\//.test(token) || /^[#@]\p{L}/u.test(token)) return true;
  if (/^[\d.,:/%+-]+$/.test(token)) return false;
  if (/^\d+(?:ms|s|m|h|d|x|k|am|pm|[kmgt]i?b|%|st|nd|rd|th)$/i.test(token)) return false;
  return (
    /^\p{Ll}{2}-\p{Lu}{2}$/u.test(token) ||
    /\p{L}_|_\p{L}|\p{L}\d|\d\p{L}/u.test(token) ||
    /\p{Ll}\p{Lu}/u.test(token) ||
    /\p{L}[./]\p{L}/u.test(token) ||
    /[\p{L}\p{N}]-[\p{L}\p{N}]{1,30}-|[\p{L}]-\d/u.test(token)
  );
}
