/**
 * Values that are known by a mark of them (a hash), and where they stand in a text. A value stands for itself: neither
 * a letter nor a digit goes on beside it. Case does not count. Pure; loaded by hooks, so it imports nothing.
 */

export interface KnownValues {
  /** Lengths of the values without white space, and of those with it: each costs a look at each word. */
  readonly lengths: ReadonlySet<number>;
  readonly spacedLengths: ReadonlySet<number>;
  /** True for a value, in lower case. */
  readonly has: (folded: string) => boolean;
}

interface ValueHit {
  readonly start: number;
  readonly end: number;
  /** In lower case. */
  readonly value: string;
}

const charsMin = 4;
const charsMax = 200;
/** Shorter numbers are everywhere; of four digits a year, a thousand and a power of two are. */
const longNumberChars = 5;

/** True for digits that are no year, no thousand and no power of two, or five of them and more. */
export const isRareNumber = (digits: string): boolean =>
  digits.length >= longNumberChars ||
  (digits.length === longNumberChars - 1 &&
    !/^(?:19|20)\d\d$|000$/.test(digits) &&
    !Number.isInteger(Math.log2(Number(digits))));

/** The form in which a value is looked for; null for one that ordinary text holds by chance. */
export function foldedValue(value: string): string | null {
  const folded = folding(value.trim());
  if (folded.length < charsMin || folded.length > charsMax) return null;
  if (!/[\p{L}\p{N}]/u.test(folded)) return null;
  return /^\p{N}+$/u.test(folded) && !isRareNumber(folded) ? null : folded;
}

/** True for a value that is one word: only a vocabulary can tell it from the words of a sentence. */
export const isOneWord = (folded: string): boolean => /^[\p{L}\p{M}]+$/u.test(folded);

const hasSpace = (folded: string): boolean => /\s/.test(folded);

/** Known values from those at hand, as `foldedValue` gives them. */
export function knownValues(folded: readonly string[]): KnownValues {
  const all = new Set(folded);
  return { ...lengthsOf([...all].map(shapeOf)), has: (value) => all.has(value) };
}

/** Writes the length of a value, with an `s` before it where the value has white space. */
export const shapeOf = (folded: string): string => `${hasSpace(folded) ? "s" : ""}${folded.length}`;

export function lengthsOf(shapes: readonly string[]): Omit<KnownValues, "has"> {
  const of = (isSpaced: boolean): ReadonlySet<number> =>
    new Set(
      shapes
        .filter((one) => one.startsWith("s") === isSpaced)
        .map((one) => Number(one.replace("s", ""))),
    );
  return { lengths: of(false), spacedLengths: of(true) };
}

/** Values that are found while a session is read, and those that were known before. In memory only. */
export function createValueBook(before: KnownValues | null = null) {
  const found = new Set<string>();
  let known = before;
  return {
    add: (values: readonly string[]): void => {
      const count = found.size;
      for (const value of values.flatMap((one) => foldedValue(one) ?? [])) found.add(value);
      if (found.size > count) known = withBoth(before, knownValues([...found]));
    },
    /** The text without them, see `withoutValues`. */
    hide: (text: string, how: HowHidden): string =>
      known === null ? text : withoutValues(text, known, how),
  };
}

const withBoth = (one: KnownValues | null, other: KnownValues): KnownValues =>
  one === null
    ? other
    : {
        lengths: one.lengths.union(other.lengths),
        spacedLengths: one.spacedLengths.union(other.spacedLengths),
        has: (value) => one.has(value) || other.has(value),
      };

interface HowHidden {
  /** Stands in their place. */
  readonly mark: string;
  /** True for a value that is said in the open: it stays. */
  readonly isOpen: (value: string) => boolean;
}

/** The text with `mark` in the place of known values, but for those that are said in the open. */
export function withoutValues(
  text: string,
  known: KnownValues,
  { mark, isOpen }: HowHidden,
): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, value } of valuesIn(text, known)) {
    if (isOpen(value)) continue;
    parts.push(text.slice(from, start), mark);
    from = end;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(from);
}

/** Finds the values in a text, in order; of two that begin together the longest. */
function valuesIn(text: string, known: KnownValues): readonly ValueHit[] {
  const lower = folding(text);
  const { has } = known;
  const lengths = [...known.lengths].toSorted((a, b) => b - a);
  const spaced = [...known.spacedLengths].toSorted((a, b) => b - a);
  const found: ValueHit[] = [];
  let wordEnd = 0;
  for (let at = 0; at < lower.length; at += 1) {
    if (at >= wordEnd) wordEnd = endOfWord(lower, at);
    if (wordEnd === at || !isEdge(lower, at)) continue;
    const hit =
      hitAt(lower, at, { lengths: spaced, reach: lower.length, has }) ??
      hitAt(lower, at, { lengths, reach: wordEnd, has });
    if (hit === null) continue;
    found.push(hit);
    at = hit.end - 1;
  }
  return found;
}

function hitAt(
  lower: string,
  start: number,
  { lengths, reach, has }: { lengths: readonly number[]; reach: number; has: KnownValues["has"] },
): ValueHit | null {
  for (const length of lengths) {
    const end = start + length;
    if (end > reach || !isEdge(lower, end)) continue;
    const value = lower.slice(start, end);
    if (has(value)) return { start, end, value };
  }
  return null;
}

function endOfWord(text: string, at: number): number {
  let end = at;
  while (end < text.length && !/\s/.test(text[end] ?? "")) end += 1;
  return end;
}

/** Lowers a text and keeps its length, so that positions agree: some capitals have longer small letters. */
function folding(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** True where nothing goes on: at an end, or between two characters of which one is no letter or digit of a word. */
const isEdge = (text: string, at: number): boolean =>
  !isOfWord(text.charCodeAt(at - 1)) || !isOfWord(text.charCodeAt(at));

/** Digits and letters of scripts that write spaces between words. */
function isOfWord(code: number): boolean {
  if (code < 0x80)
    return (
      (code >= 0x30 && code <= 0x39) ||
      (code >= 0x61 && code <= 0x7a) ||
      (code >= 0x41 && code <= 0x5a)
    );
  return (code >= 0xc0 && code < 0x2000) || (code >= 0xac00 && code < 0xd7a4);
}
