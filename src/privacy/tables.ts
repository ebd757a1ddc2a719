/** Secrets in the cells of tables: CSV and Markdown with a column for passwords, and rows of a name and a value. */
import { isLabelled, labelBeginnings, promiseOfLabel } from "./labels.ts";
import type { Trust } from "./names.ts";
import { hits, type Detector, type Span } from "./spans.ts";

const lineCharsMax = 400;
const cellsMax = 30;
const rowsMax = 500;
/** A heading is a few words. */
const heading = /^["']?[\p{L}_][\p{L}\p{N}_ .-]{0,30}["']?$/u;
const ruler = /^[\s|:-]+$/;

interface Cell {
  readonly text: string;
  /** Where it begins in the whole text. */
  readonly start: number;
}

interface Line {
  readonly text: string;
  readonly start: number;
  /** Where the next one begins. */
  readonly next: number;
}

function lineAt(text: string, start: number): Line {
  const end = text.indexOf("\n", start);
  const stop = end === -1 ? text.length : end;
  return { text: text.slice(start, Math.min(stop, start + lineCharsMax)), start, next: stop + 1 };
}

export const detectTables: Detector = (hay) => {
  const { text } = hay;
  if (!text.includes("\n")) return [];
  const spans: Span[] = [];
  let reached = 0;
  for (const at of [...hits(hay, labelBeginnings)].toSorted((a, b) => a - b)) {
    if (at < reached) continue;
    const line = lineAt(text, text.lastIndexOf("\n", at) + 1);
    reached = line.next;
    if (at - line.start > lineCharsMax) continue;
    spans.push(...cellsBelow(text, line));
  }
  return spans;
};

/** What is found in the line itself, and below it when it is a table's head. */
function cellsBelow(text: string, line: Line): readonly Span[] {
  const separator = ["|", "\t", ";", ","].find((mark) => line.text.includes(mark));
  if (separator === undefined) return [];
  const cells = cellsOf(line, separator);
  const isNamed = cells.length === 2 && /^[A-Z][A-Z0-9_]{3,40}$/.test(cells[0]?.text ?? "");
  const named = separator === "|" || isNamed ? namedCells(cells) : [];
  if (cells.length < 2 || !cells.every((cell) => heading.test(cell.text))) return named;
  const trusts = cells.map((cell) => promiseOfLabel(cell.text.replaceAll(/["']/g, "")));
  const promises = trusts.some((trust) => trust !== null && trust !== "weak");
  return promises ? [...named, ...columns(text, line.next, separator, trusts)] : named;
}

/** Cells without the white space and the quotes around them; the edges of a Markdown row are no cells. */
function cellsOf(line: Line, separator: string): readonly Cell[] {
  const cells: Cell[] = [];
  let at = line.start;
  for (const raw of line.text.split(separator, cellsMax)) {
    const bare = raw.trim().replace(/^(["'`*]{1,3})(.*)\1$/, "$2");
    cells.push({ text: bare, start: at + Math.max(0, raw.indexOf(bare)) });
    at += raw.length + 1;
  }
  if (separator !== "|") return cells;
  const first = cells[0]?.text === "" ? 1 : 0;
  return cells.slice(first, cells.at(-1)?.text === "" ? -1 : undefined);
}

/** The cells below headings that promise a secret. */
function columns(
  text: string,
  from: number,
  separator: string,
  trusts: readonly (Trust | null)[],
): readonly Span[] {
  const spans: Span[] = [];
  let at = from;
  for (let row = 0; row < rowsMax && at < text.length; row += 1) {
    const line = lineAt(text, at);
    at = line.next;
    if (separator === "|" && ruler.test(line.text)) continue;
    const cells = cellsOf(line, separator);
    if (cells.length !== trusts.length) break;
    for (const [index, cell] of cells.entries())
      spans.push(...spansOf(cell, trusts[index] ?? null));
  }
  return spans;
}

/** `| API_KEY | value |`: a cell that is a name, and the one behind it. */
const namedCells = (cells: readonly Cell[]): readonly Span[] =>
  cells.slice(1).flatMap((cell, index) => {
    const name = cells[index]?.text ?? "";
    return /^[\w.-]{3,40}$|^[\p{L} ]{3,30}$/u.test(name) ? spansOf(cell, promiseOfLabel(name)) : [];
  });

function spansOf({ text, start }: Cell, trust: Trust | null): readonly Span[] {
  if (trust === null || trust === "weak" || /\s/.test(text) || !isLabelled(text, trust)) return [];
  return [{ start, end: start + text.length, kind: trust === "password" ? "password" : "secret" }];
}
