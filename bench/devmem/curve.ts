/**
 * The gate's curve over a memory that was filled by recorded sessions: how many needed facts prompts are given when so
 * many of the others stay silent. The gate is held open, each probe's probability is noted, and the threshold moves.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadEmbeddedModel } from "#embed";
import type { Embedder } from "#domain";
import { openTestWorker } from "../../test/support/worker.ts";
import { percentile, printTable } from "../report/table.ts";
import { type Probed, readSessions } from "./sessions.ts";

const silences = [0.8, 0.85, 0.9, 0.95];

/** `memory`: a home folder with continuity.db, as it was after the last session; it is copied. */
export function printCurve(bench: string, split: string, memory: string): void {
  const folder = mkdtempSync(join(tmpdir(), "devmem-curve-"));
  mkdirSync(join(folder, "home"), { recursive: true });
  cpSync(memory, join(folder, "home"), { recursive: true });
  const sessions = readSessions(bench, split);
  using app = openTestWorker({ folder: join(folder, "home"), embedder: openGate() });
  app.clock.advance(Date.parse("2026-11-20T00:00:00Z") - app.startMs);
  const probed = sessions.probe(app);
  const quiet = new Set(
    sessions.gold.probes.filter(({ needs }) => needs.length === 0).map(({ id }) => id),
  );
  const scoreAt = (threshold: number) =>
    scoresOf(bench, split, {
      file: join(folder, "probes.jsonl"),
      rows: probed.map((one) =>
        one.probability >= threshold ? one : { ...one, injected_text: "", tokens: 0 },
      ),
    });
  const normal = embedder().identity.gate.thresholds.normal;
  const rows = silences.map((silence) => {
    const others = probed.filter(({ probe_id }) => quiet.has(probe_id));
    const threshold = percentile(
      others.map(({ probability }) => probability),
      silence,
    );
    return [`silence ${silence}`, threshold + 1e-6] as const;
  });
  console.log(`the gate's curve, ${split}`);
  printTable(
    ["", "threshold", "fact recall", "kept silent", "stale"],
    [["default", normal] as const, ...rows].map(([name, threshold]) => {
      const { recall, silent, stale } = scoreAt(threshold);
      return [name, threshold.toFixed(3), recall.toFixed(3), silent.toFixed(3), stale];
    }),
  );
  rmSync(folder, { recursive: true, force: true });
}

function embedder(): Embedder {
  const loaded = loadEmbeddedModel();
  if (!loaded.ok) throw new Error(loaded.error.type);
  return loaded.value;
}

function openGate(): Embedder {
  const { identity, embed } = embedder();
  const thresholds = { low: 0, normal: 0, high: 0 };
  return { embed, identity: { ...identity, gate: { ...identity.gate, thresholds } } };
}

interface Scores {
  readonly recall: number;
  readonly silent: number;
  readonly stale: number;
}

function scoresOf(
  bench: string,
  split: string,
  { file, rows }: { readonly file: string; readonly rows: readonly Probed[] },
): Scores {
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const done = Bun.spawnSync(
    [process.execPath, "score.ts", "--gold", `${split}/gold.json`, "--probes", file, "--json"],
    { cwd: bench, stderr: "inherit" },
  );
  const scores = JSON.parse(done.stdout.toString()) as {
    readonly probes: readonly Readonly<Record<string, string | number>>[];
    readonly silence: Readonly<Record<string, number>>;
  };
  const asked = scores.probes.find(({ kind }) => kind === "ALL with needs");
  return {
    recall: Number(asked?.["fact_recall"]),
    silent: Number(scores.silence["kept_silent"]),
    stale: Number(asked?.["stale"]),
  };
}
