/**
 * Secrets that are encoded: tokens in base64 or hexadecimal, JSON Web Tokens, values of a Kubernetes Secret. Every run
 * that stands for printable text is read once. Pure, linear.
 */
import {
  createRunEnds,
  type Detector,
  haystack,
  type Haystack,
  hits,
  isWordCode,
  type Span,
} from "./spans.ts";

const runCharsMax = 8_000;
const base64Run = /(?<![\w+/=-])(?:[A-Za-z0-9+/]{24,8000}|[\w-]{24,8000})={0,2}(?![\w+/-])/g;
const hexRun = /(?<![A-Za-z0-9])(?:[0-9a-f]{2}){12,4000}(?![A-Za-z0-9])/gi;

interface Run {
  readonly start: number;
  readonly end: number;
  /** The text that it stands for. */
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

/** A find in a run takes the whole run with it. */
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

// JSON Web Tokens: `eyJ…` (base64 of `{"`), a dot, a payload and perhaps a signature. Encrypted ones have five parts.

const headCharsMin = 10;
const payloadCharsMin = 4;
const partsMax = 5;

const isBase64Url = (code: number): boolean => isWordCode(code) || code === 45 || code === 61;

const dot = 46;

export const detectJwts: Detector = (hay) => {
  const spans: Span[] = [];
  const runEnd = createRunEnds(hay.text, isBase64Url);
  const tailEnd = createRunEnds(hay.text, isBase64Url);
  let reached = 0;
  for (const at of hits(hay, ["eyj"])) {
    if (at < reached || !hay.text.startsWith("eyJ", at)) continue;
    const headEnd = runEnd(at);
    if (headEnd - at < headCharsMin || hay.text.charCodeAt(headEnd) !== dot) continue;
    let end = tailEnd(headEnd + 1);
    if (end - headEnd - 1 < payloadCharsMin) continue;
    for (let part = 2; part < partsMax && hay.text.charCodeAt(end) === dot; part += 1) {
      const next = tailEnd(end + 1);
      if (next === end + 1 && part > 2) break;
      end = next;
    }
    reached = end;
    spans.push({ start: at, end, kind: "jwt" });
  }
  return spans;
};

// Values below `data:` and `stringData:` of a Kubernetes Secret, which are only encoded.

const kind = /kind:\s{0,4}["']?Secret\b/i;
const section = /^(\s*)(?:data|stringData):\s*$/;
const entry = /^(\s*)[\w.-]+:\s{1,4}(\S.*)$/;

export const detectKubernetesSecrets: Detector = ({ text }) => {
  if (!kind.test(text)) return [];
  const spans: Span[] = [];
  let indent: number | null = null;
  let at = 0;
  for (const line of text.split("\n")) {
    const opened = section.exec(line.trimEnd());
    const found = entry.exec(line.trimEnd());
    if (opened !== null) indent = (opened[1] ?? "").length;
    else if (indent !== null && line.trim() !== "" && !(leading(line) > indent)) indent = null;
    else if (indent !== null && found !== null) {
      const value = found[2] ?? "";
      const end = at + line.trimEnd().length;
      spans.push({ start: end - value.length, end, kind: "kubernetes-secret" });
    }
    at += line.length + 1;
  }
  return spans;
};

const leading = (line: string): number => line.length - line.trimStart().length;
