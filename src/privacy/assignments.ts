/**
 * Values given to names that promise a secret: env lines, JSON, YAML, code, flags, XML and plain sentences, and names
 * and values that stand in fields of their own.
 *
 * Finds name, joint and value around each telling word, every character a bounded number of times; judge.ts says
 * whether the value is a secret.
 */
import { memoised } from "#kit";
import { type Assignment, isSecret, type Joint, kindOf, promiseOf, type Trust } from "./judge.ts";
import {
  createRunEnds,
  type Detector,
  type Haystack,
  hits,
  isWordCode,
  matchAt,
  type Shape,
  type Span,
  valuesOf,
} from "./spans.ts";
import { hasLetterAndDigit, isMadeOfWords, isRandom } from "./values.ts";

/** Every name that promiseOf accepts holds one of these. */
export const tellingWords: readonly string[] = (
  "key|token|secret|passw|passphrase|passcode|pass|pwd|cred|auth|jwt|otp|_pat|pat=|pin=|pin:|psk|pw:|" +
  "pw=|pw is"
).split("|");

const nameCharsMax = 64;
/** Enough of a value to judge it by. */
const valueCharsMax = 160;

/** A name as it stands in a text. */
interface Named {
  readonly text: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export const detectAssignments: Detector = (hay) => {
  const positions = hits(hay, tellingWords)
    .toSorted((a, b) => a - b)
    .filter((at, index, all) => at - (all[index - 1] ?? -2) > 1); // `_pat` holds `pat=`.
  const tokenEnd = createRunEnds(hay.text, isTokenCode);
  // The same names come again and again in one text.
  const promiseTo = memoised(promiseOf);
  const spans: Span[] = [];
  let reached = 0;
  for (const [index, at] of positions.entries()) {
    if (at < reached || isNoName(hay.text, at, positions[index + 1])) continue;
    const [start, end] = nameAround(hay.text, at);
    reached = Math.max(end, at + 1);
    const name = nameWithHead(hay.text, start, end);
    const promise = promiseTo(name);
    const found = promise === null ? null : assignmentAt({ text: hay.text, name, start, end });
    if (found === null || promise === null || !isSecret(found, promise)) continue;
    const cut = found.start + found.value.length;
    const whole = found.value.length < valueCharsMax ? cut : tokenEnd(cut);
    const rest = continuations(hay.text, whole);
    for (const span of [{ start: found.start, end: whole }, ...rest]) {
      spans.push({ ...span, kind: kindOf(promise) });
      reached = Math.max(reached, span.end);
    }
  }
  return spans;
};

/** The rest of a value that goes on in the next line: `"…" +` and another string, or a backslash at the end. */
const nextString =
  /["'`]\s{0,3}(?:\+|\.|\\|&|\.\.)?[ \t]{0,4}\r?\n\s{0,40}(?:\+|\.|&)?\s{0,3}["'`]([^"'`\r\n]{1,200})(?=["'`])/y;
