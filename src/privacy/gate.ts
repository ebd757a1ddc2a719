/**
 * The privacy gate: what every text passes before it touches disk or a model.
 *
 * Control characters out, since a terminal would obey them, then private blocks, the client's and our own blocks, then
 * secrets; callers trim and cut afterwards, never before (a cut tag or key would leak its tail). Echoes of what was
 * hidden go too. Synchronous and pure.
 */
import { type GatedText, type PrivacyGate, secretMark } from "#domain";
import {
  foldedValue,
  isOneWord,
  knownValues,
  seenPartOf,
  stripControls,
  withoutValues,
} from "#kit";
import { stripBlocks } from "./blocks.ts";
import { isSecretByValue } from "./by-value.ts";
import { isSecretPath, readsSecrets } from "./secret-commands.ts";
import { createSecretFinder } from "./secrets.ts";
import { type Detector, mergeSpans, replaceSpans, type Span } from "./spans.ts";

export interface GateOptions {
  /** Extra regular expressions, replaced by `[redacted:custom]`. */
  readonly redact: readonly string[];
  /** Words that are no secrets, though a rule takes them for one. */
  readonly allow?: readonly string[];
}

/** The text around a replaced secret may show another one; more rounds than this have never been needed. */
const roundsMax = 4;

/**
 * Nothing downstream keeps more than 100,000 characters of a text, and a pasted dump must not hold a prompt: of a text
 * longer than `wholeCharsMax` only the head is looked at. The end of that head may hold half of a secret that the rules
 * do not know by its half, so the last `marginChars` go; no secret is as long.
 */
const wholeCharsMax = 300_000;
const headCharsMax = 140_000;
const marginChars = 32_000;

/** The whole gate. Compiles a rule when a text first calls for it; never throws, whatever the text. */
export function createGate(options: GateOptions): PrivacyGate {
  const find = createSecretFinder(createCustom(options.redact), options.allow);
  return {
    clean: (text) => clean(text, find),
    cleanAgainst: (text, hidden) => {
      const { text: stripped } = stripBlocks(stripControls(text));
      return redactHead(stripped, (head) => redact(head, find, echoesOf(head, hidden)));
    },
    isSecretPath,
    readsSecrets,
  };
}

function clean(text: string, find: (text: string) => readonly Span[]): GatedText {
  const { text: stripped, ...blocks } = stripBlocks(stripControls(text));
  return { ...blocks, ...redactHead(stripped, (head) => redact(head, find, [])) };
}

interface Redacted {
  readonly text: string;
  readonly secrets: readonly string[];
  readonly redactions: number;
}

/** The whole text redacted, or as much of an overlong one as is safe to keep. */
function redactHead(text: string, redacted: (head: string) => Redacted): Redacted {
  if (text.length <= wholeCharsMax) return redacted(text);
  const head = redacted(text.slice(0, headCharsMax));
  return { ...head, text: head.text.slice(0, Math.max(0, head.text.length - marginChars)) };
}

/** `also`: stretches that go in the first round whatever they hold; where they meet a secret, they name it. */
function redact(
  text: string,
  find: (text: string) => readonly Span[],
  also: readonly Span[],
): Redacted {
  let current = text;
  let redactions = 0;
  const secrets: string[] = [];
  for (let round = 0; round < roundsMax; round += 1) {
    const spans = mergeSpans(current, [...(round === 0 ? also : []), ...foundIn(current, find)]);
    if (spans.length === 0) break;
    for (const { start, end, kind } of spans) {
      const value = current.slice(start, end);
      if (kind !== "private" && isSecretByValue(value)) secrets.push(value);
    }
    current = replaceSpans(current, spans);
    redactions += spans.length;
  }
  return { text: withoutRepeated(current, secrets), redactions, secrets };
}

/** A secret goes from the rest of its text as well, where nothing announces it. */
function withoutRepeated(text: string, secrets: readonly string[]): string {
  const values = secrets.flatMap((secret) => foldedValue(secret) ?? []);
  if (values.length === 0) return text;
  return withoutValues(text, knownValues(values), { mark: secretMark, isOpen: isOneWord });
}

