/**
 * Derives the numbers of an embedder from labelled data: from which cosine a hit counts, from which two statements are
 * compared as duplicates, and how words and vectors share the score.
 *
 *   bun lab/bench/calibrate.ts [MODEL.bin] [--name NAME] [--write]
 *
 * Without a model, the one that is shipped; with one, any file in the CST2 format, of any size and dimension. `--write` puts
 * the numbers under the model's identity into models/calibrations.json, from where the program reads them.
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Calibration, Embedder } from "#domain";
import { loadEmbeddedModel, openStaticEmbedder } from "#embed";
import { calibrate, type Calibrated } from "./calibrate/calibrate.ts";
import { flag, option } from "../options.ts";
import { printTable, writeJson } from "./report/table.ts";

const path = join(import.meta.dir, "../../models/calibrations.json");

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

/** Above what unrelated texts reach with any embedder in use: an unmeasured one decides next to nothing. */
const cautious = { similarityFloor: 0.8, lexicalWeight: 0.7 };

function print({ calibration, halves }: Calibrated): void {
  printTable(["", ""], Object.entries(calibration));
  printTable(
    ["half of the projects", ...Object.keys(calibration)],
    halves.map((half, at) => [at === 0 ? "A" : "B", ...Object.values(half)]),
  );
}

const given = process.argv.slice(2).find((word) => word.endsWith(".bin"));
const embedder = open(given);
const measured = calibrate({ ...embedder, identity: { ...embedder.identity, isCalibrated: true } });
console.log(embedder.identity.id);
print(measured);
if (flag("write")) {
  const before = JSON.parse(readFileSync(path, "utf8")) as {
    readonly embedders: Readonly<Record<string, Calibration>>;
  };
  writeJson(path, {
    provenance: `Derived by lab/bench/calibrate.ts from ${measured.samples} labelled prompts of invented projects (lab/bench/calibrate/data). "*" is for embedders that nobody has measured.`,
    embedders: {
      ...before.embedders,
      [embedder.identity.id]: measured.calibration,
      "*": cautious,
    },
  });
}
