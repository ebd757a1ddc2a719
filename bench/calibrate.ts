/**
 * Derives the numbers of an embedder from labelled data: from which cosine a hit counts, from which two statements are
 * compared as duplicates, and how words and vectors share the score.
 *
 *   bun bench/calibrate.ts [MODEL.bin | FOLDER] [--name NAME] [--write]
 *
 * Without a model, the one that is shipped; with one, any file in the CST2 format, of any size and dimension, or the
 * folder of a transformer that `continuity embedder install` fetched. `--write` puts the numbers under the model's
 * identity into models/calibrations.json, from where the program reads them; those of a folder into `calibration.json`
 * there, where the installed program finds them without being built again.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Calibration, Embedder } from "#domain";
import { installedIdentity, loadEmbeddedModel, openStaticEmbedder } from "#embed";
import { installedModels, openTransformer } from "#embed/transformer";
import { calibrate, type Calibrated } from "./calibrate/calibrate.ts";
import { readLabelled } from "./calibrate/labelled.ts";
import { flag, option, printTable, writeJson } from "./report/table.ts";

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

/** Prompts are embedded as questions, all else as documents; each text once, since a pass takes them again and again. */
function openFolder(folder: string): Embedder {
  const models = dirname(folder);
  const model = installedModels(models).find(
    ({ name }) => name.replace("/", "--") === basename(folder),
  );
  const identity = model === undefined ? null : installedIdentity(models, model.name);
  if (model === undefined || identity === null)
    throw new Error(`${folder} holds no installed model`);
  const opened = openTransformer(folder, model);
  if (!opened.ok) throw new Error(opened.error);
  const prompts = new Set(readLabelled().prompts.map(({ prompt }) => prompt));
  const known = new Map<string, Float32Array>();
  const embed = (text: string): Float32Array => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const vector = opened.value.embed(text, prompts.has(text) ? "query" : "document");
    known.set(text, vector);
    return vector;
  };
  return { identity, embed };
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
const folder = process.argv.slice(2).find((word) => existsSync(join(word, "model.json")));
const embedder = folder === undefined ? open(given) : openFolder(resolve(folder));
const measured = calibrate({ ...embedder, identity: { ...embedder.identity, isCalibrated: true } });
console.log(embedder.identity.id);
print(measured);
if (flag("write") && folder !== undefined)
  writeJson(join(folder, "calibration.json"), measured.calibration);
else if (flag("write")) {
  const before = JSON.parse(readFileSync(path, "utf8")) as {
    readonly embedders: Readonly<Record<string, Calibration>>;
  };
  writeJson(path, {
    provenance: `Derived by bench/calibrate.ts from ${measured.samples} labelled prompts of invented projects (bench/calibrate/data). "*" is for embedders that nobody has measured.`,
    embedders: {
      ...before.embedders,
      [embedder.identity.id]: measured.calibration,
      "*": cautious,
    },
  });
}
