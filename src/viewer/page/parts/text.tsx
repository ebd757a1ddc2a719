/**
 * Text that somebody else wrote, shown as text and nothing else: never as markup, cut off from the direction of what
 * stands around it, and with every character that would act unseen made visible.
 */
import type { ComponentChildren } from "preact";
import { marked, piecesOf, type Piece } from "./pieces.ts";

/** Enough for any row; what is cut off shows on the memory's own page. */
const lineCharsMax = 400;

/** One line of somebody's text. */
export function Line({ text, words = [] }: { text: string; words?: readonly string[] }) {
  const cut = text.length > lineCharsMax ? `${text.slice(0, lineCharsMax).toWellFormed()}…` : text;
  const line = cut.replaceAll(/[\r\n\t ]+/g, " ");
  return <bdi class="theirs">{shown(marked(piecesOf(line), words))}</bdi>;
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
