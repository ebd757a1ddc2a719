/**
 * Replays voices, invented developers with labelled sessions, through the hooks of the built program, and counts what
 * later prompts are given.
 *
 *   bun lab/bench/voices.ts [FOLDER] [--only NAME,NAME] [--config FILE] [--json FILE] [--keep DIR] [--binary FILE] [--played DIR] [--recorded DIR]
 *
 * FOLDER holds `*.voice` (default lab/train/voices). Each voice has a home of its own in a temporary folder, one after the
 * other; `--config` gives it settings (without, no model is asked), `--keep` leaves the homes and writes each probe with
 * its texts to DIR/NAME/rows.json; with `--played DIR` a model is asked whose part somebody plays (lab/bench/played.ts),
 * with `--recorded lab/train/played` it answers as somebody did before. Figures:
 *
 *   prompt    of the facts that prompts need, those that stand in what the prompt was given; context: or in the start text
 *   right     of the prompts that were given something, those given a needed fact
 *   foreign   prompts given a fact of another project that they do not name; those facts count for nobody's recall
 *   silent    of the prompts that need nothing, those that were given nothing; spoke: of the others, those given something
 *   stale     prompts told a replaced value as current; at start: the same in the start text
 *   trivial   idle talk that became a memory; leaks: secrets, private words and injected orders that were kept or told
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readVoices, type Voice } from "../train/voice.ts";
import { openSubject } from "./home/program.ts";
import { measuredProgram, optionsOf } from "../options.ts";
import { playedBy } from "./played/server.ts";
import { askProbes, replay } from "./voices/replay.ts";
import { figuresOf, type VoiceFigures } from "./voices/score.ts";

const repository = resolve(import.meta.dir, "../..");
const { words, option } = optionsOf(process.argv.slice(2), [
  "only",
  "config",
  "json",
  "keep",
  "binary",
  "played",
  "recorded",
]);
const only = option("only")?.split(",") ?? null;
const keep = option("keep");
const played = playedBy(option("played"), option("recorded"));
const root = keep === null ? mkdtempSync(join(tmpdir(), "continuity-voices-")) : resolve(keep);
const voices = readVoices(resolve(words[0] ?? join(repository, "lab", "train", "voices"))).filter(
  ({ name }) => only === null || only.includes(name),
);
if (voices.length === 0) {
  process.stderr.write(
    "usage: bun lab/bench/voices.ts [FOLDER] [--only NAME,NAME] [--json FILE]\n",
  );
  process.exit(2);
}

async function measure(voice: Voice): Promise<VoiceFigures> {
  const folder = join(root, voice.name);
  const config = option("config");
  const subject = openSubject({
    binary: measuredProgram(),
    root: folder,
    config: config === null ? null : resolve(config),
    playedUrl: played?.url ?? null,
  });
  try {
    await replay(subject, voice);
    await subject.back();
    const memories = await subject.memories();
    const stored = subject.stored();
    const rows = await askProbes(subject, voice);
    if (keep !== null)
      writeFileSync(join(folder, "rows.json"), JSON.stringify({ rows, memories }, null, 1));
    return figuresOf({ voice, rows, memories, stored });
  } finally {
    await subject.stop();
    if (keep === null) rmSync(folder, { recursive: true, force: true });
  }
}

const two = (figure: number): string => figure.toFixed(2);

const line = (f: Omit<VoiceFigures, "kinds" | "leaks"> & { readonly leaks: number }): string =>
  [
    `${f.voice.padEnd(8)} memories ${f.memories} of ${f.facts} facts, captured ${two(f.captured)}`,
    `prompt ${two(f.prompt)} context ${two(f.context)}`,
    `silent ${two(f.silent)} spoke ${two(f.spoke)} right ${two(f.right)} foreign ${f.foreign}`,
    `stale ${f.stale}, at start ${f.old_start} of ${f.with_stale}`,
    `noise ${f.noise.toFixed(1)}`,
    `tokens ${Math.round(f.tokens)}, start ${Math.round(f.start_tokens)}`,
    `trivial ${f.trivial} of ${f.trivial_of}`,
    `leaks ${f.leaks}`,
  ].join(" | ");

/** Shares are means over voices, each developer counting alike; events are added up. */
function overall(all: readonly VoiceFigures[]): Parameters<typeof line>[0] {
  const sum = (of: (one: VoiceFigures) => number): number =>
    all.reduce((total, one) => total + of(one), 0);
  const mean = (of: (one: VoiceFigures) => number): number => sum(of) / all.length;
  return {
    voice: "ALL",
    facts: sum(({ facts }) => facts),
    memories: sum(({ memories }) => memories),
    captured: mean(({ captured }) => captured),
    prompt: mean(({ prompt }) => prompt),
    context: mean(({ context }) => context),
    right: mean(({ right }) => right),
    foreign: sum(({ foreign }) => foreign),
    silent: mean(({ silent }) => silent),
    spoke: mean(({ spoke }) => spoke),
    stale: sum(({ stale }) => stale),
    old_start: sum((one) => one.old_start),
    with_stale: sum((one) => one.with_stale),
    noise: mean(({ noise }) => noise),
    tokens: mean(({ tokens }) => tokens),
    start_tokens: mean((one) => one.start_tokens),
    trivial: sum(({ trivial }) => trivial),
    trivial_of: sum((one) => one.trivial_of),
    leaks: sum(({ leaks }) => leaks.length),
  };
}

mkdirSync(root, { recursive: true });
const results: VoiceFigures[] = [];
for (const voice of voices) {
  const figures = await measure(voice);
  results.push(figures);
  process.stdout.write(`${line({ ...figures, leaks: figures.leaks.length })}\n`);
  const kinds = Object.entries(figures.kinds).map(
    ([kind, [a, b]]) => `${kind} ${two(a)}/${two(b)}`,
  );
  process.stdout.write(`         ${[...kinds, ...figures.leaks].join(", ")}\n`);
}
if (results.length > 1) process.stdout.write(`${line(overall(results))}\n`);
const json = option("json");
if (json !== null) writeFileSync(json, `${JSON.stringify(results, null, 1)}\n`);
if (keep === null) rmSync(root, { recursive: true, force: true });
played?.[Symbol.dispose]();
