/**
 * Values given to names that promise a secret: env lines, JSON, YAML, code, flags, XML and plain sentences.
 *
 * Reads name, joint and value by hand around each telling word, every character a bounded number of times.
 */
import { promiseOf } from "./names.ts";
import type { Trust } from "./names.ts";
import { entropyOf, hits, matchAt } from "./spans.ts";
import type { Detector, Haystack, Span } from "./spans.ts";
import {
  hasLetterAndDigit,
  isDigest,
  isHarmless,
  isJargon,
  isMadeOfWords,
  isPlace,
  isPlainWord,
  isRandom,
  isReference,
  isUuid,
} from "./values.ts";

/** Every name that promiseOf accepts holds one of these. */
export const tellingWords: readonly string[] = [
  "key",
  "token",
  "secret",
  "passw",
  "passphrase",
  "passcode",
  "pass",
  "pwd",
  "cred",
  "auth",
  "jwt",
  "otp",
  "_pat",
  "pat=",
  "pin=",
  "pin:",
  "pw:",
  "pw=",
  "pw is",
];

const nameCharsMax = 64;
const valueCharsMax = 1_000;

/** How name and value are joined, which says how much to believe. */
type Joint = "env" | "code" | "flag" | "said" | "list" | "element";

interface Assignment {
  readonly name: string;
  readonly joint: Joint;
  readonly quoted: boolean;
  readonly value: string;
  readonly start: number;
  /** The value is all that its line holds after the name. */
  readonly wholeLine: boolean;
}

export const detectAssignments: Detector = (hay) => {
  const spans: Span[] = [];
  for (const word of tellingWords) {
    let reached = 0;
    for (const at of hits(hay, [word])) {
      if (at < reached) continue;
      const [start, end] = nameAround(hay.text, at);
      reached = Math.max(end, at + 1);
      const found = assignmentAt(hay, start, end);
      const promise = found === null ? null : promiseOf(found.name);
      if (found === null || promise === null || !isSecret(found, promise)) continue;
      const kind = promise === "password" ? "password" : "secret";
      spans.push({ start: found.start, end: found.start + found.value.length, kind });
    }
  }
  return spans;
};

const isNameCode = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 95 ||
  code === 45 ||
  code === 46;

function nameAround(text: string, at: number): readonly [number, number] {
  let start = at;
  let end = at;
  while (start > 0 && at - start < nameCharsMax && isNameCode(text.charCodeAt(start - 1)))
    start -= 1;
  while (end < text.length && end - at < nameCharsMax && isNameCode(text.charCodeAt(end))) end += 1;
  return [start, end];
}

/** What may close a quoted or indexed name: `"token"`, `["token"]`, `\"token\"`, `**Token**`. */
const nameEnd = String.raw`(?:[\\"'\x60\]*)]){0,4}`;
const purpose = String.raw`(?:\s{1,2}(?:for|of|on|in|to|at)\s[\w.@ -]{1,40}?|\s{0,2}\([^()\n]{1,30}\))?`;
const opening = String.raw`(?:[\\]{0,2}["'\x60]{1,3}|\*\*)?`;
const assigned = new RegExp(
  `${nameEnd}([ \\t]{0,20})(?:=>|:=|\\?=|\\+=|={1,3}|:|\\|\\|=|\\?\\?=)(?:[ \\t]{0,40}|\\s{0,2}[|>][+-]?\\s{1,20})(${opening})`,
  "y",
);
const typed = new RegExp(`${nameEnd}\\??:\\s{0,3}[A-Za-z]{3,10}\\s{0,3}=\\s{0,3}(${opening})`, "y");
const said = new RegExp(
  `${nameEnd}${purpose}(?:\\s{1,2}(?:is|was|equals|will be|should be|changed to|set to)(?::|\\s+now)?\\s{1,3}|\\s{0,2}(?:[:=]|->|→|=>)\\s{1,3})(${opening})`,
  "iy",
);
const listed = new RegExp(`["'\\x60]\\s{0,3},\\s{0,3}([\\\\]{0,2}["'\\x60])`, "y");
const flagged = new RegExp(`[ \\t]{1,4}(${opening})`, "y");
const element = />/y;

function assignmentAt(hay: Haystack, start: number, end: number): Assignment | null {
  const { text } = hay;
  const name = text.slice(start, end).replace(/^[-.]+/, "");
  if (text[start - 1] === "<" && matchAt(element, text, end) !== null) {
    return read(text, { name, joint: "element", at: end + 1, quote: "" });
  }
  const isFlag = text.startsWith("-", start) && end - start > 3;
  const equals = matchAt(typed, text, end) ?? matchAt(assigned, text, end);
  if (equals !== null) {
    const tight = text[end] === "=" && equals[1] === "";
    const joint = isFlag ? "flag" : tight ? "env" : "code";
    return read(text, { name, joint, at: end + equals[0].length, quote: equals.at(-1) ?? "" });
  }
  for (const [joint, pattern] of [
    ["flag", flagged],
    ["list", listed],
    ["said", said],
  ] as const) {
    if ((joint === "flag") !== isFlag) continue;
    const match = matchAt(pattern, text, end);
    if (match !== null)
      return read(text, { name, joint, at: end + match[0].length, quote: match[1] ?? "" });
  }
  return null;
}