const nextLine = /(?:(?<=\\)|\\)\r?\n([^\s"'`\\]{1,200})/y;
const continuationsMax = 10;

function continuations(text: string, from: number): readonly Omit<Span, "kind">[] {
  const spans: Omit<Span, "kind">[] = [];
  let at = from;
  for (let line = 0; line < continuationsMax; line += 1) {
    const match = matchAt(nextString, text, at) ?? matchAt(nextLine, text, at);
    if (match === null) break;
    const end = at + match[0].length;
    spans.push({ start: end - (match[1] ?? "").length, end });
    at = end;
  }
  return spans;
}

/** A value longer than the window goes on to the next blank or quote. */
const isTokenCode = (code: number): boolean =>
  code > 32 && code !== 34 && code !== 39 && code !== 96;

/** Repeated, or the kind of thing that an address names: "arn:aws:secretsmanager:…:secret:prod". */
const isNoName = (text: string, at: number, next: number | undefined): boolean =>
  isRepeated(text, at, next) ||
  (text[at - 1] === ":" &&
    /(?<![\w:])arn:[\w:*-]{1,80}:$/.test(text.slice(Math.max(0, at - 96), at)));

const isNameCode = (code: number): boolean => isWordCode(code) || code === 45 || code === 46;

/** In `pw:pw:pw:…` only the last ones matter, and judging each would take long. */
function isRepeated(text: string, at: number, next: number | undefined): boolean {
  if (next === undefined || next - at > 24) return false;
  const unit = text.slice(at, next);
  return text.startsWith(unit + unit + unit, next);
}

function nameAround(text: string, at: number): readonly [number, number] {
  let start = at;
  let end = at;
  while (start > 0 && at - start < nameCharsMax && isNameCode(text.charCodeAt(start - 1)))
    start -= 1;
  while (end < text.length && end - at < nameCharsMax && isNameCode(text.charCodeAt(end))) end += 1;
  return [start, end];
}

/** The marks that may close a quoted or indexed name: `"token"`, `["token"]`, `\"token\"`, `**Token**`. */
const nameEnd = String.raw`(?:[\\"'\x60\]*)]){0,4}`;
const purpose = String.raw`(?:\s{1,2}(?:for|of|on|in|to|at)\s[\w.@ -]{1,40}?|\s{0,2}\([^()\n]{1,30}\))?`;
const opening = String.raw`(?:[\\]{0,2}["'\x60]{1,3}|\*\*)?`;
const assigned = new RegExp(
  `${nameEnd}([ \\t]{0,20})(?:=>|:=|\\?=|\\+=|={1,3}|:|\\|\\|=|\\?\\?=)(?:\\s{0,2}[|>][+-]?\\s{1,20}` +
    `|[ \\t]{0,40})(${opening})`,
  "y",
);
const typed = new RegExp(`${nameEnd}\\??:\\s{0,3}[A-Za-z]{3,10}\\s{0,3}=\\s{0,3}(${opening})`, "y");
const said = new RegExp(
  `${nameEnd}${purpose}(?:\\s{1,2}(?:is|was|equals|will be|should be|changed to|set to)` +
    `(?::|\\s+now)?\\s{1,3}|\\s{0,2}(?:[:=]|->|→|=>)\\s{1,3})(${opening})`,
  "iy",
);
const listed = new RegExp(`(?:["'\\x60]\\s{0,3},|\\()\\s{0,3}([\\\\]{0,2}["'\\x60])`, "y");
const flagged = new RegExp(`[ \\t]{1,4}(${opening})`, "y");

/** The first joint that fits, if any. */
function assignmentAt(named: Named): Assignment | null {
  const { text, start, end } = named;
  if (text[start - 1] === "<" && text[end] === ">") return elementOf(named);
  const isFlag = text.startsWith("-", start) && end - start > 3;
  const equals = matchAt(typed, text, end) ?? matchAt(assigned, text, end);
  if (equals !== null) {
    const tight = text[end] === "=" && equals[1] === "";
    const joint = isFlag ? "flag" : tight ? "env" : "code";
    return read(named, joint, [end + equals[0].length, equals.at(-1) ?? ""]);
  }
  return isFlag
    ? readAfter(named, "flag", flagged)
    : (readAfter(named, "list", listed) ?? readAfter(named, "said", said));
}

/** The value of an element; null where no end tag follows, as in `Map<Secret>, other: Map<…>`. */
function elementOf(named: Named): Assignment | null {
  const element = read(named, "element", [named.end + 1, ""]);
  const end = element.start + element.value.length;
  const isCut = element.value.length >= valueCharsMax;
  return isCut || endTag.test(named.text.slice(end, end + valueCharsMax)) ? element : null;
}
/** An end tag, perhaps on its own line, or the end of a text that was cut. */
const endTag = /^\s*(?:<\/|$)/;

function readAfter(named: Named, joint: Joint, pattern: RegExp): Assignment | null {
  const match = matchAt(pattern, named.text, named.end);
  return match === null ? null : read(named, joint, [named.end + match[0].length, match[1] ?? ""]);
}

/** "my api key is …": a lone `key` takes the word before it. */
function nameWithHead(text: string, start: number, end: number): string {
  const name = text.slice(start, end).replace(/^[-.]+/, "");
  if (name.length > 4) return name;
  const head = /([A-Za-z]{2,15})[ \t]$/.exec(text.slice(Math.max(0, start - 16), start))?.[1];
  return head === undefined ? name : `${head}-${name}`;
}

/** `opening`: where the value begins, and the quote before it. */
function read(named: Named, joint: Joint, [at, opening]: readonly [number, string]): Assignment {
  const quote = opening.at(-1) ?? "";
  const isQuoted = quote !== "" && quote !== "*";
  const window = named.text.slice(at, at + valueCharsMax);
  const value =
    (isQuoted ? untilQuote(window, quote, opening.startsWith("\\")) : null) ??
    untilClosed(untilBlank(window, joint), window, named);
  const quoted = isQuoted && (quote !== "`" || isValueSpan(named.name, value));
  const isWholeLine = (): boolean => /^[ \t]*(?:\r?\n|$)/.test(window.slice(value.length));
  return { name: named.name, joint, quoted, value, start: at, isWholeLine };
}

/**
 * "The api key is `A1b2C3d4E5`", unlike "the checks pass: `area: text`" and "creds → `Lookup`": behind a word that says
 * other things as well, a code span is a value only where it is made of no words and no code.
 */
const isValueSpan = (name: string, value: string): boolean =>
  /passw|pwd|_pass|phrase|secret/i.test(name) ||
  (hasLetterAndDigit(value) && !isMadeOfWords(value) && !/[\s()[\]{}<>]/.test(value));

function unescapedIndex(text: string, quote: string): number {
  let at = text.indexOf(quote);
  while (at > 0 && text[at - 1] === "\\") at = text.indexOf(quote, at + 1);
  return at;
}

/** Up to the closing quote on the same line; null when it never closes (then the value was cut). */
function untilQuote(window: string, quote: string, escaped: boolean): string | null {
  // `"a\"b"` holds a quote; in `\"a\"` (JSON within JSON) the backslash belongs to the closing one.
  const end = escaped ? window.indexOf(quote) : unescapedIndex(window, quote);
  if (end === -1) return null;
  const value = escaped ? window.slice(0, end).replace(/\\+$/, "") : window.slice(0, end);
  return /[\r\n]/.test(value) ? null : value;
}

const stops: Readonly<Record<Joint, RegExp>> = {
  env: /^(?:[^\s"'`\\&;]|\\(?![nrt"']))*/,
  flag: /^(?:[^\s"'`\\;|]|\\(?![nrt"']))*/,
  code: /^(?:[^\s"'`\\,;]|\\(?![nrt"']))*/,
  said: /^[^\s"'`,;]*/,
  list: /^[^\s"'`,;]*/,
  element: /^[^<\r\n]*/,
};

const untilBlank = (window: string, joint: Joint): string =>
  (stops[joint].exec(window)?.[0] ?? "").replace(
    joint === "env" || joint === "flag" ? /[,)\]}]+$/ : /[.,;:!?)\]}*]+$/,
    "",
  );

const closingOf: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]" };
const closings: ReadonlySet<string> = new Set(Object.values(closingOf));

/** The bracket that stands open before a name, on its line: `{` in `Auth{User: u, Password: p}`. */
function openBefore({ text, start }: Named): string {
  const closed: string[] = [];
  for (let at = start - 1; at >= 0 && start - at <= lookBehind; at -= 1) {
    const sign = text[at] ?? "";
    if (sign === "\n") break;
    if (closings.has(sign)) closed.push(sign);
    const closing = closingOf[sign];
    if (closing !== undefined && closed.pop() !== closing) return sign;
  }
  return "";
}

/** A value without what follows the end of the brackets that it stands in: behind it, or else within it. */
function untilClosed(value: string, window: string, named: Named): string {
  if (!/[)\]}]/.test(value)) return value;
  const opened = openBefore(named);
  const closing = closingOf[opened];
  if (window[value.length] === closing) return value;
  const end = closing === undefined ? -1 : value.indexOf(closing);
  return end <= 0 || value.slice(0, end).includes(opened) ? value : value.slice(0, end);
}

