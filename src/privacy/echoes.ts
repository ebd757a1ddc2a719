/**
 * Echoes of private text: runs of 16 characters or more that a text shares with what was hidden, however case and
 * white space differ. Linear: hidden text is indexed by its 16-grams.
 */
import type { Span } from "./spans.ts";

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
export function echoesOf(text: string, hidden: readonly string[]): readonly Span[] {
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
