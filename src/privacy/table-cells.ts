/** Lines of a table cut into cells, whatever separates them. Pure; each line is read once for each separator. */

export interface Cell {
  readonly text: string;
  /** Where it begins in the whole text. */
  readonly start: number;
}

export interface Line {
  readonly text: string;
  readonly start: number;
  /** Where the next one begins. */
  readonly next: number;
}

export interface Separator {
  readonly mark: string;
  /** Ordinary sentences hold it: only a line of nothing but headings begins a table. */
  readonly isLoose: boolean;
  /** A value may hold it too. */
  readonly isInValues: boolean;
  /** It stands at the edges of a row as well. */
  readonly isBar: boolean;
}

const cellsMax = 60;

const separators: readonly Separator[] = [
  { mark: "|", isLoose: false, isInValues: false, isBar: true },
  { mark: "│", isLoose: false, isInValues: false, isBar: true },
  { mark: "\t", isLoose: false, isInValues: false, isBar: false },
  { mark: ";", isLoose: false, isInValues: true, isBar: false },
  { mark: ",", isLoose: false, isInValues: true, isBar: false },
  { mark: "，", isLoose: true, isInValues: false, isBar: false },
  { mark: "、", isLoose: true, isInValues: false, isBar: false },
  { mark: "/", isLoose: true, isInValues: true, isBar: false },
  { mark: ":", isLoose: true, isInValues: true, isBar: false },
  { mark: " ", isLoose: true, isInValues: false, isBar: false },
];

/** Those that a line holds, the surest first. */
export const separatorsOf = (line: string): readonly Separator[] =>
  separators.filter(({ mark }) => line.includes(mark));

/** Cells without the white space and the quotes around them; the edges of a Markdown row are no cells. */
export function cellsOf(line: Line, { mark, isBar }: Separator): readonly Cell[] {
  const cells: Cell[] = [];
  const { text } = line;
  let at = 0;
  while (at <= text.length && cells.length < cellsMax) {
    const end = cellEnd(text, at, mark);
    const raw = text.slice(at, end);
    const bare = raw.trim().replace(/^(["'`*]{1,3})(.*)\1$/, "$2");
    // Aligned columns stand several blanks apart.
    if (mark !== " " || bare !== "")
      cells.push({ text: bare, start: line.start + at + Math.max(0, raw.indexOf(bare)) });
    at = end + 1;
  }
  if (!isBar) return cells;
  const first = cells[0]?.text === "" ? 1 : 0;
  return cells.slice(first, cells.at(-1)?.text === "" ? -1 : undefined);
}

/** The next separator outside quotes, and not behind a backslash. */
function cellEnd(text: string, from: number, mark: string): number {
  const quoted = /^[ \t]{0,8}"(?:[^"]|"")*"[ \t\r]{0,8}/.exec(text.slice(from));
  const behind = from + (quoted?.[0].length ?? 0);
  if (quoted !== null && (behind === text.length || text.startsWith(mark, behind))) return behind;
  let end = text.indexOf(mark, from);
  const isEscaped = (at: number): boolean => mark === "|" && text[at - 1] === "\\";
  while (end > 0 && isEscaped(end)) end = text.indexOf(mark, end + 1);
  return end === -1 ? text.length : end;
}
