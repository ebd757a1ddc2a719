/**
 * What was measured with each embedder, by its identity; written by bench/calibrate.ts and kept beside the models. An
 * embedder that nobody has measured gets cautious numbers, under which its similarities decide little.
 */
import type { Calibration } from "#domain";
import file from "../../models/calibrations.json";

/** Stands for every embedder that is not listed. */
const uncalibrated = "*";

const known: Readonly<Record<string, Calibration>> = file.embedders;

export function calibrationOf(id: string): Calibration & { readonly isCalibrated: boolean } {
  const own = known[id];
  return { ...(own ?? cautious), isCalibrated: own !== undefined };
}

const cautious: Calibration = file.embedders[uncalibrated];