// Names and values that stand in fields of their own: `name: DB_PASSWORD`, `value: X`; Terraform variables; `.pgpass`
// lines.

const nameBefore =
  /(?:name|key|variable)\\?["']?[ \t]{0,3}[:=][ \t]{0,3}\\?["']?([\w.-]{3,64})\\?["']?,?\s{0,40}(?:-\s)?\\?["']?$/i;
const valueAfter = /value\\?["']?[ \t]{0,3}[:=][ \t]{0,3}(\\?["']?)([^\s"',}\\]{4,300})/iy;
/** Enough to see the name in the field before. */
const lookBehind = 140;

const variable =
  /variable\s+"([\w-]{1,64})"\s{0,3}\{([^{}]{0,600}?)\bdefault\s{0,20}=\s{0,3}"([^"\n]{1,200})"/y;
const pgpass = /(?<![^\s])[\w.*-]{1,100}:(?:5432|\*):[\w*-]{1,60}:[\w*-]{1,60}:(\S{4,100})/y;

export const detectStructures: Detector = (hay) => [
  ...fields(hay),
  ...variables(hay),
  ...passFiles(hay),
  ...valuesOf(hay, [registry]),
];

/** The value of a field, if it is a secret. */
const secretAt = (field: Omit<Assignment, "isWholeLine">, trust: Trust): readonly Span[] =>
  isSecret({ ...field, isWholeLine: () => true }, trust)
    ? [{ start: field.start, end: field.start + field.value.length, kind: kindOf(trust) }]
    : [];

