/** Stretches of a text to be replaced, and the search for the literals that announce them. Pure, linear. */

export interface Span {
  readonly start: number;
  readonly end: number;
  /** The kind of secret: `[redacted:kind]` takes its place. */
  readonly kind: string;
}

/** A text with its lower-case twin of the same length, so that positions agree. */
export interface Haystack {
  readonly text: string;
  readonly lower: string;
  /**
   * A set of hashes of three and four neighbouring characters in `lower`, a bit each: most literals are ruled out
   * without a search.
   */
  readonly grams: Uint32Array;
}

export type Detector = (hay: Haystack) => readonly Span[];

/** Some capitals have longer small letters (`İ`); then only ASCII is lowered. */
export function haystack(text: string): Haystack {
  const lower = text.toLowerCase();
  const twin =
    lower.length === text.length
      ? lower
      : text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return { text, lower: twin, grams: gramsOf(twin) };
}

const shortCharsMax = 8_192;
/** A long text of random letters holds every three of them: its set has room for those of four as well. */
const bitsOf = ({ length }: string): number => 1 << (length > shortCharsMax ? 20 : 15);

const tripleOf = (a: number, b: number, c: number): number => (a << 10) ^ (b << 5) ^ c;

function gramsOf(lower: string): Uint32Array {
  const bits = bitsOf(lower);
  const grams = new Uint32Array(bits >>> 5);
  let [a, b, c] = [0, lower.charCodeAt(0), lower.charCodeAt(1)];
  for (let at = 2; at < lower.length; at += 1) {
    const d = lower.charCodeAt(at);
    const triple = tripleOf(b, c, d);
    const three = triple & (bits - 1);
    const four = (triple ^ (a << 15)) & (bits - 1);
    grams[three >>> 5] = (grams[three >>> 5] ?? 0) | (1 << (three & 31));
    grams[four >>> 5] = (grams[four >>> 5] ?? 0) | (1 << (four & 31));
    a = b;
    b = c;
    c = d;
  }
  return grams;
}

/** False when the text surely lacks the (lower-case) literal. */
export function mayHold({ grams }: Haystack, literal: string): boolean {
  const last = grams.length * 32 - 1;
  const isShort = literal.length < 4;
  for (let at = isShort ? -1 : 0; at + 3 < literal.length; at += 1) {
    const a = isShort ? 0 : literal.charCodeAt(at);
    const triple = tripleOf(
      literal.charCodeAt(at + 1),
      literal.charCodeAt(at + 2),
      literal.charCodeAt(at + 3),
    );
    const gram = (triple ^ (a << 15)) & last;
    if ((((grams[gram >>> 5] ?? 0) >>> (gram & 31)) & 1) === 0) return false;
  }
  return true;
}

export const holds = (hay: Haystack, literal: string): boolean =>
  mayHold(hay, literal) && hay.lower.includes(literal);

const none: readonly number[] = [];

/** Positions of any of `literals` in the lower-case text, by literal. */
export function hits(hay: Haystack, literals: readonly string[]): readonly number[] {
  // Made when there is something to put into it: most texts hold none of hundreds of literals.
  let found: number[] | null = null;
  for (const literal of literals) {
    if (!mayHold(hay, literal)) continue;
    let at = hay.lower.indexOf(literal);
    while (at !== -1) {
      (found ??= []).push(at);
      at = hay.lower.indexOf(literal, at + 1);
    }
  }
  return found ?? none;
}

/** A match of a sticky pattern at a position, or null. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** A label and its value, or another pattern of which some groups are secrets. */
export interface Shape {
  /** Lower case; the pattern begins with one of them. */
  readonly anchors: readonly string[];
  /** Sticky. */
  readonly pattern: RegExp;
  readonly kind: string;
  /** Must match the line before the pattern. */
  readonly before?: RegExp | undefined;
  /** Matches the end of a value that belongs to the sentence around it. */
  readonly tail?: RegExp;
  readonly isIt?: ((value: string, match: RegExpExecArray) => boolean) | undefined;
}

