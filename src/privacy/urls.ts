/** Passwords inside addresses: `postgres://user:password@host`, `https://token@host`. The rest of the address stays. */
import { isHarmless } from "./values.ts";
import { createRunEnds, entropyOf, hits, holds, matchAt } from "./spans.ts";
import type { Detector, Haystack, Span } from "./spans.ts";

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
