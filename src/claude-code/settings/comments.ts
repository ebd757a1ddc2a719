/**
 * Comments and trailing commas, which some agents allow in their JSON: out of the way while a text is edited, and back
 * in their places afterwards. Pure.
 */

/** What stands for one of them meanwhile; the parser takes it for white space. */
export const commentMarks = /\uE000\d+\uE001/g;

// Each ends in one place only, so that no other reading of a text is tried.
const comment = String.raw`\/\/[^\r\n]*(?=[\r\n]|$)|\/\*(?:[^*]|\*(?!\/))*\*\/`;

/** Strings, which may hold what looks like a comment; comments; commas before the end of a list. */
const parts = new RegExp(
  String.raw`"(?:[^"\\\n]|\\.)*"?|${comment}|,(?=(?:\s|${comment})*[}\]])`,
  "g",
);

/** The text with marks in their places, and how to put them back after an edit. */
export function withoutComments(text: string): {
  readonly text: string;
  readonly restored: (edited: string) => string;
} {
  const taken: string[] = [];
  // A text that holds such marks already is edited as it is.
  if (text.search(commentMarks) >= 0) return { text, restored: (edited) => edited };
  const marked = text.replace(parts, (part) =>
    part.startsWith('"') ? part : `\uE000${taken.push(part) - 1}\uE001`,
  );
  const restored = (edited: string): string =>
    edited.replace(commentMarks, (mark) => taken[Number(mark.slice(1, -1))] ?? mark);
  return { text: marked, restored };
}

/** A piece of such a text as plain JSON. */
export const bare = (piece: string): string => piece.replace(commentMarks, "");
