/**
 * What a model adds, measured without one: replays recorded coding sessions in this process with a scripted model that
 * answers from the gold file, and scores what was kept and what prompts were given.
 *
 *   bun lab/bench/devmem-model.ts PATH [--split dev] [--keep DIR] [--misses]
 *   bun lab/bench/devmem-model.ts PATH --binary [--split dev]
 *
 * PATH is the folder of devmem-bench. Runs: no model; the model; the model with every third call failing; a budget of
 * nothing. The last must equal the first, the third the second. With `--binary` the built program is asked instead (see
 * devmem.ts), with the same answers behind a model's API.
 */
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Llm, MemoryNode } from "#domain";
import { openTestWorker } from "../../test/support/worker.ts";
import { goldAnswer, goldLlm, isIn } from "../../test/support/gold-llm.ts";
import { unavailable, type ScriptedLlm } from "../../test/support/scripted-llm.ts";
import { startModel } from "../../test/support/model-server.ts";
import { type App, readSessions } from "./devmem/sessions.ts";

const argv = process.argv.slice(2);
const option = (name: string, fallback: string): string => {
  const at = argv.indexOf(`--${name}`);
  return at >= 0 ? (argv[at + 1] ?? fallback) : fallback;
};
const bench = resolve(argv[0] ?? "");
const split = option("split", "dev");
const out = option("keep", mkdtempSync(join(tmpdir(), "devmem-model-")));
if (!existsSync(join(bench, "score.ts"))) {
  process.stderr.write(
    "usage: bun lab/bench/devmem-model.ts PATH-OF-DEVMEM [--split dev] [--keep DIR]\n",
  );
  process.exit(2);
}
mkdirSync(out, { recursive: true });

const { gold, names: goldSessions, replay, probe } = readSessions(bench, split);

