/** Says when, on which commit and where a result was measured. */
import { cpus, totalmem } from "node:os";
import { join } from "node:path";

export interface Measured {
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
}

export function measured(): Measured {
  const repository = join(import.meta.dir, "../..");
  const git = (...args: readonly string[]): string =>
    Bun.spawnSync(["git", "-C", repository, ...args])
      .stdout.toString()
      .trim();
  const changed = git("status", "--porcelain", "--untracked-files=no") === "" ? "" : " and changes";
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: `${git("rev-parse", "--short=8", "HEAD")}${changed}`,
    machine: `${process.platform} ${process.arch}, ${cpus().length} cores, ${gigabytes} GB`,
  };
}
