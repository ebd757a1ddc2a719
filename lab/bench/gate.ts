/**
 * A short form of the benches, as ratios of one run, against what was kept: says what became dearer by more than 15 %.
 *
 *   bun lab/bench/gate.ts [--rounds 7] [--binary dist/continuity] [--save]
 *
 * Commands and hooks are ratios to an empty compiled program, search to a plain FTS5 query over the same 1,000 memories,
 * ingest the time of an event in such queries; sizes are megabytes. `--save` replaces the kept figures. Ends with status 1
 * when a figure is beyond them.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { homePaths } from "#domain";
import { loadEmbeddedModel } from "#embed";
import { type Figures, printTable, readBaselines, round, saveBaselines } from "./report/table.ts";
import { flag, measuredProgram, option } from "../options.ts";
import { createCorpus } from "./scale/corpus.ts";
import { fillDatabase } from "./scale/fill.ts";
import { measureIngest, measureReading } from "./scale/measure.ts";

const beyond = 1.15;
const memories = 1_000;
const msPerSecond = 1_000;
const bytesPerMegabyte = 1_000_000;
const rounds = option("rounds", "7");
const binary = measuredProgram();
const folder = mkdtempSync(join(tmpdir(), "bench-gate-"));

interface Result {
  readonly name: string;
  readonly ratio: number;
  readonly rssMb?: number | null;
}

/** One of the benches of whole processes; that it ends with 1 says that a target is missed, which is not asked here. */
function benched(name: "commands" | "hooks"): Figures {
  const file = join(folder, `${name}.json`);
  const bench = join(import.meta.dir, `${name}.ts`);
  const args = ["--rounds", rounds, "--binary", binary, "--json", file];
  Bun.spawnSync([process.execPath, bench, ...args], { stdio: ["ignore", "ignore", "inherit"] });
  const { results } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly results: readonly Result[];
  };
  return Object.fromEntries(
    results
      // A hook whose socket hangs waits for its deadline, whatever it costs.
      .filter((result) => !/^empty|hung$/.test(result.name))
      .flatMap(({ name: what, ratio, rssMb }) => [
        [`${name} | ${what} | × empty`, round(ratio, 2)] as const,
        ...(typeof rssMb === "number"
          ? [[`${name} | ${what} | MB`, round(rssMb, 1)] as const]
          : []),
      ]),
  );
}

async function searched(): Promise<Figures> {
  const model = loadEmbeddedModel();
  if (!model.ok) throw new Error(model.error.type);
  const corpus = createCorpus();
  const home = join(folder, "home");
  mkdirSync(home, { mode: 0o700 });
  fillDatabase(homePaths(home).database, memories, { corpus, embedder: model.value });
  const reading = measureReading(home, memories, corpus);
  const names = ["find", "search", "injection", "start"] as const;
  const ingest = await measureIngest(home, corpus);
  const timesFts = (ms: number): number => round(ms / reading.fts.p50, 2);
  return {
    ...Object.fromEntries(
      names.map((name) => [`search | ${name} | × FTS5`, timesFts(reading[name].p50)]),
    ),
    "ingest | an event | × FTS5": timesFts(msPerSecond / ingest.perSecond),
  };
}

const sized = (): Figures => ({
  "size | program | MB": round(statSync(binary).size / bytesPerMegabyte, 1),
});

try {
  const found = { ...benched("commands"), ...benched("hooks"), ...(await searched()), ...sized() };
  const kept = readBaselines("gate");
  const rows = Object.entries(found).map(([name, value]) => {
    const before = kept[name];
    const isBeyond = before !== undefined && value > before * beyond;
    return { name, value, before, isBeyond };
  });
  printTable(
    ["figure", "kept", "now", ""],
    rows.map(({ name, value, before, isBeyond }) => [
      name,
      before ?? "–",
      value,
      isBeyond ? "BEYOND 15 %" : "",
    ]),
  );
  if (flag("save")) saveBaselines("gate", found);
  process.exitCode = rows.some(({ isBeyond }) => isBeyond) ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
