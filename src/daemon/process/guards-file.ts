/** Keeps `guards.json` as the store says: the hook that reads it asks nobody else. */
import { readFileSync, rmSync } from "node:fs";
import type { ActiveGuard, HomePaths } from "#domain";
import { writeGuardFile } from "#hooks";
import { errorCode, type Log, writeWhole } from "#kit";

/**
 * Writes the file, whole or not at all, when it is not what it should be; without an approved guard there is none. A
 * disk that takes nothing is told in the log, and tried again with the next change.
 */
export function publishGuards(
  { paths, log }: { readonly paths: HomePaths; readonly log: Log },
  guards: readonly ActiveGuard[],
): void {
  const { guards: path } = paths;
  const wanted = guards.length === 0 ? null : writeGuardFile(guards);
  try {
    if (wanted === textOf(path)) return;
    if (wanted === null) rmSync(path, { force: true, recursive: true });
    else writeWhole(path, wanted);
  } catch (error) {
    const reason = error instanceof Error ? error.name : "unknown";
    log.write("error", "guards.not-written", { reason });
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return errorCode(error) === "ENOENT" ? null : ""; // What cannot be read is written anew.
  }
}
