/** The figures of docs/performance.md: what each is called, what was wanted, and what it was before. A table. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface FigureRow {
  readonly id: string;
  readonly part: Part;
  readonly what: string;
  readonly unit: "× empty" | "ms" | "s" | "MB" | "MB/s" | "events/s";
  readonly target: number;
  /** Null = was not measured. */
  readonly before: number | null;
  /** Measured by another run than the table's: what it gave, and which run that was. */
  readonly apart?: { readonly after: number | null; readonly run: string };
}

export const parts = [
  "Command line",
  "Hooks",
  "Ingest and backfill",
  "Memory",
  "Search",
  "Size",
] as const;
export type Part = (typeof parts)[number];

/** Of these more is better; of all others less. */
export const isMet = (unit: FigureRow["unit"], value: number, target: number): boolean =>
  unit === "MB/s" || unit === "events/s" ? value >= target : value <= target;

type Rows = readonly (readonly [id: string, what: string, target: number, before: number | null])[];
const rowsOf = (part: Part, unit: FigureRow["unit"], rows: Rows): readonly FigureRow[] =>
  rows.map(([id, what, target, before]) => ({ id, part, what, unit, target, before }));

/** Names after `commands` and `hooks` are those of bench/commands.ts and bench/hooks.ts. */
export const figureRows: readonly FigureRow[] = [
  ...rowsOf("Command line", "× empty", [
    ["commands version", "`version`", 2, 1.6],
    ["commands help", "`help`", 2, 1.9],
    ["commands find --help", "`find --help`", 2, 1.9],
    ["commands completion", "`completion`", 2, 1.9],
    ["commands find", "`find`", 3.5, 5.2],
    ["commands search", "`search`", 3.5, 5.2],
    ["commands show", "`show`", 3.5, 3.5],
    ["commands list", "`list`", 3.5, 5.2],
    ["commands status", "`status`", 3.5, 4],
    ["commands remember", "`remember`", 3.5, 4],
    ["commands find, no daemon", "`find`, no daemon", 12, 62],
    ["commands list, no daemon", "`list`, no daemon", 12, 44],
    ["commands status, no daemon", "`status`, no daemon", 12, 41],
  ]),
  ...rowsOf("Command line", "ms", [["mcp ms", "MCP server, to its first answer", 60, 114]]),
  ...rowsOf("Command line", "MB", [["mcp MB", "MCP server, at its first answer", 45, 48]]),
  ...rowsOf("Hooks", "× empty", [
    ["hooks tool, daemon up", "`tool`", 2.05, 1.9],
    ["hooks stop, daemon up", "`stop`", 2.05, 1.9],
    ["hooks submit, daemon up", "`submit`", 2.2, 2.68],
    ["hooks tool, spooled", "`tool`, spooled", 2, 2.4],
    ["hooks stop, spooled", "`stop`, spooled", 2, 2.4],
    ["hooks submit, spooled", "`submit`, spooled", 2, 2.4],
    ["hooks start, reads for itself", "`start`, daemon away", 3.5, 5],
  ]),
  ...rowsOf("Ingest and backfill", "events/s", [
    ["ingest", "events, to the last memory, 10k", 5_000, 779],
    ["acknowledged", "events, to the acknowledgement, 10k", 5_000, 1_622],
  ]),
  ...rowsOf("Ingest and backfill", "MB/s", [
    ["backfill", "backfill of invented transcripts", 100, 34],
    ["backfill real", "backfill of real transcripts", 100, 8],
  ]),
  ...rowsOf("Memory", "MB", [
    ["daemon 10k", "daemon, 10k, quiet for 40 s", 60, 102.5],
    ["daemon 100k", "daemon, 100k, quiet for 40 s", 90, 127.3],
  ]),
  ...(
    [
      ["idle 10k", "daemon, 10k, ten idle minutes", 102.5, 40.8],
      ["idle 100k", "daemon, 100k, ten idle minutes", 127.3, 41.9],
    ] as const
  ).map(([id, what, before, after]): FigureRow => {
    const apart = { after, run: "a run of its own, on a busy machine" };
    return { id, part: "Memory", what, unit: "MB", target: 50, before, apart };
  }),
  ...rowsOf("Memory", "MB", [["importer", "importer", 200, null]]),
  ...rowsOf("Search", "ms", [
    ["find 1k", "find, 1k", 0.4, 0.595],
    ["find 10k", "find, 10k", 1, 1.457],
    ["find 100k", "find, 100k", 4, 5.094],
  ]),
  {
    id: "find 1M",
    part: "Search",
    what: "find, 1M",
    unit: "ms",
    target: 25,
    before: 33.834,
    apart: { after: null, run: "`bun bench/scale.ts --max 1m`" },
  },
  ...rowsOf("Search", "ms", [["injection 100k", "injection, 100k, 95 of 100", 5, null]]),
  ...rowsOf("Search", "s", [["sweep", "consolidation of 5,000 memories", 5, null]]),
  {
    id: "size windows",
    part: "Size",
    what: "program for Windows x64",
    unit: "MB",
    target: 125,
    before: null,
    apart: { after: 128.4, run: "`npm run release -- --only windows-x64`" },
  },
  ...rowsOf("Size", "MB", [
    ["size linux", "program for Linux x64", 125, 124.2],
    ["size rest", "without runtime and embedder", 12, 4],
  ]),
];

/** One figure as the run found it; null = not measured. */
export interface Found {
  readonly id: string;
  readonly before: number | null;
  /** True where `before` is of the same run. */
  readonly isBeforeOfRun: boolean;
  readonly after: number | null;
}

export interface PerformanceRun {
  readonly bench: "performance";
  readonly machine: string;
  /** Of one minute, as the run began. */
  readonly load: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly figures: readonly Found[];
}

export const runFile = join(import.meta.dir, "../results/performance.json");

export const readRun = (file: string): PerformanceRun =>
  JSON.parse(readFileSync(file, "utf8")) as PerformanceRun;
