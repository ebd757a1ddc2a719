/**
 * Makes the embedder, from nothing but this folder and the package registries:
 *
 *   bun lab/train/embedder/make.ts FOLDER [--steps 16000] [--without INGREDIENT]…
 *
 * FOLDER keeps what was fetched and computed; a second run begins where the first one ended. The model is
 * FOLDER/model.bin;
 * FOLDER/folds holds four models that have each not read a quarter of the developers of lab/train/voices, for
 * measuring.
 * Needs cc, npm, pip, unzip and Debian's apt. On two cores the teacher takes about eleven minutes, the trainings
 * eighteen.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { $ } from "bun";
import { foldsCount, voiceDraws } from "./folds.ts";

const here = import.meta.dir;
const dimension = 256;
/** The number of draws of each source: what was written for this is worth more than its size, WordNet less. */
const draws = {
  lexicon: 2,
  pairs: 2.5,
  rules: 1.2,
  multi: 1.5,
  stores: 5,
  parallel: 7,
  debian: 1.5,
  wordnet: 1,
  web: 0.2,
};
const settings = ["first=1e-4", "teach=0.5", "blend=0.7", "scale=10"];
/**
 * The second training, in which words meet one by one (late.c): short, slow and with many words left out, since it
 * learns by heart what it is given twice. Only now are the developers of lab/train/voices read.
 */
const late = {
  steps: 2_500,
  draws: {
    lexicon: 1,
    pairs: 3,
    rules: 2,
    multi: 1,
    stores: 4,
    parallel: 3,
    debian: 0.5,
    wordnet: 0.3,
    web: 0.1,
  },
  voice: 1.2,
  settings: ["scale=8", "learn=0.02", "rate=0.006", "drop=0.25", "split=0.15", "hide=0.7"],
};
const weights = (of: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(of).map(([source, weight]) => `${source}=${weight}`);

const folder = resolve(process.argv[2] ?? "");
const after = (name: string): string[] =>
  process.argv.flatMap((word, at) => (word === `--${name}` ? (process.argv[at + 1] ?? []) : []));
const steps = after("steps")[0] ?? "16000";
const sources = join(folder, "sources");
/** cst-256-v3, which has read no developer of lab/train/voices: its words, and how much each counts, are where a new one begins. */
const start = join(here, "start.bin");

if (process.argv[2] === undefined) throw new Error("name the folder to work in");
mkdirSync(folder, { recursive: true });
if (!existsSync(join(sources, "done"))) {
  await $`sh ${join(here, "sources.sh")} ${sources}`;
  await Bun.write(join(sources, "done"), "");
}
for (const program of ["teacher", "train", "late"])
  await $`cc -O3 -march=native -ffast-math ${join(here, `${program}.c`)} -lm -o ${join(folder, program)}`;
await $`${process.execPath} ${join(here, "parallel.ts")} ${sources} > ${join(folder, "parallel.tsv")}`;
await $`${process.execPath} ${join(here, "prepare.ts")} ${sources} ${join(folder, "parallel.tsv")} ${start} ${folder} ${after("without")}`;
await $`${process.execPath} ${join(here, "teacher.ts")} ${join(sources, "teacher")} ${join(folder, "lines.txt")} ${join(folder, "targets.f32")} ${join(folder, "teacher")} ${dimension}`;
await $`${join(folder, "train")} ${folder} ${join(folder, "vectors.f32")} ${steps} ${dimension} ${weights(draws)} ${voiceDraws(0, null)} ${settings}`;

/** Trains on without the developers of a fold, and packs what comes out. */
async function meet(without: number | null, out: string): Promise<void> {
  const vectors = `${out}.f32`;
  const voices = voiceDraws(late.voice, without);
  await $`${join(folder, "late")} ${folder} vectors.f32 ${vectors} ${late.steps} ${dimension} ${weights(late.draws)} ${voices} ${late.settings}`;
  await $`${process.execPath} ${join(here, "pack.ts")} ${join(folder, "vocabulary.txt")} ${vectors} ${out}.bin`;
}

mkdirSync(join(folder, "folds"), { recursive: true });
await meet(null, join(folder, "model"));
for (let fold = 0; fold < foldsCount; fold += 2)
  await Promise.all([fold, fold + 1].map((one) => meet(one, join(folder, "folds", String(one)))));
await $`${process.execPath} ${join(here, "measure.ts")} ${join(folder, "model.bin")}`;
