/**
 * Lives through real projects, for measuring only: imports the first four fifths of each one's history, sends the rest
 * through the hooks of the built program as the client would, and writes down what was kept and given.
 *
 *   bun lab/bench/real.ts PROJECTS OUT [--only NAME,NAME] [--config FILE] [--binary FILE] [--min-sessions 8]
 * [--share 0.8]
 *       [--max-prompts 120] [--sample 50] [--seed 1] [--played DIR] [--recorded DIR] [--keep DIR]
 *
 * PROJECTS holds a folder for each project with the client's transcripts, as ~/.claude/projects does. OUT/NAME.json
 * gets the memories after the import, each later prompt with what it was given, and the start texts;
 * OUT/summary.json the counts that need no judge; OUT/NAME.*.md sheets with empty columns for those that need one.
 *
 * With `--played DIR` a model is asked whose part somebody plays (lab/bench/played.ts); with `--recorded DIR` it
 * answers as somebody did before (files as in lab/train/played, kept elsewhere); `--keep DIR` leaves the homes
 * there.
 *
 * What it writes is other people's text: OUT and PROJECTS may not lie in this repository.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { measuredProgram, numberOption, optionsOf } from "../options.ts";
import { playedBy } from "./played/server.ts";
import { openSubject } from "./home/program.ts";
import { countsOf, live, projectName, sessionsIn, type RealCounts } from "./real/live.ts";
import { sheetsOf, usualSizes } from "./real/sheets.ts";

const repository = resolve(import.meta.dir, "../..");
const { words, option } = optionsOf(process.argv.slice(2), [
  "only",
  "config",
  "binary",
  "played",
  "recorded",
  "keep",
  "min-sessions",
  "share",
  "max-prompts",
  "sample",
  "seed",
]);
const [source, out] = words;
if (source === undefined || out === undefined) {
  process.stderr.write("usage: bun lab/bench/real.ts PROJECTS OUT [--only NAME,NAME]\n");
  process.exit(2);
}
if (`${resolve(out)}/`.startsWith(`${repository}/`)) {
  process.stderr.write("real text stays out of this repository: name a folder elsewhere\n");
  process.exit(2);
}
mkdirSync(out, { recursive: true });

const limits = {
  minSessions: numberOption("min-sessions", 8),
  share: numberOption("share", 0.8),
  maxPrompts: numberOption("max-prompts", 120),
};
const sizes = {
  ...usualSizes,
  memories: numberOption("sample", 50),
  injections: numberOption("sample", 50),
};
const only = option("only")?.split(",") ?? null;
const config = option("config");
const keep = option("keep");
const played = playedBy(option("played"), option("recorded"));

async function measure(folder: string, target: string): Promise<RealCounts | null> {
  const name = projectName(folder);
  const sessions = sessionsIn(folder);
  if (sessions.length < Math.max(1, limits.minSessions)) return null;
  const root =
    keep === null ? mkdtempSync(join(tmpdir(), "continuity-real-")) : join(resolve(keep), name);
  const subject = openSubject({
    binary: measuredProgram(),
    root,
    config: config === null ? null : resolve(config),
    playedUrl: played?.url ?? null,
  });
  try {
    const past = { name, sessions, scratch: join(root, "past") };
    const lived = await live(subject, past, limits);
    writeFileSync(join(target, `${name}.json`), `${JSON.stringify(lived, null, 1)}\n`);
    const sheets = sheetsOf(name, lived, { sizes, seed: numberOption("seed", 1) });
    for (const [file, text] of sheets) writeFileSync(join(target, file), text);
    return countsOf(past, lived, limits);
  } finally {
    await subject.stop();
    if (keep === null) rmSync(root, { recursive: true, force: true });
  }
}

const summary: RealCounts[] = [];
for (const name of readdirSync(source).toSorted()) {
  if (only !== null && !only.includes(projectName(name))) continue;
  const counts = await measure(join(source, name), out);
  if (counts === null) continue;
  summary.push(counts);
  process.stdout.write(`${JSON.stringify(counts)}\n`);
}
writeFileSync(join(out, "summary.json"), `${JSON.stringify(summary, null, 1)}\n`);

/** `weighed` is the mean over all prompts together: a project counts by how many it has. */
const weighed = (of: (one: RealCounts) => number): number =>
  summary.reduce((sum, one) => sum + of(one) * one.prompts, 0) / Math.max(1, prompts);
const prompts = summary.reduce((sum, one) => sum + one.prompts, 0);
process.stdout.write(
  `ALL ${summary.length} projects, ${prompts} prompts: injected ${weighed(({ injected }) => injected).toFixed(2)}, ` +
    `short orders ${weighed((one) => one.injected_short).toFixed(2)}, tokens ${weighed(({ tokens }) => tokens).toFixed(0)}, ` +
    `start ${weighed((one) => one.start_tokens).toFixed(0)}\n`,
);
played?.[Symbol.dispose]();