interface Opening {
  readonly name: string;
  readonly joint: Joint;
  /** Where the value begins, behind its quote. */
  readonly at: number;
  readonly quote: string;
}

function read(text: string, opening: Opening): Assignment {
  const { name, joint, at } = opening;
  const quote = opening.quote.at(-1) ?? "";
  const quoted = quote !== "" && quote !== "*";
  const window = text.slice(at, at + valueCharsMax);
  const value = (quoted ? untilQuote(window, quote) : null) ?? untilBlank(window, joint);
  const line = /^[ \t]*(?:\r?\n|$)/.test(window.slice(value.length));
  return { name, joint, quoted, value, start: at, wholeLine: line };
}

/** Up to the closing quote on the same line; null when it never closes (then the value was cut). */
function untilQuote(window: string, quote: string): string | null {
  const end = window.indexOf(quote);
  if (end === -1) return null;
  const value = window.slice(0, end).replace(/\\+$/, "");
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

function isSecret(found: Assignment, promise: Trust): boolean {
  const { value, quoted } = found;
  if (value.length < 4 || isHarmless(value) || isPlainWord(value)) return false;
  if (!quoted && (isCall(found) || /^[/~.]/.test(value))) return false;
  switch (promise) {
    case "password":
      return isPassword(found);
    case "key":
      return isKey(found);
    default:
      return isWeakKey(found);
  }
}

/** Unquoted code: a path of names without digits, or a call. */
const isCall = ({ value, joint }: Assignment): boolean =>
  joint !== "env" && joint !== "element"
    ? isReference(value) &&
      (/[.(\[:>]/.test(value) || joint === "code") &&
      !/^\w*\d\w*$/.test(value) &&
      !(joint === "code" && /^[a-z]+$/.test(value))
    : /^[\w$.]+\(|^\w+(?:\.[A-Za-z_]\w*)+$/.test(value);

const looksLikeSentence = (value: string): boolean =>
  /\s/.test(value) &&
  (/\b(?:must|required|invalid|is|are|at|your|enter|please|the|be|should|a|of|for|not|no|to|and|or)\b/i.test(
    value,
  ) ||
    /[!?.]$/.test(value));

function isPassword(found: Assignment): boolean {
  const { name, joint, quoted, value, wholeLine } = found;
  if (quoted) return !looksLikeSentence(value) && (joint !== "list" || isRandom(value, 8, 2.5));
  if (isJargon(value)) return false;
  const marked = /[\d!@#$%^&*+=]/.test(value);
  switch (joint) {
    case "env":
      return marked || /^[A-Z0-9_.]+$/.test(name) || !isReference(value);
    case "element":
      return !looksLikeSentence(value);
    case "flag":
      return marked || !flagTalk.has(value.toLowerCase());
    case "code":
      return marked
        ? !/^\d{1,3}$/.test(value)
        : (wholeLine && value.length > 5 && !isMadeOfWords(value)) || isYamlPassword(found);
    default:
      return marked && value.length > 5 && !/^\d{1,5}$/.test(value) && !/[()]/.test(value);
  }
}

/** `password: correcthorse` alone on its line. Types and states of a password were sorted out before. */
const isYamlPassword = ({ name, value, wholeLine }: Assignment): boolean =>
  wholeLine && /(?:passw(?:or)?d|pwd|passphrase)$/i.test(name) && /^[a-z]{6,}$/.test(value);

/** Words that follow a flag's name when people talk about it. */
const flagTalk: ReadonlySet<string> = new Set(
  (
    "flag flags option options argument arguments parameter parameters switch is are was and or to from for in on with without of as " +
    "instead value values file prompt when if then but it that this which can must should will does not via by at also only"
  ).split(" "),
);

function isKey(found: Assignment): boolean {
  const { name, joint, quoted, value } = found;
  if (isPlace(value) || (!quoted && isJargon(value))) return false;
  if (quoted || joint === "env" || joint === "element") {
    if (/\s/.test(value)) return false;
    const charsMin = joint === "list" ? 12 : 8;
    if (hasLetterAndDigit(value) && value.length >= charsMin)
      return !(joint === "list" && isMadeOfWords(value));
    return /^[A-Z0-9_]+$/.test(name)
      ? value.length >= 16 && !isReference(value) && entropyOf(value) >= 3 && !isMadeOfWords(value)
      : value.length >= 20 && entropyOf(value) >= 3.5 && !isMadeOfWords(value);
  }
  if (joint === "flag") return hasLetterAndDigit(value) && value.length >= 6;
  if (joint === "code") return isRandom(value, 10, 2.8) && !/[()[\]{}]/.test(value);
  return isRandom(value, 12, 3) && !isMadeOfWords(value);
}

function isWeakKey({ joint, value }: Assignment): boolean {
  if (joint === "said" || joint === "flag" || joint === "list") return false;
  if (isUuid(value) || isDigest(value) || isPlace(value) || isMadeOfWords(value)) return false;
  return /^[\w+/=.~-]+$/.test(value) && isRandom(value, 20, 3.6);
}
