/**
 * Secrets below what announces them: in a list below its heading ("Passwords:" with `- bob: X` below it, "##
 * Credentials" with `* X`), and on the line below a label.
 */
import { isLabelled, labelBeginnings, promiseOfHeading, promiseOfLabel } from "./words.ts";
import { kindOf, type Trust } from "./judge.ts";
import { type Detector, type Haystack, hits, type Span } from "./spans.ts";
import { isPlace } from "./values.ts";

const beginnings: readonly string[] = [
  ...labelBeginnings,
  ...(
    "credential login zugang zugänge anmeldedaten identifiants accès credencia accesos acessos доступ учётн учетн " +
    "账号 凭据 登录"
  ).split(" "),
];

const headingCharsMax = 80;
const itemCharsMax = 300;
const itemsMax = 200;

/** Words that are a heading for names and their passwords. */
const logins = new RegExp(
  String.raw`^(?:\p{L}+ ){0,3}(?:logins?|log-?in data|zugangsdaten|zugänge|anmeldedaten|identifiants|accès` +
    String.raw`|credenciales|credenciais|accesos|acessos|доступы?|учётные данные|учетные данные|账号|凭据` +
    String.raw`|登录信息)(?: \p{L}+){0,3}$`,
  "iu",
);
/** Words about passwords that are no passwords. */
const talk = new RegExp(
  String.raw`(?:^|\s)(?:must|should|shall|can|cannot|may|need|needs|never|not|polic(?:y|ies)|rules?` +
    String.raw`|requirements?|contains?|test|tests|muss|müssen|sollen|regeln|doit|doivent|debe|deben|règles|reglas` +
    String.raw`|требования|правила|должен|types?|how|why|what)(?:\s|$)`,
  "iu",
);

export const detectLists: Detector = (hay) =>
  belowLines(hay, beginnings, headingCharsMax, (start, end) => {
    const list = headed(hay.text.slice(Math.max(start, end - 2 * headingCharsMax), end));
    return list === null ? { found: [], end } : itemsBelow(hay.text, end + 1, list);
  });

interface Below {
  readonly found: readonly Span[];
  /** Offset up to which it was looked. */
  readonly end: number;
}

/** Everything that `find` sees below lines in which a beginning stands at most `charsMax` before the end. */
function belowLines(
  hay: Haystack,
  beginnings: readonly string[],
  charsMax: number,
  find: (lineStart: number, lineEnd: number) => Below,
): readonly Span[] {
  if (!hay.text.includes("\n")) return [];
  const spans: Span[] = [];
  let reached = 0;
  for (const at of hits(hay, beginnings).toSorted((a, b) => a - b)) {
    if (at < reached) continue;
    const lineEnd = hay.text.indexOf("\n", at);
    if (lineEnd === -1) break;
    if (lineEnd - at > charsMax) continue;
    const { found, end } = find(hay.text.lastIndexOf("\n", at) + 1, lineEnd);
    spans.push(...found);
    reached = Math.max(lineEnd, end);
  }
  return spans;
}

interface List {
  readonly trust: Trust;
  /** Ends with a colon or is marked as a heading: then its items need no marks of their own. */
  readonly isAnnounced: boolean;
}

