/**
 * Private key blocks, whole, unclosed or cut at either end (tool output is cut in the middle).
 *
 * Code that only mentions the header (`startsWith("-----BEGIN PRIVATE KEY-----")`) keeps its neighbours: without an
 * end mark only what looks like key material after the header goes.
 */
import { hits, matchAt } from "./spans.ts";
import type { Detector, Haystack, Span } from "./spans.ts";

const header = /-----BEGIN[ A-Z0-9_-]{0,80}PRIVATE KEY(?: BLOCK)?-----/iy;
const footer = /-----END[ A-Z0-9_-]{0,80}PRIVATE KEY(?: BLOCK)?-----/iy;
/** Line ends, written out or escaped, and what quotes, diffs, listings and comments put at the edges of lines. */
const between = /(?:\s|\\+[nrt]|["'`+,>|*#→:]|\/\/|\d{1,5}(?=[\t→|:]))+/y;
const headerLine = /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\r\n\\]{0,120}/iy;
/** A full line of base64 has 64 or 70 characters; half of one is still no word of any language. */
const bodyLine = /[A-Za-z0-9+/=_-]{32,}/y;
const lastLine = /[A-Za-z0-9+/_-]{0,31}={1,2}|=[A-Za-z0-9+/]{4}(?!\w)/y;
/** A 16,384-bit key takes about 13,000 characters. */
const keyCharsMax = 20_000;
const putty = /Private-Lines: \d+\s+/iy;

export const detectPrivateKeys: Detector = (hay) => {
  const footers = [...hits(hay, ["-----end"])]
    .map((at) => matchAt(footer, hay.text, at))
    .filter((match) => match !== null);
  const spans: Span[] = [];
  let reached = 0;
  let nextFooter = 0;
  for (const at of hits(hay, ["-----begin"])) {
    const match = at < reached ? null : matchAt(header, hay.text, at);
    if (match === null) continue;
    while ((footers[nextFooter]?.index ?? Infinity) < at) nextFooter += 1;
    const close = footers[nextFooter];
    const closed = close !== undefined && close.index - at < keyCharsMax;
    reached = closed ? close.index + close[0].length : materialEnd(hay.text, at + match[0].length);
    spans.push({ start: at, end: reached, kind: "private-key" });
  }
  for (const { index, 0: mark } of footers) {
    const covered = spans.some((span) => span.start <= index && index < span.end);
    if (!covered)
      spans.push({
        start: materialStart(hay.text, index),
        end: index + mark.length,
        kind: "private-key",
      });
  }
  return [...spans, ...puttyKeys(hay)];
};

function puttyKeys(hay: Haystack): readonly Span[] {
  return [...hits(hay, ["private-lines:"])]
    .map((at) => ({ at, match: matchAt(putty, hay.text, at) }))
    .flatMap(({ at, match }) =>
      match === null
        ? []
        : [{ start: at, end: materialEnd(hay.text, at + match[0].length), kind: "private-key" }],
    );
}

/** Where the key material after a header ends; the header's own end when none follows. */
function materialEnd(text: string, from: number): number {
  let end = from;
  let at = from;
  for (;;) {
    const gap = matchAt(between, text, at)?.[0].length ?? 0;
    const line = matchAt(headerLine, text, at + gap) ?? matchAt(bodyLine, text, at + gap);
    if (line === null) {
      const last = end > from ? matchAt(lastLine, text, at + gap) : null;
      return last === null ? end : at + gap + last[0].length;
    }
    at += gap + line[0].length;
    end = at;
  }
}

/** Where the key material before a lone footer begins: only lines of base64 without words. */
function materialStart(text: string, footerAt: number): number {
  const before = text.slice(Math.max(0, footerAt - keyCharsMax), footerAt);
  const lines = before.split(/(?<=\n|\\n)/);
  let start = footerAt;
  for (const line of lines.toReversed()) {
    const isBody = /^[\s"'+>|]*[A-Za-z0-9+/=]{32,}(?:\s|\\n|\\r|["',])*$/.test(line);
    const isLast = start === footerAt && /^[A-Za-z0-9+/=\s\\]*$/.test(line);
    if (!isBody && !isLast) break;
    start -= line.length;
  }
  return start;
}
