/**
 * Trains all that is learnt, in the order in which one leans on the other, and prints the figures of each with people left
 * out of the training beside the fitted ones.
 *
 *   bun lab/train/all.ts [--real DIR] [--folds DIR] [--write]
 *
 * `--real DIR`: a folder outside the project with prompts of real developers and their labels (see lab/train/README.md); only
 * weights are kept of them. `--folds DIR`: embedders that have not read the developer in question, without which figures
 * of what leans on vectors are too good (lab/train/embedder/make.ts leaves them in FOLDER/folds). Without `--write` nothing is changed. About ten minutes on two cores.
 */
import { join } from "node:path";

const at = process.argv.indexOf("--real");
const folder = at < 0 ? null : (process.argv[at + 1] ?? null);
const write = process.argv.includes("--write") ? ["--write"] : [];
const real = (path: string): readonly string[] =>
  folder === null ? [] : ["--real", join(folder, path)];
const foldsAt = process.argv.indexOf("--folds");
const folds = foldsAt < 0 ? [] : ["--folds", process.argv[foldsAt + 1] ?? ""];

const steps: readonly (readonly [script: string, options: readonly string[]])[] = [
  ["reader.ts", real("labels")],
  ["worth.ts", real("sentences.json")],
  ["wording.ts", real("prompts.json")],
  ["closeness.ts", folds],
  ["gate.ts", [...folds, ...real("quotations.json")]],
];
for (const [script, options] of steps) {
  console.log(`== ${script}`);
  const { exitCode } = Bun.spawnSync(
    [process.execPath, join(import.meta.dir, script), ...options, ...write],
    { stdout: "inherit", stderr: "inherit" },
  );
  if (exitCode !== 0) process.exit(exitCode);
}