/** Secrets as a reader sees them: an invisible character in a token does not hide it. It goes with the token. */
function foundIn(text: string, find: (text: string) => readonly Span[]): readonly Span[] {
  const seen = seenPartOf(text);
  if (seen === null) return find(text);
  const placeOf = (at: number): number => seen.positions[at] ?? text.length;
  return find(seen.text).map(({ start, end, kind }) => ({
    start: placeOf(start),
    end: placeOf(end - 1) + 1,
    kind,
  }));
}

// The user's own patterns (`[privacy] redact`).

/**
 * A pattern that is no regular expression is taken literally: better to hide too little of a mistake than nothing.
 * Matching ignores case. Time is the user's own: their patterns are not checked for backtracking.
 */
function createCustom(patterns: readonly string[]): Detector {
  const compiled = patterns.filter((pattern) => pattern !== "").map(compile);
  return ({ text }) => {
    if (compiled.length === 0) return [];
    const markers = [...text.matchAll(/\[redacted:[\w-]{1,60}\]/g)];
    const inMarker = (at: number): boolean =>
      markers.some(({ index, 0: marker }) => at >= index && at < index + marker.length);
    return compiled
      .flatMap((pattern) => Array.from(text.matchAll(pattern)))
      .map(({ index, 0: match }): Span => ({
        start: index,
        end: index + match.length,
        kind: "custom",
      }))
      .filter((span) => !inMarker(span.start));
  };
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "gi");
  } catch {
    return new RegExp(RegExp.escape(pattern), "gi");
  }
}

// Echoes of private text: runs of 16 characters or more that a text shares with what was hidden, however case and
// white space differ. Linear: hidden text is indexed by its 16-grams.

/** Shorter runs are ordinary words (docs/design/capture.md, "Privacy gate"). */
const runChars = 16;

interface Normal {
  readonly text: string;
  /** Position in the original of each character, and of the end. */
  readonly positions: readonly number[];
}

/** Lower case, runs of white space as one space; escapes as JSON writes them count as what they stand for. */
function normalise(text: string): Normal {
  const chars: string[] = [];
  const positions: number[] = [];
  for (let at = 0; at < text.length;) {
    const { char, length } = read(text, at);
    if (char !== "" && !(char === " " && chars.at(-1) === " ")) {
      chars.push(char);
      positions.push(at);
    }
    at += length;
  }
  return { text: chars.join(""), positions: [...positions, text.length] };
}

interface Read {
  /** Empty for the backslash before a quote. */
  readonly char: string;
  readonly length: number;
}

function read(text: string, at: number): Read {
  const char = text[at] ?? "";
  if (char === "\\") {
    const next = text[at + 1] ?? "";
    if (next === '"' || next === "\\") return { char: "", length: 1 };
    if (next === "n" || next === "r" || next === "t") return { char: " ", length: 2 };
  }
  if (/\s/.test(char)) return { char: " ", length: 1 };
  const lower = char.toLowerCase();
  return { char: lower.length === 1 ? lower : char, length: 1 };
}

/** Stretches of `text` that echo `hidden`, in order, not overlapping. */
function echoesOf(text: string, hidden: readonly string[]): readonly Span[] {
  const grams = new Set<string>();
  for (const secret of hidden) {
    const normal = normalise(secret).text.trim();
    for (let at = 0; at + runChars <= normal.length; at += 1)
      grams.add(normal.slice(at, at + runChars));
  }
  if (grams.size === 0) return [];
  const { text: normal, positions } = normalise(text);
  const spans: Span[] = [];
  let start = -1;
  let end = -1;
  for (let at = 0; at + runChars <= normal.length; at += 1) {
    if (!grams.has(normal.slice(at, at + runChars))) continue;
    if (start !== -1 && at > end) spans.push(spanOf(positions, start, end));
    if (start === -1 || at > end) start = at;
    end = at + runChars;
  }
  return start === -1 ? [] : [...spans, spanOf(positions, start, end)];
}

const spanOf = (positions: readonly number[], start: number, end: number): Span => ({
  start: positions[start] ?? 0,
  end: positions[end] ?? 0,
  kind: "private",
});
