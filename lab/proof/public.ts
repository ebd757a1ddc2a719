/**
 * Public benchmarks, one command each; results are kept with date, commit and machine in lab/proof/results/NAME.json.
 *
 *   bun lab/proof/public.ts smart|remem|amb CLONE         # a clone of the peer's repository (lab/proof/peers/sets.ts)
 *   bun lab/proof/public.ts voices [--only NAME,NAME]     # invented developers, lab/train/voices
 *
 * `--binary FILE` names the program (default dist/continuity). No model is asked. The sets go through the hooks of the
 * program. LoCoMo, which measures search alone, is asked by lab/bench/retrieval.ts.
 */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { optionsOf } from "../options.ts";
import { measured } from "./measured.ts";
import { measurePeer } from "./peers/measure.ts";
import { peers, type Peer } from "./peers/sets.ts";

const repository = resolve(import.meta.dir, "../..");
const results = join(import.meta.dir, "results");
const { words, option } = optionsOf(process.argv.slice(2), ["binary", "only"]);
const [name = "", path = ""] = words;
const binary = resolve(option("binary") ?? join(repository, "dist", "continuity"));

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
  if (!isPeer(name)) return null;
  const { read, source } = peers[name];
  return { source, ...(await measurePeer(name, read(resolve(path)), binary)) };
}

const figures = await figuresOf();
if (figures === null) {
  process.stderr.write("usage: bun lab/proof/public.ts smart|remem|amb CLONE | voices\n");
  process.exit(2);
}
mkdirSync(results, { recursive: true });
const kept = { bench: name, ...measured(), figures };
writeFileSync(join(results, `${name}.json`), `${JSON.stringify(kept, null, 1)}\n`);
process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`);
