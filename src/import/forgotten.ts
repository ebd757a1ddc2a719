/** Whether a text holds something that the user had forgotten: as a whole, a line or a sentence of it. */
import type { Store } from "#domain";

/** Sentences looked up in one text: more stand in no text that an import keeps. */
const piecesMax = 400;

export function holdsForgotten(
  { nodes }: Pick<Store, "nodes">,
  texts: readonly (string | null)[],
): boolean {
  return texts.some(
    (text) => text !== null && text !== "" && piecesOf(text).some(nodes.isForgotten),
  );
}

/** The text, its lines, and its sentences; each once. */
const piecesOf = (text: string): readonly string[] =>
  [...new Set([text, ...text.split("\n"), ...text.split(/(?<=[.!?])\s+|\n/u)])].slice(0, piecesMax);
