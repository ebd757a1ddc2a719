/**
 * The prose of a text that is the writer's own: its lines without code fences, tables and quotations. What was pasted
 * into a prompt is gone by now (#reader); an answer is markdown and holds nothing else that is not prose. Linear, pure.
 */

const tableRow = /^\s*\|.*\|\s*$/;
const quotation = /^\s*[>›»]/;

/** Paragraphs of a text, each as its lines. */
export const proseOf = (text: string): readonly (readonly string[])[] =>
  withoutFences(text)
    .split(/\n[ \t]*\n/)
    .map((block) =>
      block
        .split(/\r?\n/)
        .filter((line) => line.trim() !== "" && !tableRow.test(line) && !quotation.test(line)),
    )
    .filter((block) => block.length > 0);

/** An unclosed fence goes to the end. */
const withoutFences = (text: string): string =>
  text
    .split(/^[ \t]*(?:```|~~~).*$/m)
    .filter((_, n) => n % 2 === 0)
    .join("\n\n");
