/** The tables of docs/performance.md and a chart for each of their figures, from the committed run. */
import {
  type FigureRow,
  figureRows,
  type Found,
  isMet,
  parts,
  type PerformanceRun,
} from "../../bench/performance/figures.ts";
import { figureChart } from "../../bench/report/figure-chart.ts";

export const page = "docs/performance.md";
const charts = "docs/images/performance";
const first = "<!-- written by `npm run bench -- performance-page` -->";
const last = "<!-- end -->";

const chartNameOf = (id: string): string => `${id.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.svg`;
const shown = (value: number | null): string =>
  value === null ? "not measured" : value.toLocaleString("en-US", { maximumFractionDigits: 2 });

const noFigure = (id: string): Found => ({ id, before: null, isBeforeOfRun: false, after: null });

/** Which figures of the run are above their targets, by the part of the page that tells why. */
export function missedIn(run: PerformanceRun): readonly FigureRow[] {
  return figureRows.filter((row) => {
    const after = run.figures.find(({ id }) => id === row.id)?.after ?? null;
    return after !== null && !isMet(row.unit, after, row.target);
  });
}

/** Charts by path, and the page with the tables of this run in the place of those it has. */
export function performanceFiles(
  run: PerformanceRun,
  pageNow: string,
): readonly (readonly [string, string])[] {
  const foundOf = ({ id }: FigureRow): Found =>
    run.figures.find((one) => one.id === id) ?? noFigure(id);
  const [start, end] = [pageNow.indexOf(first), pageNow.indexOf(last)];
  if (start < 0 || end < start) throw new Error(`${page} has no place for the tables`);
  const tables = parts.map((part) => tableOf(part, foundOf)).join("\n");
  const text = `${pageNow.slice(0, start)}${first}\n\n${aboutRun(run)}\n\n${tables}\n${pageNow.slice(end)}`;
  return [
    ...figureRows.map(
      (row) => [`${charts}/${chartNameOf(row.id)}`, chartOf(row, foundOf(row))] as const,
    ),
    [page, text],
  ];
}

const chartOf = ({ what, unit, target }: FigureRow, { before, after }: Found): string =>
  figureChart({ title: `${what.replaceAll("`", "")}, ${unit}`, before, after, target });

const aboutRun = ({ machine, load, rounds, seconds }: PerformanceRun): string =>
  `${machine}. Load of one minute as the run began: ${load}. ${rounds} rounds of commands, ${seconds} s in all.
A figure in *italics* is of an earlier run, or of a run of its own.`;

function tableOf(part: FigureRow["part"], foundOf: (row: FigureRow) => Found): string {
  const rows = figureRows
    .filter((row) => row.part === part)
    .map((row) => {
      const { id, what, unit, target, apart } = row;
      const { before, isBeforeOfRun, after } = foundOf(row);
      const more = unit === "MB/s" || unit === "events/s";
      const verdict = after === null ? "" : isMet(unit, after, target) ? "met" : "**missed**";
      const was = isBeforeOfRun || before === null ? shown(before) : `*${shown(before)}*`;
      const now = apart === undefined ? shown(after) : `*${shown(after)}* (${apart.run})`;
      const chart = `![${what.replaceAll("`", "")}](images/performance/${chartNameOf(id)})`;
      return `| ${what} | ${more ? "≥" : "≤"} ${shown(target)} ${unit} | ${was} | ${now} | ${verdict} | ${chart} |`;
    });
  return `### ${part}\n\n| what | target | before | after | | chart |\n|---|---|---|---|---|---|\n${rows.join("\n")}\n`;
}
