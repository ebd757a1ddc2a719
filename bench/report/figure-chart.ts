/** A small SVG chart of one figure: what it was, what it is, and what was wanted. */
import { bar, svgText, wholeSvg } from "./chart.ts";

export interface FigureChart {
  readonly title: string;
  /** Null = was not measured. */
  readonly before: number | null;
  readonly after: number | null;
  readonly target: number;
}

const width = 300;
const left = 52;
const widest = 180;
const rowHeight = 18;
const colours = { before: "#8a94a6", after: "#1f5f99", target: "#d97706" } as const;

export function figureChart({ title, before, after, target }: FigureChart): string {
  const most = Math.max(before ?? 0, after ?? 0, target, Number.MIN_VALUE);
  const rows = Object.entries({ before, after, target }).map(([name, value], at) => {
    const y = 28 + at * rowHeight;
    const length = ((value ?? 0) / most) * widest;
    const said = value === null ? "not measured" : `${Math.round(value * 100) / 100}`;
    const box = { x: left, y, width: length, height: rowHeight - 5 };
    return `${svgText(left - 6, y + 11, name, "end")}${bar(box, colours[name as keyof typeof colours])}${svgText(left + length + 5, y + 11, said)}`;
  });
  return wholeSvg(width, 28 + 3 * rowHeight, [svgText(6, 16, title), ...rows]);
}