const jsonl = (rows: readonly unknown[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** What a run leaves that must not depend on how often a call failed. */
const essence = (nodes: readonly MemoryNode[]): string =>
  jsonl(
    nodes
      .map(({ uri, l0, l1, l2, status, origin, importance, evidenceCount, tags, aliases }) => ({
        uri,
        l0,
        l1,
        l2,
        status,
        origin,
        importance,
        evidenceCount,
        tags,
        aliases,
      }))
      .toSorted((a, b) => a.uri.localeCompare(b.uri)),
  );

interface Run {
  readonly name: string;
  readonly llm: ScriptedLlm | null;
}

async function run({ name, llm }: Run): Promise<string> {
  using app = openTestWorker({ llm: llm as Llm | null });
  app.clock.advance(Date.parse("2026-11-20T00:00:00Z") - app.startMs);
  const startedMs = performance.now();
  await replay(app);
  const nodes = app.memories();
  const probes = join(out, `${name}.probes.jsonl`);
  const store = join(out, `${name}.store.jsonl`);
  const rows = nodes.map(({ l0, l1, status, category, origin, maker, uri }) => ({
    l0,
    l1,
    status,
    category,
    origin,
    maker,
    uri,
  }));
  writeFileSync(store, jsonl(rows));
  writeFileSync(probes, jsonl(probe(app)));
  report({ name, llm, nodes, app, seconds: (performance.now() - startedMs) / 1_000 });
  score(name, probes, store);
  return essence(nodes);
}

function report(run: Run & { nodes: readonly MemoryNode[]; app: App; seconds: number }): void {
  const { name, llm, nodes, app, seconds } = run;
  const current = nodes.filter(({ status }) => status === "active");
  const replaced = gold.facts.filter(({ supersedes }) => supersedes !== undefined);
  const ended = replaced.filter(({ supersedes }) => isEnded(app, supersedes ?? "", nodes));
  const jobs = app.store.jobs.counts();
  process.stdout.write(
    `\n== ${name}: ${nodes.length} memories (${current.length} current, ${(nodes.length / gold.facts.length).toFixed(2)} a fact), ` +
      `replaced and no longer current ${ended.length} of ${replaced.length} ` +
      `(left: ${replaced
        .filter((fact) => !ended.includes(fact))
        .map(({ id }) => id)
        .join(" ")}), ` +
      `calls ${llm?.asked.length ?? 0}, ${llm?.asked.reduce((sum, { inputTokens }) => sum + inputTokens, 0) ?? 0} tokens in, ` +
      `jobs ${JSON.stringify(jobs)}, ${seconds.toFixed(1)} s\n`,
  );
  for (const { key, reason } of app.store.jobs.parked(20))
    process.stdout.write(`  parked ${key}: ${reason}\n`);
}

/** No current memory says it without saying its successor, and one that said it is superseded with a link or merged. */
function isEnded(app: App, id: string, nodes: readonly MemoryNode[]): boolean {
  const old = gold.facts.find((fact) => fact.id === id);
  const next = gold.facts.filter(({ supersedes }) => supersedes === id);
  const says = (text: string, anchors: readonly string[]): boolean =>
    anchors.every((anchor) => isIn(text, anchor));
  const anchors = old?.anchors ?? [];
  const stale = nodes.filter(
    ({ l0, status }) =>
      status === "active" && says(l0, anchors) && !next.some((fact) => says(l0, fact.anchors)),
  );
  const linked = nodes.some(
    (node) =>
      (node.status === "superseded" &&
        says(`${node.l0} ${node.l1}`, anchors) &&
        app.store.nodes.successors([node.id]).size > 0) ||
      app.store.nodes
        .revisions(node.id)
        .slice(0, -1)
        .some(({ l0 }) => says(l0, anchors)),
  );
  return stale.length === 0 && linked;
}

function score(name: string, probes: string, store: string): void {
  const done = Bun.spawnSync(
    [
      process.execPath,
      "score.ts",
      "--gold",
      `${split}/gold.json`,
      "--probes",
      probes,
      "--store",
      store,
      "--scan",
      store,
      "--json",
    ].concat(argv.includes("--misses") ? ["--misses"] : []),
    { cwd: bench, stderr: "inherit" },
  );
  const text = done.stdout.toString();
  writeFileSync(join(out, `${name}.score.json`), text);
  const scores = JSON.parse(text) as Record<string, unknown>;
  const table = scores["probes"] as readonly Readonly<Record<string, unknown>>[];
  for (const line of table.filter(({ kind }) => kind !== "ALL"))
    process.stdout.write(`  ${JSON.stringify(line)}\n`);
  for (const title of ["silence", "store"])
    process.stdout.write(`  ${title} ${JSON.stringify(scores[title])}\n`);
  for (const title of Object.keys(scores).filter((key) => key.startsWith("scan")))
    process.stdout.write(`  leaks ${JSON.stringify(scores[title])}\n`);
}

/** The built program over the same answers; minutes, since every hook is a process. */
async function runBinary(): Promise<number> {
  using model = startModel((_purpose, prompt) => goldAnswer(gold, null, { prompt }));
  const rest = argv.slice(1).filter((each) => each !== "--binary");
  const config = join(out, "config.toml");
  writeFileSync(
    config,
    `[llm]\nprovider = "openrouter"\n[llm.openrouter]\nbase_url = "${model.url}"\n`,
  );
  const command = [process.execPath, join(import.meta.dir, "devmem.ts"), bench, ...rest];
  const child = Bun.spawn([...command, "--config", config], {
    stdout: "inherit",
    stderr: "inherit",
  });
  const status = await child.exited;
  const byPurpose = Object.groupBy(model.asked, ({ purpose }) => purpose);
  for (const [purpose, calls] of Object.entries(byPurpose))
    process.stdout.write(`${purpose}: ${calls.length} calls\n`);
  return status;
}

if (argv.includes("--binary")) process.exit(await runBinary());
const none = await run({ name: "none", llm: null });
const model = await run({ name: "model", llm: goldLlm(gold, goldSessions) });
const failing = await run({
  name: "every-third-fails",
  llm: goldLlm(gold, goldSessions, { failure: (n) => (n % 3 === 0 ? unavailable : null) }),
});
const poor = await run({
  name: "no-budget",
  llm: goldLlm(gold, goldSessions, {
    failure: () => ({ type: "llm.budget", scope: "day", limit: 0 }),
  }),
});
const isSame = { failing: failing === model, poor: poor === none };
process.stdout.write(
  `\nevery third call failing: ${isSame.failing ? "the same memories" : "OTHER MEMORIES"}; ` +
    `no budget: ${isSame.poor ? "as without a model" : "NOT as without a model"}; results in ${out}\n`,
);
process.exit(isSame.failing && isSame.poor ? 0 : 1);
