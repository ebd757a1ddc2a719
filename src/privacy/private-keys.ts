/**
 * Private key blocks, whole, unclosed or cut at either end (tool output is cut in the middle).
 *
 * Code that only mentions the header (`startsWith("-----BEGIN PRIVATE KEY-----")`) keeps its neighbours: without an
 * end mark only what looks like key material after the header goes.
 */
import { hits, matchAt, type Detector, type Haystack, type Span } from "./spans.ts";

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
  const headers = marksIn(hay, "-----begin", header);
  const footers = marksIn(hay, "-----end", footer);
  const spans: Span[] = [];
  let reached = 0; // Everything before is dealt with.
  const take = (start: number, end: number): void => {
    reached = end;
    spans.push({ start, end, kind: "private-key" });
  };
  let next = 0;
  for (const close of [...footers, null]) {
    const closeAt = close?.index ?? hay.text.length;
    for (; (headers[next]?.index ?? closeAt) < closeAt; next += 1) {
      const open = headers[next];
      if (open === undefined || open.index < reached) continue;
      take(open.index, blockEnd(hay.text, open, close));
    }
    if (close === null || closeAt < reached) continue;
    take(materialStart(hay.text, reached, closeAt), endOf(close));
  }
  return [...spans, ...puttyKeys(hay), ...bareBodies(hay)];
};

/** Lines of 64 or 70 characters, which is how keys are written; pictures and mails have 76. */
const body = new RegExp(
  String.raw`(?<![^\n])[ \t>]{0,8}(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{70})(?:\r?\n[ \t>]{0,8}(?:[A-Za-z0-9+/]{64}` +
    String.raw`|[A-Za-z0-9+/]{70})(?![^\r\n])){2,}(?:\r?\n[ \t>]{0,8}[A-Za-z0-9+/]{1,70}={0,2}(?![^\r\n]))?`,
  "g",
);
/** A certificate, a signature and a public key may be seen. */
const publicHeader =
  /-----BEGIN (?![A-Z ]*PRIVATE)[^\n]{1,80}-----\s{0,4}(?:[\w-]{1,40}: [^\n]{0,120}\s{1,4}){0,5}$/;

/** The body of a key whose first and last line were left out. */
function bareBodies({ text }: Haystack): readonly Span[] {
  return [...text.matchAll(body)].flatMap(({ 0: found, index }): readonly Span[] => {
    const first = found.slice(0, 64);
    const isDrawn = /[a-z]/.test(first) && /[A-Z]/.test(first) && /\d/.test(first);
    if (!isDrawn || publicHeader.test(text.slice(Math.max(0, index - 400), index))) return [];
    return [{ start: index, end: index + found.length, kind: "private-key" }];
  });
}

const marksIn = (hay: Haystack, anchor: string, mark: RegExp): readonly RegExpExecArray[] =>
  hits(hay, [anchor])
    .map((at) => matchAt(mark, hay.text, at))
    .filter((match) => match !== null);

/** `blockEnd` gives the end of a block; where it begins when there is nothing but its header. */
function blockEnd(text: string, open: RegExpExecArray, close: RegExpExecArray | null): number {
  const closed = close !== null && close.index - open.index < keyCharsMax;
  if (closed) return endOf(close);
  const end = materialEnd(text, endOf(open));
  return end === endOf(open) ? open.index : end;
}

const endOf = (match: RegExpExecArray): number => match.index + match[0].length;

function puttyKeys(hay: Haystack): readonly Span[] {
  return hits(hay, ["private-lines:"])
    .map((at) => ({ at, match: matchAt(putty, hay.text, at) }))
    .flatMap(({ at, match }) =>
      match === null
        ? []
        : [{ start: at, end: materialEnd(hay.text, at + match[0].length), kind: "private-key" }],
    );
}

/** `materialEnd` gives the end of the key material after a header; the header's own end when none follows. */
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

/** `materialStart` gives the beginning of the key material before a lone footer: only lines of base64 without words. */
function materialStart(text: string, floor: number, footerAt: number): number {
  const before = text.slice(Math.max(floor, footerAt - keyCharsMax), footerAt);
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