/** Marks at the end of a sentence and closing brackets. */
export const sentenceTail = /[.!?)\]}>]+$/u;

/** The values of all shapes in a text. */
export function valuesOf(hay: Haystack, shapes: readonly Shape[]): readonly Span[] {
  const values: Span[] = [];
  for (const shape of shapes) {
    const places = hits(hay, shape.anchors);
    if (places.length > 0) values.push(...valuesAt(hay, shape, places));
  }
  return values;
}

/** Drops what stands within a match: it is a part of it, and begins no other one. */
function valuesAt(hay: Haystack, shape: Shape, places: readonly number[]): readonly Span[] {
  let [from, reached] = [0, 0];
  return places.flatMap((at): readonly Span[] => {
    const isWithin = at > from && at < reached;
    if (isWithin || shape.before?.test(lineBefore(hay.text, at)) === false) return [];
    const match = matchAt(shape.pattern, hay.text, at);
    const found = match === null ? [] : valuesIn(match, shape);
    if (match !== null && found.length > 0) [from, reached] = [at, at + match[0].length];
    return found;
  });
}

const valuesIn = (match: RegExpExecArray, { kind, tail, isIt }: Shape): readonly Span[] =>
  match.slice(1).flatMap((all: string | undefined): readonly Span[] => {
    const value = tail === undefined ? all : all?.replace(tail, "");
    if (all === undefined || value === undefined || isIt?.(value, match) === false) return [];
    const start = match.index + match[0].lastIndexOf(all);
    return [{ start, end: start + value.length, kind }];
  });

/** Characters of a line before a label that are looked at. */
const beforeCharsMax = 60;

export const lineBefore = (text: string, at: number): string =>
  text
    .slice(Math.max(0, at - beforeCharsMax), at)
    .split("\n")
    .at(-1) ?? "";

const marker = /\[redacted:[\w-]{1,60}\]/g;

/** True for what an earlier pass left, so that passing the gate twice changes nothing. */
const isMarker = (text: string): boolean =>
  text.startsWith("[redacted:") && text.replaceAll(marker, "").trim() === "";

/** Overlapping spans become one; the earliest and longest names it. */
export function mergeSpans(text: string, spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (span.end <= span.start || isMarker(text.slice(span.start, span.end))) continue;
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end };
  }
  return merged;
}

export function replaceSpans(text: string, spans: readonly Span[]): string {
  const kept: string[] = [];
  let from = 0;
  for (const span of spans) {
    kept.push(text.slice(from, span.start), `[redacted:${span.kind}]`);
    from = span.end;
  }
  return kept.join("") + text.slice(from);
}

/**
 * Ends of runs of one character class, each run measured once however often it is asked for: this is what keeps
 * `eyJ-eyJ-eyJ…` linear.
 */
export function createRunEnds(
  text: string,
  isMember: (code: number) => boolean,
): (at: number) => number {
  let from = 0;
  let end = 0;
  return (at) => {
    if (at >= from && at < end) return end;
    from = at;
    end = at;
    while (end < text.length && isMember(text.charCodeAt(end))) end += 1;
    return end;
  };
}

/** An ASCII letter, a digit or an underscore. */
export const isWordCode = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 95;

/** Enough to tell a key from a word; a limit keeps the price of a long value down. */
const sampleChars = 64;

/**
 * Bits per character. Letters of a language come to about 4, random base64 of 40 characters to about 4.7.
 * Characters are counted by their low byte: exact for everything keys are made of.
 */
export function entropyOf(text: string): number {
  const counts = new Uint8Array(256);
  const length = Math.min(text.length, sampleChars);
  for (let at = 0; at < length; at += 1) {
    const byte = text.charCodeAt(at) & 0xff;
    counts[byte] = (counts[byte] ?? 0) + 1;
  }
  let bits = 0;
  for (const count of counts) {
    if (count > 0) bits -= (count / length) * Math.log2(count / length);
  }
  return bits;
}
