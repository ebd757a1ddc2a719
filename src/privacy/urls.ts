/**
 * Credentials of HTTP: in headers, in cookies and inside addresses (`postgres://user:password@host`,
 * `https://token@host`). The rest of the address stays.
 */
import { isHarmless, isPlainWord } from "./values.ts";
import {
  createRunEnds,
  type Detector,
  entropyOf,
  type Haystack,
  hits,
  holds,
  matchAt,
  type Shape,
  type Span,
  valuesOf,
} from "./spans.ts";

/** RFC-like: everything up to an `@` before the path begins. */
const strict = /:\/\/([^\s:@/?#"'<>`[\]]{0,100}):([^\s@/?#"'<>`]{1,300})@/y;
/** Passwords that should have been encoded: with `@`, `/`, `?` or `#` in them. */
const loose = /:\/\/([^\s:@/?#"'<>`[\]]{0,100}):([^\s"'<>`]{1,300})@/y;
const untilQuery = /:\/\/[^\s"'<>`?,]{1,400}@/y;
const alone = /:\/\/([^\s:@/?#"'<>`[\]]{16,300})@/y;
const portAndPath = /^\d{1,5}(?:[/?#]|$)/;

/** In these an `@` in the path is ordinary (`/@scope/`, `/users/@me`); in a database's address it is the password's. */
const webScheme = /(?:https?|wss?|ssh|git|npm|file|ftp)$/i;

/** No host name and no password is longer. */
const userInfoCharsMax = 400;

const isAuthority = (code: number): boolean =>
  code > 32 && ![34, 35, 39, 44, 47, 60, 62, 63, 96].includes(code);

/** Placeholders of examples and local databases for a password, on a host that is nobody's. */
const stockPassword =
  /^(?:password|passwd|pass|pwd|secret|postgres|mysql|root|admin|user|test|example)$/i;
const ownHost =
  /^(?:localhost|127\.0\.0\.1|\[::1\]|host|(?:[\w-]+\.)?example\.(?:com|org|net))(?![\w.-])/i;

const isStock = (password: string, text: string, hostAt: number): boolean =>
  stockPassword.test(password) && ownHost.test(text.slice(hostAt, hostAt + hostCharsMax));
const hostCharsMax = 80;

/** Matches the addresses of drivers that write the protocol behind the `@`: `user:password@tcp(host)/database`. */
const driver = /(?<![\w.-])[\w.-]{1,60}:([^\s"'`@]{1,120})@(?:tcp|unix)\(/g;
const driverMarks = ["@tcp(", "@unix("];

const driverSpans = ({ text }: Haystack): readonly Span[] =>
  [...text.matchAll(driver)].flatMap(({ 0: whole, 1: password = "", index }): readonly Span[] => {
    if (isHarmless(password)) return [];
    const start = index + whole.lastIndexOf(`${password}@`);
    return [{ start, end: start + password.length, kind: "connection-password" }];
  });

export const detectUrls: Detector = (hay) => [
  ...addresses(hay),
  ...(driverMarks.some((mark) => holds(hay, mark)) ? driverSpans(hay) : []),
];

const addresses = (hay: Haystack): readonly Span[] => {
  const { text } = hay;
  const spans: Span[] = [];
  const authorityEnd = createRunEnds(text, isAuthority);
  let nextAt = -1;
  for (const at of hits(hay, ["://"])) {
    if (nextAt < at + 3) nextAt = indexOrEnd(text, "@", at + 3);
    if (nextAt - at > userInfoCharsMax) continue;
    const span =
      passwordSpan(text, at, authorityEnd(at + 3)) ?? tokenSpan(matchAt(alone, text, at));
    if (span !== null) spans.push(span);
  }
  return spans;
};

function passwordSpan(text: string, at: number, authorityEnd: number): Span | null {
  const tight = matchAt(strict, text, at);
  const last = webScheme.test(text.slice(Math.max(0, at - 8), at))
    ? text.lastIndexOf("@", authorityEnd - 1)
    : at + (matchAt(untilQuery, text, at)?.[0].length ?? 0) - 1;
  // Another `@` before the path: the password itself holds one.
  const whole = tight !== null && last < at + tight[0].length;
  const match = whole ? tight : matchAt(loose, text, at);
  const password = match?.[2];
  if (match === null || password === undefined) return null;
  if (portAndPath.test(password) || isHarmless(password)) return null;
  if (isStock(password, text, at + match[0].length)) return null;
  const end = at + match[0].length - 1;
  return { start: end - password.length, end, kind: "connection-password" };
}

function tokenSpan(match: RegExpExecArray | null): Span | null {
  const token = match?.[1];
  if (match === null || token === undefined) return null;
  if (!/\d/.test(token) || entropyOf(token) < 3) return null;
  const end = match.index + match[0].length - 1;
  return { start: end - token.length, end, kind: "url-token" };
}

function indexOrEnd(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at === -1 ? Infinity : at;
}

// Credentials in HTTP headers and cookies, as they stand in tool calls and their output.

const authorization = new RegExp(
  String.raw`authorization(?:\\?["'])?\s{0,3}(?:[:=,]|=>)\s{0,3}(?:\\?["'\x60])?\s{0,3}` +
    String.raw`(?:(?:bearer|basic|token|digest|negotiate|apikey|api-key|key|aws4-hmac-sha256` +
    // A vendor's own scheme: `SSWS`, `GenieKey`.
    String.raw`|[a-z][\w-]{2,30}(?=\s{1,3}[^\s"'\x60<>\\,;)]{0,200}\d))\s{1,3})?` +
    String.raw`(?!(?:bearer|basic|token|digest|negotiate|apikey|key)\b)([^\s"'\x60<>\\,;)]{6,4000})`,
  "iy",
);
/** A scheme alone: in talk it precedes plain words ("bearer authentication"), so its value must look random. */
const bearer =
  /(?<![A-Za-z0-9])bearer\s{1,3}((?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{12,4000}|[\w.~+/=-]{24,4000})/iy;
const basic = /(?<![A-Za-z0-9])basic\s{1,3}([A-Za-z0-9+/]{12,2000}={0,2})(?![\w.])/iy;
const cookieHeader =
  /(?:set-)?cookie(?:\\?["'])?\s{0,3}:\s{0,3}(?:\\?["'])?([^\r\n"'\\]{8,4000})/iy;

const isCredential = (secret: string): boolean =>
  !isHarmless(secret) && !isPlainWord(secret) && !/^\d{1,6}$/.test(secret);

const headers: readonly Shape[] = [
  {
    anchors: ["authorization"],
    pattern: authorization,
    kind: "authorization",
    isIt: isCredential,
  },
  { anchors: ["bearer"], pattern: bearer, kind: "bearer-token", isIt: isCredential },
  // `Basic` followed by base64 of `user:password`.
  { anchors: ["basic"], pattern: basic, kind: "authorization", isIt: isUserAndPassword },
];

export const detectHeaders: Detector = (hay) => [...valuesOf(hay, headers), ...cookies(hay)];

function isUserAndPassword(encoded: string): boolean {
  try {
    return /^[\x20-\x7e]+:[\x20-\x7e]*$/.test(atob(encoded));
  } catch {
    return false; // Not base64: an ordinary word after "basic".
  }
}

/** Values of a cookie header; names and attributes stay. */
function* cookies(hay: Haystack): Generator<Span> {
  let reached = 0;
  for (const at of hits(hay, ["cookie"])) {
    const match = at < reached ? null : matchAt(cookieHeader, hay.text, at);
    const header = match?.[1];
    if (match === null || header === undefined) continue;
    reached = at + match[0].length;
    for (const pair of header.matchAll(/=([^;\s]{12,4000})/g)) {
      const end = reached - header.length + pair.index + pair[0].length;
      yield { start: end - (pair[1] ?? "").length, end, kind: "cookie" };
    }
  }
}
