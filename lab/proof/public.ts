/**
 * Public benchmarks, one command each; results are kept with date, commit and machine in lab/proof/results/NAME.json.
 *
 *   bun lab/proof/public.ts locomo locomo10.json          # snap-research/locomo, CC BY-NC 4.0: never copied here
 *   bun lab/proof/public.ts longmemeval longmemeval_s.json
 *   bun lab/proof/public.ts smart|remem|amb CLONE         # a clone of the peer's repository (lab/proof/peers/sets.ts)
 *   bun lab/proof/public.ts voices [--only NAME,NAME]     # invented developers, lab/train/voices
 *
 * `--binary FILE` names the program (default dist/continuity). No model is asked. LoCoMo and LongMemEval measure search
 * alone: which sessions or turns hold the answer. The peers' sets and the voices go through the hooks of the program.
 */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { loadEmbeddedModel } from "#embed";
import { optionsOf } from "../bench/home/options.ts";
import { locomoSets, isLocomo } from "../bench/retrieval/locomo.ts";
import { isLongMemEval, longMemEvalSet } from "../bench/retrieval/longmemeval.ts";
import type { QuestionSet } from "../bench/retrieval/question-set.ts";
import { runSet } from "../bench/retrieval/run.ts";
import { measured } from "./measured.ts";
import { measurePeer } from "./peers/measure.ts";
import { peers, type Peer } from "./peers/sets.ts";

const repository = resolve(import.meta.dir, "../..");
const results = join(import.meta.dir, "results");
const { words, option } = optionsOf(process.argv.slice(2), ["binary", "only"]);
const [name = "", path = ""] = words;
const binary = resolve(option("binary") ?? join(repository, "dist", "continuity"));

function setsIn(file: string): readonly QuestionSet[] {
  const data: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (isLocomo(data)) return locomoSets(data);
  if (isLongMemEval(data)) return [longMemEvalSet(data)];
  throw new Error(`${file} is neither LoCoMo nor LongMemEval`);
}

function measureSearch(file: string): object {
  const embedder = loadEmbeddedModel();
  if (!embedder.ok) throw new Error(embedder.error.type);
  return setsIn(file).map((set) => {
    const { documents, questions, ways } = runSet(embedder.value, set);
    const figures = Object.entries(ways).map(([way, { metrics }]) => [way, metrics] as const);
    return { set: set.name, documents, questions, ...Object.fromEntries(figures) };
  });
}

function measureVoices(): object {
  const json = join(mkdtempSync(join(tmpdir(), "continuity-voices-")), "voices.json");
  const only = option("only");
  const chosen = only === null ? [] : ["--only", only];
  const script = join(repository, "lab", "bench", "voices.ts");
  Bun.spawnSync([process.execPath, script, "--binary", binary, "--json", json, ...chosen], {
    stdout: "inherit",
    stderr: "inherit",
  });
  return JSON.parse(readFileSync(json, "utf8")) as object;
}

const isPeer = (word: string): word is Peer => Object.hasOwn(peers, word);

async function figuresOf(): Promise<object | null> {
  if (name === "voices") return measureVoices();
  if (path === "") return null;
  if (name === "locomo" || name === "longmemeval") return measureSearch(path);
  if (!isPeer(name)) return null;
  const { read, source } = peers[name];
  return { source, ...(await measurePeer(name, read(resolve(path)), binary)) };
}

const figures = await figuresOf();
if (figures === null) {
  process.stderr.write(
    "usage: bun lab/proof/public.ts locomo|longmemeval FILE | smart|remem|amb CLONE | voices\n",
  );
  process.exit(2);
}
mkdirSync(results, { recursive: true });
const kept = { bench: name, ...measured(), figures };
writeFileSync(join(results, `${name}.json`), `${JSON.stringify(kept, null, 1)}\n`);
process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`);
