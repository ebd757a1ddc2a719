/** The secret half of an AWS key pair, which has no mark of its own: forty random characters near a key id. */
import { entropyOf, hits, matchAt } from "./spans.ts";
import type { Detector, Span } from "./spans.ts";

const keyId = /(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{8,40}/y;
const near = 300;
/** Forty characters, or a session token of hundreds. */
const candidate =
  /(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{38,44}|[A-Za-z0-9+/]{100,2000})={0,2}(?![A-Za-z0-9+/])/g;

export const detectAwsPairs: Detector = (hay) => {
  const spans: Span[] = [];
  let searched = 0;
  const positions = hits(hay, ["akia", "asia", "abia", "acca", "a3t"]).toSorted((a, b) => a - b);
  for (const at of positions) {
    if (matchAt(keyId, hay.text, at) === null) continue;
    const from = Math.max(searched, at - near);
    const to = Math.min(hay.text.length, at + near);
    for (const match of hay.text.slice(from, to + 100).matchAll(candidate)) {
      const start = from + match.index;
      if (isRandom(match[0]))
        spans.push({ start, end: start + match[0].length, kind: "aws-secret-key" });
    }
    searched = Math.max(searched, at);
  }
  return spans;
};

/** Mixed case and digits: no git hash, no path of words. */
const isRandom = (text: string): boolean =>
  /[a-z]/.test(text) && /[A-Z]/.test(text) && /[\d+/]/.test(text) && entropyOf(text) > 3.2;
