/** Tables for terminals, percentiles, and the committed figures that later runs are compared with. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type Cell = string | number;

/** Columns as wide as their widest cell, numbers to the right. */
export function printTable(headers: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const lines = [headers, ...rows].map((row) => row.map(String));
  const widths = headers.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? "").length)),
  );
  for (const line of lines)
    console.log(
      line
        .map((cell, column) =>
          /^[\d.–+-]/.test(cell) && column > 0
            ? cell.padStart(widths[column] ?? 0)
            : cell.padEnd(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    );
  console.log("");
}

/** The value below which a share of the values lies; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Figures by name: what a bench measured, flat, so that two runs can be laid side by side. */
export type Figures = Readonly<Record<string, number>>;

const baselinesFile = join(import.meta.dir, "../baselines.json");

export function readBaselines(bench: string): Figures {
  if (!existsSync(baselinesFile)) return {};
  const all = JSON.parse(readFileSync(baselinesFile, "utf8")) as Record<string, Figures>;
  return all[bench] ?? {};
}

/** Replaces the figures of one bench; names that this run did not measure stay. */
export function saveBaselines(bench: string, figures: Figures): void {
  const all = existsSync(baselinesFile)
    ? (JSON.parse(readFileSync(baselinesFile, "utf8")) as Record<string, Figures>)
    : {};
  writeJson(baselinesFile, { ...all, [bench]: { ...all[bench], ...figures } });
}

/** `changesSince` lists the figures that changed by at least `least` since the committed run, as table rows. */
export function changesSince(
  baselines: Figures,
  figures: Figures,
  least: number,
): readonly (readonly Cell[])[] {
  return Object.entries(figures).flatMap(([name, value]) => {
    const before = baselines[name];
    if (before === undefined || Math.abs(value - before) < least) return [];
    return [
      [name, before, value, `${value > before ? "+" : "–"}${round(Math.abs(value - before))}`],
    ];
  });
}

export const round = (value: number, digits = 3): number =>
  Math.round(value * 10 ** digits) / 10 ** digits;

export function writeJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
