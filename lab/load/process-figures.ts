/** Reads a process's memory and handles, as Linux tells them, over time. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface ProcessFigures {
  /** Resident, MB: with the program's own pages, which the system shares and takes back. */
  readonly residentMb: number;
  /** Private and anonymous, MB: what the process itself asked for. */
  readonly ownMb: number;
  readonly descriptors: number;
}

const kilobytesPerMegabyte = 1_000;

/** Null when the process is gone. */
export function figuresOf(pid: number): ProcessFigures | null {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    const of = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(rollup)?.[1] ?? 0) / kilobytesPerMegabyte;
    const descriptors = readdirSync(`/proc/${pid}/fd`).length;
    return { residentMb: of("Rss"), ownMb: of("Anonymous"), descriptors };
  } catch {
    return null;
  }
}

/** Bytes of all files below a folder, MB. */
export function diskMb(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    bytes += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes / 1_000_000;
}

/** The line through figures at even distances: what it rises by from the first to the last, and how far they stray. */
export function trend(figures: readonly number[]): {
  readonly rise: number;
  readonly stray: number;
} {
  const n = figures.length;
  if (n < 2) return { rise: 0, stray: 0 };
  const middle = (n - 1) / 2;
  const mean = figures.reduce((sum, one) => sum + one, 0) / n;
  const spread = figures.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
  const slope = figures.reduce((sum, one, at) => sum + (at - middle) * (one - mean), 0) / spread;
  const off = figures.map((one, at) => one - mean - slope * (at - middle));
  const stray = Math.sqrt(off.reduce((sum, one) => sum + one ** 2, 0) / n);
  return { rise: slope * (n - 1), stray };
}
