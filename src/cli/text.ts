/**
 * Text for terminals. Memory text is data: whatever it holds, it can neither move the cursor, colour the screen nor
 * turn the reading direction. Pure.
 */
import {
  localDate,
  localTime,
  msPerDay,
  msPerHour,
  msPerMinute,
  msPerSecond,
  parseDuration,
} from "#kit";

/** Escape sequences (CSI, OSC, others), as a whole: what follows the escape is not text either. */
const escapes = new RegExp(
  String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\` +
    String.raw`|\u009c)?|\u001b[ -/]*[0-~]?`,
  "g",
);
/** Controls but tab and line feed; direction marks, embeddings, overrides and isolates; invisible separators. */
const controls =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Text of several lines that is safe on a terminal. */
export const safeText = (text: string): string =>
  text.replaceAll("\r\n", "\n").replace(escapes, "").replace(controls, "").replaceAll("\t", "  ");

export const safeLine = (text: string): string => safeText(text).replace(/\s+/gu, " ").trim();

/** JSON with escapes for what JSON.stringify leaves as it is and a terminal obeys. */
export const safeJson = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** The lines of a text, each with its end. */
export const linesOf = (lines: readonly string[]): string =>
  lines.map((line) => `${line}\n`).join("");

export const widthOf = (text: string): number => Bun.stringWidth(text);

/** Made when a text is too long: that takes a quarter of an empty program's start (measured). */
let segmenter: Intl.Segmenter | null = null;

/** Cuts to at most `cells`, whole graphemes only, with an ellipsis when something went. */
export function fit(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  segmenter ??= new Intl.Segmenter();
  let kept = "";
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    const next = width + widthOf(segment);
    if (next > cells - 1) break;
    kept += segment;
    width = next;
  }
  return cells < 1 ? "" : `${kept.trimEnd()}…`;
}

/** Breaks a text at spaces into lines of at most `cells`; existing line breaks stay. Null = no limit. */
export function wrap(text: string, cells: number | null): readonly string[] {
  return text.split("\n").flatMap((line) => (cells === null ? [line] : wrapLine(line, cells)));
}

function wrapLine(line: string, cells: number): readonly string[] {
  if (widthOf(line) <= cells) return [line];
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (widthOf(longer) <= cells || current === "") current = longer;
    else {
      lines.push(current);
      current = word;
    }
  }
  return [...lines, current];
}

/** `just now`, `5 min ago`, `3 h ago`, `4 d ago`, then the date. */
export function ageOf(atMs: number, nowMs: number): string {
  const ageMs = nowMs - atMs;
  if (ageMs < 0 || ageMs >= 30 * msPerDay) return localDate(atMs);
  if (ageMs < msPerMinute) return "just now";
  if (ageMs < msPerHour) return `${Math.floor(ageMs / msPerMinute)} min ago`;
  if (ageMs < msPerDay) return `${Math.floor(ageMs / msPerHour)} h ago`;
  return `${Math.floor(ageMs / msPerDay)} d ago`;
}

/** `2026-09-01 14:05`, on the clock of who types the command. */
export const timeOf = (atMs: number): string => localTime(atMs).replace("T", " ");

/** Last minute that a memory holds: `2026-09-01 23:59` where it ends with that day. */
export const lastMinuteOf = (expiresAtMs: number): string => timeOf(expiresAtMs - 1);

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Last day that a memory holds: `9 Dec`, with its year where it is another one. */
export function lastDayOf(expiresAtMs: number, nowMs: number): string {
  const last = localTime(expiresAtMs - 1);
  const [year = "", month, day] = last.slice(0, 10).split("-");
  const isThisYear = localTime(nowMs).startsWith(year);
  return `${Number(day)} ${months[Number(month) - 1]}${isThisYear ? "" : ` ${year}`}`;
}

/** `45 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
export function durationOf(ms: number): string {
  if (ms < msPerMinute) return `${Math.floor(ms / msPerSecond)} s`;
  if (ms < msPerHour) return `${Math.floor(ms / msPerMinute)} min`;
  if (ms < msPerDay)
    return `${Math.floor(ms / msPerHour)} h ${Math.floor((ms % msPerHour) / msPerMinute)} min`;
  return `${Math.floor(ms / msPerDay)} d ${Math.floor((ms % msPerDay) / msPerHour)} h`;
}

/** `512 B`, `3.4 KB`, `12.0 MB`. */
export function bytesOf(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_048_576) return `${(bytes / 1_024).toFixed(1)} KB`;
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}

/** A finite span in milliseconds: `90s`, `30m`, `1h`, `7d`; null for anything else, `never` included. */
export function parseSpan(text: string): number | null {
  const ms = parseDuration(text);
  return ms !== null && Number.isFinite(ms) ? ms : null;
}

/** Styles as functions; all of them leave the text alone when colour is off. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
}

/** Colour only on a terminal that can, and not when NO_COLOR says so (no-color.org: set and not empty). */
export function styleFor(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): Style {
  const isOn = isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  const paint = (open: number, close: number) => (text: string) =>
    isOn && text !== "" ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
  };
}

/** An answer to a question that ends with [y/N]. */
export const isYes = (answer: string | null): boolean => /^y(es)?$/i.test(answer?.trim() ?? "");

/** A cost in dollars; `-` where none is known. */
export const dollarsOf = (cost: number | null): string =>
  cost === null ? "-" : `$${cost.toFixed(4)}`;

// A table that knows how wide the terminal is. Pure.

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  readonly align?: "left" | "right";
  /** Cells this column keeps when the terminal is narrow; columns without it never shrink. */
  readonly least?: number;
}

const gap = "  ";

/**
 * Renders rows under a header, each line at most `width` cells (null = as wide as it needs to be). Cells are made
 * safe and single-line here, so callers cannot forget it.
 */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  options: { readonly width: number | null; readonly style: Style },
): string {
  const cells = rows.map((row) => columns.map(({ value }) => safeLine(value(row))));
  const natural = columns.map(({ title }, at) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[at] ?? ""))),
  );
  const widths = options.width === null ? natural : narrowed(columns, natural, options.width);
  const lineOf = (row: readonly string[]): string =>
    row
      .map((text, at) => pad(text, widths[at] ?? 0, columns[at]?.align ?? "left"))
      .join(gap)
      .trimEnd();
  const header = options.style.bold(lineOf(columns.map(({ title }) => title)));
  return linesOf([header, ...cells.map(lineOf)]);
}

/** Takes cells from the widest column that may still give, until the line fits or none can. */
function narrowed<Row>(
  columns: readonly Column<Row>[],
  natural: readonly number[],
  width: number,
): readonly number[] {
  const widths = [...natural];
  const spare = gap.length * (columns.length - 1);
  let excess = widths.reduce((sum, one) => sum + one, spare) - width;
  while (excess > 0) {
    const givers = columns.flatMap(({ least }, at) =>
      least !== undefined && (widths[at] ?? 0) > least ? [at] : [],
    );
    const [widest] = givers.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

function pad(text: string, width: number, align: "left" | "right"): string {
  const cut = fit(text, width);
  const fill = " ".repeat(Math.max(0, width - widthOf(cut)));
  return align === "right" ? fill + cut : cut + fill;
}
