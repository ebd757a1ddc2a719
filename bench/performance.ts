/**
 * Every figure of docs/performance.md from one run.
 *
 *   bun bench/performance.ts --json bench/results/performance.json
 *     [--before FOLDER]         an older checkout with its program in dist/continuity: the two take turns
 *     [--rounds 12]             of commands; of hooks three times as many
 *     [--minutes 7]             begins nothing after so many, and says what it left out
 *     [--transcripts FOLDER]    real transcripts, for the backfill of them
 *
 * `npm run bench -- performance-page` writes the page's tables and charts from that file.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { figureRows, type PerformanceRun } from "./performance/figures.ts";
import {
  type Checkout,
  ingested,
  residents,
  searched,
  swept,
  type Values,
} from "./performance/inside.ts";
import { mean, option, printTable, round, writeJson } from "./report/table.ts";

const bytesPerMegabyte = 1_000_000;
const bytesPerGigabyte = 2 ** 30;
const msPerSecond = 1_000;
const msPerMinute = 60_000;
const inventedMegabytes = 100;
const hooksPerCommand = 3;

const root = join(import.meta.dir, "..");
const rounds = Number(option("rounds", "12"));
/** Nothing is begun after so many. */
const minutesMost = Number(option("minutes", "7"));
const transcripts = option("transcripts", "");
const before = option("before", "");
const folder = mkdtempSync(join(tmpdir(), "bench-performance-"));
const started = performance.now();
const load = round(loadavg()[0] ?? 0, 1);

const checkoutOf = (path: string, name: string): Checkout => ({
  root: path,
  binary: join(path, "dist/continuity"),
  folder: join(folder, name),
});

interface ProcessResult {
  readonly name: string;
  readonly ratio: number;
  readonly wallMs?: number;
  readonly rssMb?: number | null;
}

/** A bench of its own; that it ends with 1 says that a target is missed, which is not asked here. */
function ran(name: string, args: readonly string[]): unknown {
  const file = join(folder, `${name}.json`);
  rmSync(file, { force: true });
  const bench = join(import.meta.dir, `${name}.ts`);
  Bun.spawnSync([process.execPath, bench, ...args, "--json", file], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return JSON.parse(readFileSync(file, "utf8"));
}

function processes(name: "commands" | "hooks", times: number, { binary }: Checkout): Values {
  const args = ["--rounds", `${times}`, "--binary", binary];
  const { results } = ran(name, args) as { readonly results: readonly ProcessResult[] };
  return Object.fromEntries(
    results.flatMap(
      ({ name: what, ratio, wallMs, rssMb }): readonly (readonly [string, number])[] =>
        what.startsWith("mcp")
          ? [
              ["mcp ms", wallMs ?? Number.NaN],
              ["mcp MB", rssMb ?? Number.NaN],
            ]
          : [[`${name} ${what}`, ratio]],
    ),
  );
}

function backfilled(source: "invented" | "real", { binary }: Checkout): Values {
  const args = ["--kills", "0", "--binary", binary];
  const from = source === "real" ? ["--folder", transcripts] : ["--mb", `${inventedMegabytes}`];
  const { mb_per_second: rate, importer_mb: importer } = ran("import", [...args, ...from]) as {
    readonly mb_per_second: number;
    readonly importer_mb: number;
  };
  return { [source === "real" ? "backfill real" : "backfill"]: rate, importer };
}

async function sized({ binary, root: path }: Checkout): Promise<Values> {
  const megabytes = (bytes: number): number => bytes / bytesPerMegabyte;
  const model = await Bun.file(join(path, "models/cst-256-v4.bin")).bytes();
  const whole = megabytes(statSync(binary).size);
  const runtime = megabytes(statSync(process.execPath).size);
  return {
    "size linux": whole,
    "size rest": whole - runtime - megabytes(Bun.zstdCompressSync(model, { level: 9 }).length),
  };
}

type Step = (checkout: Checkout) => Values | Promise<Values>;
const steps: Readonly<Record<string, Step>> = {
  commands: (one) => processes("commands", rounds, one),
  hooks: (one) => processes("hooks", rounds * hooksPerCommand, one),
  "find and injection, 1k": (one) => searched(one, "1k"),
  "find and injection, 10k": (one) => searched(one, "10k"),
  "find and injection, 100k": (one) => searched(one, "100k"),
  ingest: ingested,
  consolidation: swept,
  "backfill, invented": (one) => backfilled("invented", one),
  ...(transcripts === "" ? {} : { "backfill, real": (one: Checkout) => backfilled("real", one) }),
  memory: residents,
  size: sized,
};

type Side = "before" | "after";
const checkouts: readonly (readonly [Side, Checkout])[] = [
  ...(before === "" ? [] : [["before", checkoutOf(resolve(before), "before")] as const]),
  ["after", checkoutOf(root, "after")],
];
const found: Record<Side, Map<string, number[]>> = { before: new Map(), after: new Map() };

async function take(side: Side, name: string, work: () => Values | Promise<Values>): Promise<void> {
  const from = performance.now();
  if (from - started > minutesMost * msPerMinute) {
    console.error(`${name}, ${side}: left out, the run has taken ${minutesMost} minutes`);
    return;
  }
  // What one side cannot do is a figure that is missing, and no reason to lose the others.
  const values = await Promise.resolve()
    .then(work)
    .catch((error: unknown) => {
      console.error(`${name}, ${side}: ${error instanceof Error ? error.message : "failed"}`);
      return {};
    });
  for (const [id, value] of Object.entries(values))
    if (Number.isFinite(value)) found[side].set(id, [...(found[side].get(id) ?? []), value]);
  const seconds = ((performance.now() - from) / msPerSecond).toFixed(0);
  console.error(`${name}, ${side}: ${seconds} s`);
}

try {
  for (const [name, step] of Object.entries(steps))
    for (const [side, checkout] of checkouts) await take(side, name, () => step(checkout));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const valueOf = (side: Side, id: string): number | null => {
  const values = found[side].get(id);
  // The importer runs twice.
  if (values === undefined) return null;
  return round(id === "importer" ? Math.max(...values) : mean(values), 2);
};

const run: PerformanceRun = {
  bench: "performance",
  machine: `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, ${Math.round(totalmem() / bytesPerGigabyte)} GB, ${process.platform}-${process.arch}, Bun ${Bun.version}`,
  load,
  rounds,
  seconds: Math.round((performance.now() - started) / msPerSecond),
  figures: figureRows.map(({ id, before: kept, apart }) => {
    const ofRun = valueOf("before", id);
    const after = valueOf("after", id) ?? apart?.after ?? null;
    return { id, before: ofRun ?? kept, isBeforeOfRun: ofRun !== null, after };
  }),
};
printTable(
  ["figure", "target", "before", "after"],
  run.figures.map(({ id, before: was, after }, at) => [
    id,
    figureRows[at]?.target ?? "–",
    was ?? "–",
    after ?? "–",
  ]),
);
const file = option("json", "");
if (file === "") console.log(JSON.stringify(run));
else writeJson(resolve(file), run);
