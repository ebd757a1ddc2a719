/**
 * Measures how cost grows with what is remembered: find, prompt injection, start context, ingest and the daemon's
 * memory at a thousand to a million memories, each also as a ratio to a plain FTS5 query of the same run.
 *
 *   bun lab/bench/scale.ts [--max 1m] [--only 100k] [--binary dist/continuity] [--keep DIR]
 *
 * Prints tables, and ends with status 1 when a figure is above its target. `--keep` leaves the filled stores in a folder
 * for the next run.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { loadEmbeddedModel } from "#embed";
import { homePaths } from "#domain";
import { measuredProgram, option } from "../options.ts";
import { printTable } from "./report/table.ts";
import { createCorpus } from "./scale/corpus.ts";
import { fillDatabase } from "./scale/fill.ts";
import { type Ingested, measureIngest, measureReading, type Measured } from "./scale/measure.ts";
import { measureResident, type Resident } from "./scale/resident.ts";

interface Row extends Measured {
  readonly memories: number;
  /** Null where a copy of the store would take longer than it tells. */
  readonly ingest: Ingested | null;
  readonly resident: Resident | null;
}

/** docs/design/retrieval.md, "Targets": ms, events per second, megabytes, by number of memories. */
interface Target {
  readonly find?: number;
  readonly injection?: number;
  readonly start?: number;
  readonly perSecond?: number;
  readonly rssMb?: number;
}
const targets: Readonly<Record<number, Target>> = {
  0: { rssMb: 60 },
  1_000: { find: 0.5 },
  10_000: { find: 1.5, perSecond: 5_000, rssMb: 80 },
  100_000: { find: 6, injection: 10, start: 15, perSecond: 5_000, rssMb: 140 },
  1_000_000: { find: 40, rssMb: 2_048 },
};
const sizes = [0, 1_000, 10_000, 100_000, 1_000_000];

const countOf = (text: string): number =>
  Number(text.replace(/[km]$/i, "")) * (/k$/i.test(text) ? 1e3 : /m$/i.test(text) ? 1e6 : 1);
const nameOf = (n: number): string =>
  n >= 1e6 ? `${n / 1e6}M` : n >= 1e3 ? `${n / 1e3}k` : n === 0 ? "empty" : String(n);

const corpus = createCorpus();
const loaded = loadEmbeddedModel();
if (!loaded.ok) throw new Error(loaded.error.type);
const embedder = loaded.value;
const binary = measuredProgram();

/** A home with so many memories; the empty one is left for the daemon to make. */
function filled(folder: string, memories: number): string {
  const home = join(folder, nameOf(memories));
  const { database } = homePaths(home);
  if (existsSync(database)) return home;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if (memories > 0) fillDatabase(database, memories, { corpus, embedder });
  return home;
}

async function measure(folder: string, memories: number): Promise<Row> {
  const home = filled(folder, memories);
  const resident = existsSync(binary)
    ? await measureResident([binary], { home, memories, corpus })
    : null;
  const reading = measureReading(home, Math.max(1, memories), corpus);
  if (memories > ingestMax) return { memories, ...reading, ingest: null, resident };
  // Events change the store: they go into a copy.
  const copy = `${home}-ingest`;
  cpSync(home, copy, { recursive: true });
  const ingest = await measureIngest(copy, corpus);
  rmSync(copy, { recursive: true, force: true });
  return { memories, ...reading, ingest, resident };
}

const ingestMax = 100_000;

const timed = ["find", "search", "injection", "start"] as const;

function print(rows: readonly Row[]): void {
  const ms = (value: number): string => value.toFixed(2);
  console.log("ms, median (95 of 100)");
  printTable(
    ["memories", "FTS5 alone", ...timed, "found", "opened in"],
    rows.map((row) => [
      nameOf(row.memories),
      ms(row.fts.p50),
      ...timed.map((name) => `${ms(row[name].p50)} (${ms(row[name].p95)})`),
      row.found.toFixed(2),
      ms(row.openMs),
    ]),
  );
  console.log("times a plain FTS5 query of the same run");
  printTable(
    ["memories", ...timed],
    rows.map((row) => [
      nameOf(row.memories),
      ...timed.map((name) => ms(row[name].p50 / row.fts.p50)),
    ]),
  );
  printTable(
    ["memories", "events/s", "acknowledged/s", "RSS MB", "of its own", "ready ms"],
    rows.map(({ memories, ingest, resident }) => [
      nameOf(memories),
      ingest?.perSecond ?? "–",
      ingest?.acceptedPerSecond ?? "–",
      resident?.rssMb ?? "–",
      resident?.ownMb ?? "–",
      resident?.readyMs ?? "–",
    ]),
  );
}

function missedOf(row: Row): readonly string[] {
  const target = targets[row.memories] ?? {};
  const at = nameOf(row.memories);
  const above = (name: string, value: number, wanted: number | undefined): readonly string[] =>
    wanted === undefined || value <= wanted ? [] : [`${name} at ${at}: ${value}, not ${wanted}`];
  return [
    ...(["find", "injection", "start"] as const).flatMap((name) =>
      above(`${name} ms`, row[name].p50, target[name]),
    ),
    ...above("RSS MB", row.resident?.rssMb ?? 0, target.rssMb),
    ...(row.ingest !== null && row.ingest.perSecond < (target.perSecond ?? 0)
      ? [`events/s at ${at}: ${row.ingest.perSecond}, not ${target.perSecond ?? 0}`]
      : []),
    ...(row.ingest?.searchable === false ? [`what was ingested at ${at} is not found`] : []),
  ];
}

async function main(): Promise<number> {
  const max = countOf(option("max", "1m"));
  const only = option("only", "");
  const keep = option("keep", "");
  const folder = keep === "" ? mkdtempSync(join(tmpdir(), "continuity-scale-")) : resolve(keep);
  const rows: Row[] = [];
  try {
    for (const memories of sizes) {
      if (memories > max || (only !== "" && memories !== countOf(only))) continue;
      rows.push(await measure(folder, memories));
      console.error(`${nameOf(memories)} measured`);
    }
  } finally {
    if (keep === "") rmSync(folder, { recursive: true, force: true });
  }
  print(rows);
  const missed = rows.flatMap(missedOf);
  for (const one of missed) console.log(`above target: ${one}`);
  return missed.length > 0 ? 1 : 0;
}

process.exitCode = await main();