const headingLine = /^[ \t>*#•\d.)-]{0,10}(\S[^\n]{1,90}?)[ \t*_]{0,4}([:：]?)[ \t*_]{0,4}\r?$/u;

function headed(line: string): List | null {
  const [, whole = "", colon = ""] = headingLine.exec(line) ?? [];
  // The words that lead up to the label are no part of it: "for later: passwords", "these are the passwords".
  const label = whole
    .replace(/^.*\S[:：.][ \t]+(?=\S)/u, "")
    .replaceAll(/[*_`"'()]/g, "")
    .trim();
  if (!isHeading(label)) return null;
  const trust = logins.test(label) ? "password" : promiseOfHeading(label);
  if (trust === null || trust === "weak") return null;
  const isAnnounced = colon !== "" || /^[ \t>]{0,4}#/.test(line);
  // An item of a list heads a list of its own only where it says so.
  return !isAnnounced && mark.test(line) ? null : { trust, isAnnounced };
}

/** A few words of prose that promise what follows, and no talk about it. */
const isHeading = (label: string): boolean =>
  /^[\p{L}\p{N}\p{M} '’./&-]+$/u.test(label) &&
  label.split(/\s+/).length <= headingWordsMax &&
  !talk.test(label);

const headingWordsMax = 8;

const mark = /^[ \t>]{0,12}(?:[-*+•–—·]|\d{1,3}[.)]|\[[ x]\])[ \t]{1,4}(?:\[[ x]\][ \t]{1,3})?/u;

function itemsBelow(text: string, from: number, { trust, isAnnounced }: List): Below {
  const found: Span[] = [];
  let at = from;
  let blanks = 0;
  for (let item = 0; item < itemsMax && at < text.length; item += 1) {
    const next = text.indexOf("\n", at);
    const end = next === -1 ? text.length : next;
    const line = text.slice(at, Math.min(end, at + itemCharsMax));
    if (line.trim() === "") {
      blanks += 1;
      if (blanks > 1) break;
    } else {
      const marked = mark.exec(line)?.[0].length;
      if (marked === undefined && !isBareItem(line, isAnnounced && blanks === 0)) break;
      found.push(...secretIn(line, at, marked ?? 0, trust));
    }
    at = end + 1;
  }
  return { found, end: Math.min(at, text.length) - 1 };
}

/** One word alone on its line; `bob: X` where the heading announced it. */
const isBareItem = (line: string, isAnnounced: boolean): boolean =>
  (isAnnounced ? namedItem : loneItem).test(line);

const loneItem = /^[ \t>]{0,12}[^\s"'`,;{}()]{4,200}[ \t\r]*$/u;
const namedItem =
  /^[ \t>]{0,12}(?:[^\s:：=]{1,60}(?: [^\s:：=]{1,30}){0,2}[ \t]{0,3}[:：=→][ \t]{0,3})?\S{4,200}[ \t\r]*$/u;

/** The name that an item begins with, and what parts it from its value. */
const named = new RegExp(
  String.raw`^[*_\x60"']{0,3}([^\s:：=|,/→][^:：=|,→]{0,60}?)[*_\x60"']{0,3}[ \t]{0,3}(?:[:：=|,，→]|[ \t](?:[-–—/]|->|=>` +
    String.raw`|is|ist|est|es|это)(?=[ \t]))[ \t]{0,4}`,
  "u",
);
/** Items that tell who or where, not the secret. */
const owner = new RegExp(
  String.raw`^(?:users?|user ?name|login|account|e-?mail|name|host|url|port|region|type|benutzer|benutzername` +
    String.raw`|konto|utilisateur|usuario|cuenta|пользователь|логин|version|valid|expires?|length|format|see|since` +
    String.raw`|id)$`,
  "iu",
);

function secretIn(line: string, from: number, marked: number, trust: Trust): readonly Span[] {
  const item = line.slice(marked);
  const match = named.exec(item);
  const name = match?.[1] ?? "";
  const rest = match === null ? 0 : match[0].length;
  const behind = valueAt(item, rest, trust);
  if (behind !== null && (trust === "key" || !owner.test(name.trim())))
    return [spanOf(behind, from + marked, trust)];
  // `bob X`, or the value alone.
  const lone = /^(?:[\w.@-]{1,40}[ \t]{1,8})?(?=\S+[ \t\r]*$)/u.exec(item)?.[0];
  if (match !== null || lone === undefined) return [];
  const value = valueAt(item, lone.length, trust);
  return value === null || /^(?:see|use|in|from|ask|with|by|at|on|the|a)\s/iu.test(lone)
    ? []
    : [spanOf(value, from + marked, trust)];
}

interface Value {
  readonly start: number;
  readonly text: string;
}

function valueAt(item: string, from: number, trust: Trust): Value | null {
  const opened = /^[ \t"'`*_(]{0,4}/.exec(item.slice(from))?.[0].length ?? 0;
  const start = from + opened;
  const [word = ""] = /^\S+/.exec(item.slice(start)) ?? [];
  const value = word.replace(/["'`*),;，。]+$/u, "");
  const isIt =
    isLabelled(value, trust) &&
    !isPlace(value) &&
    !/^[A-Z][A-Z0-9]*_[A-Z0-9_]*$|^[\w.+-]+@[\w-]+\.[\w.-]+$|^[\w.-]+:\d{2,5}$/.test(value);
  // Words behind it: then it is talk, unless it looks chosen.
  const isLast =
    item
      .slice(start + word.length)
      .replace(/^[ \t]*(?:\([^()]*\))?/, "")
      .trim() === "";
  return isIt && (isLast || /\d/.test(value.slice(1))) ? { start, text: value } : null;
}

const spanOf = ({ start, text }: Value, from: number, trust: Trust): Span => ({
  start: from + start,
  end: from + start + text.length,
  kind: kindOf(trust),
});

// Values on the line after their label, as consoles and mails show them: `Secret access key`, a line break, the key.

const labelsAbove: readonly string[] = [...labelBeginnings, "cred"];

const labelCharsMax = 60;
const labelWordsMax = 5;
/** A label alone on its line: words, perhaps as a heading, a list item or in bold type. */
const labelLine = new RegExp(
  String.raw`^[ \t>*#|•-]{0,8}([\p{L}\p{N}][\p{L}\p{N} \t'’._/-]{1,50}?)` +
    String.raw`[ \t]{0,2}[*_\x60]{0,3}[ \t]{0,2}[:：]?[ \t]{0,2}[*_]{0,3}[ \t\r]{0,4}$`,
  "u",
);
/** One word alone on its line. */
const valueLine = /^[ \t>]{0,8}["'\x60*]{0,3}([^\s"'\x60]{6,300})["'\x60]{0,3}[ \t\r]{0,4}$/u;

export const detectBelow: Detector = (hay) =>
  belowLines(hay, labelsAbove, labelCharsMax, (start, end) => {
    const isLabel = end - start <= labelCharsMax;
    const span = isLabel ? below(hay.text, hay.text.slice(start, end), end + 1) : null;
    return { found: span === null ? [] : [span], end };
  });

function below(text: string, line: string, from: number): Span | null {
  // The words that lead up to the label are no part of it: "note this: S3 secret access key".
  const label = labelLine.exec(line.replace(/^.*\S:[ \t]+(?=\S)/, ""))?.[1];
  if (label === undefined || label.split(/\s+/).length > labelWordsMax) return null;
  const trust = promiseOfLabel(label);
  return trust === null ? null : valueBelow(text, from, trust);
}

function valueBelow(text: string, from: number, trust: Trust): Span | null {
  // One empty line may stand between, and the beginning of a code block.
  const blank =
    /^(?:[ \t\r]{0,8}\n)?(?:```\w{0,10}\r?\n)?/.exec(text.slice(from, from + 30))?.[0].length ?? 0;
  const start = from + blank;
  const end = text.indexOf("\n", start);
  const valued = text.slice(start, end === -1 ? text.length : Math.min(end, start + 320));
  const value = valueLine.exec(valued)?.[1]?.replace(/\*+$/, "");
  if (value === undefined || !isLabelled(value, trust)) return null;
  const at = start + valued.indexOf(value);
  return { start: at, end: at + value.length, kind: kindOf(trust) };
}
