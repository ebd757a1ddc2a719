/** Credentials in HTTP headers and cookies, as they stand in tool calls and their output. */
import { isHarmless, isPlainWord } from "./values.ts";
import { hits, matchAt } from "./spans.ts";
import type { Detector, Haystack, Span } from "./spans.ts";

const authorization = new RegExp(
  String.raw`authorization(?:\\?["'])?\s{0,3}(?:[:=,]|=>)\s{0,3}(?:\\?["'\x60])?\s{0,3}` +
    String.raw`(?:(?:bearer|basic|token|digest|negotiate|apikey|api-key|key|aws4-hmac-sha256)\s{1,3})?` +
    String.raw`(?!(?:bearer|basic|token|digest|negotiate|apikey|key)\b)([^\s"'\x60<>\\,;)]{6,4000})`,
  "iy",
);
/** A scheme alone: in talk it precedes plain words ("bearer authentication"), so its value must look random. */
const bearer =
  /(?<![A-Za-z0-9])bearer\s{1,3}((?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{12,4000}|[\w.~+/=-]{24,4000})/iy;
const basic = /(?<![A-Za-z0-9])basic\s{1,3}([A-Za-z0-9+/]{12,2000}={0,2})(?![\w.])/iy;
const cookieHeader =
  /(?:set-)?cookie(?:\\?["'])?\s{0,3}:\s{0,3}(?:\\?["'])?([^\r\n"'\\]{8,4000})/iy;
interface HeaderRule {
  readonly kind: string;
  readonly anchors: readonly string[];
  readonly pattern: RegExp;
}

const rules: readonly HeaderRule[] = [
  { kind: "authorization", anchors: ["authorization"], pattern: authorization },
  { kind: "bearer-token", anchors: ["bearer"], pattern: bearer },
];

export const detectHeaders: Detector = (hay) => [
  ...rules.flatMap((rule) => Array.from(credentials(hay, rule))),
  ...basicCredentials(hay),
  ...cookies(hay),
];

function* credentials(hay: Haystack, rule: HeaderRule): Generator<Span> {
  for (const anchor of rule.anchors) {
    let reached = 0;
    for (const at of hits(hay, [anchor])) {
      const match = at < reached ? null : matchAt(rule.pattern, hay.text, at);
      if (match === null) continue;
      const secret = match[1] ?? "";
      reached = at + match[0].length;
      if (!isHarmless(secret) && !isPlainWord(secret) && !/^\d{1,6}$/.test(secret))
        yield { start: reached - secret.length, end: reached, kind: rule.kind };
    }
  }
}

/** `Basic` followed by base64 of `user:password`. */
function* basicCredentials(hay: Haystack): Generator<Span> {
  let reached = 0;
  for (const at of hits(hay, ["basic"])) {
    const match = at < reached ? null : matchAt(basic, hay.text, at);
    const encoded = match?.[1];
    if (match === null || encoded === undefined) continue;
    reached = at + match[0].length;
    if (isUserAndPassword(encoded))
      yield { start: reached - encoded.length, end: reached, kind: "authorization" };
  }
}

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
