/** Tokens in base64 or hexadecimal. Every run that stands for printable text is read once. Pure, linear. */
import { haystack, type Detector, type Haystack, type Span } from "./spans.ts";

const runCharsMax = 8_000;
const base64Run = /(?<![\w+/=-])(?:[A-Za-z0-9+/]{24,8000}|[\w-]{24,8000})={0,2}(?![\w+/-])/g;
const hexRun = /(?<![A-Za-z0-9])(?:[0-9a-f]{2}){12,4000}(?![A-Za-z0-9])/gi;

interface Run {
  readonly start: number;
  readonly end: number;
  /** What it stands for. */
  readonly text: string;
}

/** The runs of a text that stand for printable ASCII. */
export function encodedRuns(text: string): readonly Run[] {
  const runs: Run[] = [];
  const take = (pattern: RegExp, decode: (run: string) => string | null): void => {
    for (const { 0: run, index } of text.matchAll(pattern)) {
      const decoded = run.length > runCharsMax ? null : decode(run);
      if (decoded !== null) runs.push({ start: index, end: index + run.length, text: decoded });
    }
  };
  take(base64Run, fromBase64);
  take(hexRun, fromHex);
  return runs;
}

/** What is found in a run takes the whole run with it. */
export const detectEncoded =
  (detectors: readonly Detector[]): Detector =>
  ({ text }: Haystack): readonly Span[] =>
    encodedRuns(text).flatMap((run): readonly Span[] => {
      const hay = haystack(run.text);
      const found = detectors.flatMap((detect) => detect(hay))[0];
      return found === undefined ? [] : [{ start: run.start, end: run.end, kind: found.kind }];
    });

const isPrintable = (text: string): boolean => /^[\t\r\n\x20-\x7e]+$/.test(text);

/** So much of a run is read first: most runs are hashes, ids and pictures. */
const headChars = 16;

function fromBase64(run: string): string | null {
  const plain = run.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  try {
    if (!isPrintable(atob(plain.slice(0, headChars)))) return null;
    const decoded = atob(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0)));
    return isPrintable(decoded) ? decoded : null;
  } catch {
    return null; // Words joined by signs that base64 has too.
  }
}

function fromHex(run: string): string | null {
  const read = (part: string): string =>
    String.fromCharCode(...(part.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
  if (!isPrintable(read(run.slice(0, headChars)))) return null;
  const decoded = read(run);
  return isPrintable(decoded) ? decoded : null;
}
