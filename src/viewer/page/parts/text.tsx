/* @jsxImportSource preact */
/**
 * Text that somebody else wrote, shown as text and nothing else: never as markup, cut off from the direction of what
 * stands around it, and with every character that would act unseen made visible.
 */
import type { ComponentChildren } from "preact";

/** Enough for any row; what is cut off shows on the memory's own page. */
const lineCharsMax = 400;

interface LineProps {
  readonly text: string;
  /** Words to be marked in it. */
  readonly words?: readonly string[];
  readonly look?: string;
}

/** One line of somebody's text. */
export function Line({ text, words = [], look = "" }: LineProps) {
  const cut = text.length > lineCharsMax ? `${text.slice(0, lineCharsMax).toWellFormed()}…` : text;
  const line = cut.replaceAll(/[\r\n\t ]+/g, " ");
  return <bdi class={`theirs ${look}`}>{shown(marked(piecesOf(line), words))}</bdi>;
}

/** A whole text, with its line ends. */
export const Prose = ({ text }: { text: string }) => (
  <div class="prose" dir="auto">
    {shown(piecesOf(text))}
  </div>
);

/** Somebody's text inside a sentence or a coloured span, whatever its length. */
export const Span = ({ text }: { text: string }) => (
  <bdi class="theirs">{shown(piecesOf(text))}</bdi>
);

const shown = (pieces: readonly Piece[]): ComponentChildren =>
  pieces.map(({ text, kind }, at) => {
    if (kind === "plain") return text;
    if (kind === "mark") return <mark key={at}>{text}</mark>;
    return (
      <span key={at} class="ctl" title="A character that acts without being seen">
        {text}
      </span>
    );
  });

/**
 * Control characters but line breaks and tabs, direction marks and overrides, invisible separators, tag characters,
 * lone surrogates. Joiners and variation selectors stay: emoji and several scripts are written with them.
 */
const acting = new RegExp(
  String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e` +
    String.raw`\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0001}-\u{e007f}]|\p{Cs}`,
  "gu",
);

const names: ReadonlyMap<string, string> = new Map([
  ["\u001b", "ESC"],
  ["\u0000", "NUL"],
  ["\u0007", "BEL"],
  ["\u0008", "BS"],
  ["\r", "CR"],
  ["\u007f", "DEL"],
  ["\u200b", "ZWSP"],
  ["\u200e", "LRM"],
  ["\u200f", "RLM"],
  ["\u202d", "LRO"],
  ["\u202e", "RLO"],
  ["\ufeff", "BOM"],
]);

export interface Piece {
  readonly text: string;
  readonly kind: "plain" | "acting" | "mark";
}

const nameOf = (character: string): string =>
  names.get(character) ??
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** Cuts a text where a character acts unseen. A line end of two characters is one line end. Pure. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const clean = text.replaceAll("\r\n", "\n");
  let at = 0;
  for (const found of clean.matchAll(acting)) {
    if (found.index > at) pieces.push({ text: clean.slice(at, found.index), kind: "plain" });
    pieces.push({ text: nameOf(found[0]), kind: "acting" });
    at = found.index + found[0].length;
  }
  if (at < clean.length) pieces.push({ text: clean.slice(at), kind: "plain" });
  return pieces;
}

/** Marks the words of a query in plain pieces. */
export function marked(pieces: readonly Piece[], words: readonly string[]): readonly Piece[] {
  if (words.length === 0) return pieces;
  // At the beginning of a word: "port" is marked in "ports" and not in "exports".
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(${escaped.join("|")})`, "giu");
  return pieces.flatMap((piece) =>
    piece.kind === "plain"
      ? piece.text
          .split(pattern)
          .map((text, at): Piece => ({ text, kind: at % 2 === 1 ? "mark" : "plain" }))
          .filter(({ text }) => text !== "")
      : [piece],
  );
}
