/**
 * Derives every floor, weight and threshold of an embedder from labelled data: from which cosine a hit counts, from
 * which two statements are compared as duplicates, how words and vectors share the score, what is near, and the gate.
 *
 *   bun bench/calibrate.ts [MODEL.bin] [--name NAME] [--write] [--misses]
 *
 * Without a model, the one that is shipped; with one, any file in the CST1 format, of any size and dimension. `--write`
 * puts the numbers under the model's identity into models/calibrations.json, from where the program reads them, and
 * derives anew what embedders get that nobody has measured.
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Calibration, Embedder } from "#domain";
import { loadEmbeddedModel, openStaticEmbedder } from "#embed";
import { calibrate, type Calibrated } from "./calibrate/calibrate.ts";
import { flag, option, printTable, round, writeJson } from "./report/table.ts";

const path = join(import.meta.dir, "../models/calibrations.json");

function open(file: string | undefined): Embedder {
  const opened =
    file === undefined
      ? loadEmbeddedModel()
      : openStaticEmbedder(readFileSync(file), {
          name: option("name", basename(file, ".bin")),
          sha256: null,
        });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value;
}

/** Above what unrelated texts reach with any embedder in use: an unmeasured one decides and merges next to nothing. */
const cautious = { similarityFloor: 0.8, duplicateFloor: 0.97, lexicalWeight: 0.7, nearShare: 0.7 };

/** Without vectors at all: what is left when their meaning is unknown. */
const blind = (embedder: Embedder): Embedder => ({
  identity: { ...embedder.identity, id: "*", isCalibrated: false },
  embed: () => null,
});

function print({ calibration, curve, openRecall, samples, wanting, halves }: Calibrated): void {
  const { gate, ...numbers } = calibration;
  printTable(["", ""], Object.entries(numbers));
  printTable(
    ["half of the projects", ...Object.keys(halves[0])],
    [
      ["A", ...Object.values(halves[0])],
      ["B", ...Object.values(halves[1])],
    ],
  );
  console.log(
    `gate: ${samples} prompts, ${wanting} want memory; recall with the gate open ${round(openRecall)}`,
  );
  printTable(
    ["kept silent, projects left out", ...curve.map(({ silence }) => silence.toFixed(2))],
    [["recall", ...curve.map(({ recall }) => round(recall).toFixed(3))]],
  );
  printTable(["weight", ""], [["bias", gate.bias], ...Object.entries(gate.weights)]);
  printTable(["threshold", ""], Object.entries(gate.thresholds));
}

const given = process.argv.slice(2).find((word) => word.endsWith(".bin"));
const embedder = open(given);
const measured = calibrate({ ...embedder, identity: { ...embedder.identity, isCalibrated: true } });
console.log(embedder.identity.id);
print(measured);
if (flag("misses"))
  for (const { sample, p } of measured.held.toSorted((a, b) => b.p - a.p))
    console.log(
      sample.y === 1 ? (sample.found > 0 ? "+" : "x") : "-",
      p.toFixed(2),
      sample.project,
      sample.prompt,
    );

if (flag("write")) {
  const before = JSON.parse(readFileSync(path, "utf8")) as {
    readonly embedders: Readonly<Record<string, Calibration>>;
  };
  const { gate } = calibrate(blind(embedder)).calibration;
  writeJson(path, {
    provenance: `Derived by bench/calibrate.ts from ${measured.samples} labelled prompts of invented projects (bench/gate/data) and labelled pairs (bench/calibrate/pairs.tsv). "*" is for embedders that nobody has measured.`,
    embedders: {
      ...before.embedders,
      [embedder.identity.id]: measured.calibration,
      "*": { ...cautious, fusedFloor: measured.calibration.fusedFloor, gate },
    },
  });
}
