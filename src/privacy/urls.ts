/** Passwords inside addresses: `postgres://user:password@host`, `https://token@host`. The rest of the address stays. */
import { isHarmless } from "./values.ts";
import { createRunEnds, entropyOf, hits, matchAt } from "./spans.ts";
import type { Detector, Span } from "./spans.ts";

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

export const detectUrls: Detector = (hay) => {
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