function fields(hay: Haystack): readonly Span[] {
  return hits(hay, ["value"]).flatMap((at): readonly Span[] => {
    const match = matchAt(valueAfter, hay.text, at);
    const name =
      match === null
        ? undefined
        : nameBefore.exec(hay.text.slice(Math.max(0, at - lookBehind), at))?.[1];
    const value = match?.[2];
    const trust = name === undefined ? null : promiseOf(name);
    if (match === null || name === undefined || value === undefined || trust === null) return [];
    const start = at + match[0].length - value.length;
    return secretAt({ name, joint: "env", quoted: match[1] !== "", value, start }, trust);
  });
}

function variables(hay: Haystack): readonly Span[] {
  return hits(hay, ['variable "']).flatMap((at): readonly Span[] => {
    const match = matchAt(variable, hay.text, at);
    const [, name = "", , value = ""] = match ?? [];
    const trust = promiseOf(name);
    if (match === null || trust === null) return [];
    const start = at + match[0].length - value.length - 1;
    return secretAt({ name, joint: "code", quoted: true, value, start }, trust);
  });
}

/** Docker's configuration: `{"auths": {"registry": {"auth": "X"}}}`. */
const registry: Shape = {
  anchors: ['"auth'],
  pattern: /"auth\\?"\s{0,3}:\s{0,3}\\?"([A-Za-z0-9+/_-]{16,4000}={0,2})\\?"/y,
  kind: "registry-auth",
  isIt: (value) => isRandom(value, 16, 3),
};

/** `host:port:database:user:password` */
function passFiles(hay: Haystack): readonly Span[] {
  return hits(hay, [":5432:", ":*:"]).flatMap((at): readonly Span[] => {
    const from = hay.text.slice(Math.max(0, at - 100), at).search(/\S+$/);
    if (from === -1) return [];
    const match = matchAt(pgpass, hay.text, Math.max(0, at - 100) + from);
    const value = match?.[1];
    if (match === null || value === undefined) return [];
    const end = match.index + match[0].length;
    return [{ start: end - value.length, end, kind: "password" }];
  });
}
