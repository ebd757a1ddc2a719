/** A table that knows how wide the terminal is. Pure. */
import { fit, safeLine, widthOf, type Style } from "./text.ts";

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
  return [header, ...cells.map(lineOf)].map((line) => `${line}\n`).join("");
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
