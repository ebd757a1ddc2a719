/** What is known about an installed model without opening it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Calibration, EmbedderIdentity } from "#domain";
import { calibrationOf } from "./calibrations.ts";
import { calibrationFile, folderOf, installedModel } from "./transformer/models.ts";

const checksumChars = 12;

/**
 * Identity of an installed model: its name and the beginning of its weights' checksum. Figures that were measured on
 * this machine (bench/calibrate.ts) lie beside its files. Null where no such model is installed.
 */
export function installedIdentity(models: string, name: string): EmbedderIdentity | null {
  const model = installedModel(models, name);
  const folder = folderOf(models, name);
  if (model === null || folder === null) return null;
  const sum = model.files["model.safetensors"].sha256.slice(0, checksumChars);
  const id = `${model.name}@${sum}`;
  const known = { id, dimension: model.dimension, ...calibrationOf(id) };
  const own = ownFigures(join(folder, calibrationFile));
  return own === null ? known : { ...known, ...own, isCalibrated: true };
}

function ownFigures(path: string): Calibration | null {
  try {
    const told = JSON.parse(readFileSync(path, "utf8")) as Calibration;
    const { similarityFloor, lexicalWeight } = told;
    const figures = { similarityFloor, lexicalWeight };
    const isFigure = (value: unknown): boolean =>
      typeof value === "number" && value >= 0 && value <= 1;
    return Object.values(figures).every(isFigure) ? figures : null;
  } catch {
    return null; // Usually there is none.
  }
}
