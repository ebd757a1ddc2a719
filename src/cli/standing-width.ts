/** Texts that are broken into lines when they are printed: where the build marked them, by the width that there is. */

const [begin, then, end] = ["\u0001", "\u0002", "\u0003"];
const marked = new RegExp(`${begin}(\\d+)${then}([^${end}]*)${end}`, "g");

/** Help is wrapped to this when output goes to a file or a pipe. */
export const helpWidthDefault = 100;

/** Narrower than this nothing is broken: the rule of commander, which writes the help that is not marked. */
const widthMin = 40;

/** Marks a text that begins in this column, as its further lines will. Throws for one that has lines already. */
export function markFolding(text: string, column: number): string {
  if (text.includes("\n")) throw new Error(`more than one line in ${JSON.stringify(text)}`);
  return `${begin}${column}${then}${text}${end}`;
}

/** A text as it is printed: what is marked is broken at spaces to fit the width. */
export const folded = (text: string, width: number): string =>
  text.replace(marked, (_, column: string, one: string) =>
    linesOf(one, width - Number(column)).join(`\n${" ".repeat(Number(column))}`),
  );

/** Words keep the spaces before them, but not at the beginning of a line. */
function linesOf(text: string, width: number): readonly string[] {
  if (width < widthMin) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.match(/\s*\S+/g) ?? [])
    if (line === "" || line.length + word.length <= width) line += word;
    else {
      lines.push(line);
      line = word.trimStart();
    }
  return [...lines, line];
}
