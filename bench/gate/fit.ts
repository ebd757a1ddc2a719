/**
 * Fits the gate's weights on the labelled prompts and reports how well they hold on projects that were left out.
 *
 *   bun bench/gate/fit.ts            # report only
 *   bun bench/gate/fit.ts --write    # also write src/memory/injection/gate-weights.json
 */
import { writeFileSync } from "node:fs";
import { composePrompt, decidePrompt } from "#memory";
import { gateFeatures, type GateFeatures } from "../../src/memory/injection/prompt-features.ts";
import { readLabelled } from "./labelled.ts";
import { type Example, fitLogistic, type Model, probability } from "./logistic.ts";
import { openEmbedder, openWorkspace } from "./memory.ts";

/** What the gate looks at, in the order of the weights. */
const names = [
  "known",
  "knownRare",
  "inMemory",
  "unknownCount",
  "length",
  "cosine",
  "lexical",
  "margin",
  "identifier",
  "practice",
  "question",
  "we",
  "refers",
  "specific",
  "advice",
  "symptom",
  "general",
  "howTo",
  "transform",
  "local",
  "worldly",
  "personal",
  "creates",
] as const satisfies readonly (keyof GateFeatures)[];

const l2 = 1;
/** Projects per store: the prompt's own and two strangers. */
const strangers = 2;

interface Sample extends Example {
  readonly project: string;
  readonly prompt: string;
  /** Share of wanted memories that the open gate would show. */
  readonly found: number;
  /** Silent by rule, before any weight. */
  readonly ruled: boolean;
}

const labelled = readLabelled();
const embedder = openEmbedder();
const samples = labelled.projects.flatMap((project, i): Sample[] => {
  const others = Array.from(
    { length: strangers },
    (_, k) => labelled.projects[(i + k + 1) % labelled.projects.length]!,
  );
  using workspace = openWorkspace(embedder, labelled, [project, ...others]);
  return labelled.prompts
    .filter((labelledPrompt) => labelledPrompt.project === project)
    .map(({ prompt, wants }) => {
      const evidence = workspace.evidence(project, prompt);
      const decision = decidePrompt(evidence);
      const open = composePrompt(evidence, { ...decision, verdict: "inject" });
      const features = gateFeatures(evidence);
      const found = wants.filter((id) => open.nodeIds.includes(workspace.nodeIdOf(id)!)).length;
      return {
        project,
        prompt,
        x: names.map((name) => features[name]),
        y: wants.length > 0 ? 1 : 0,
        found: wants.length === 0 ? 0 : found / wants.length,
        ruled: decision.cause === "terse" || decision.cause === "nothing-found",
      };
    });
});

/** Scores of each project by a model that never saw it. */
const held = labelled.projects.flatMap((project) => {
  const model = fitLogistic(
    samples.filter((sample) => sample.project !== project && !sample.ruled),
    l2,
  );
  return samples
    .filter((sample) => sample.project === project)
    .map((sample) => ({ sample, p: score(model, sample) }));
});

function score(model: Model, sample: Sample): number {
  return sample.ruled ? 0 : probability(model, sample.x);
}

const wanting = samples.filter(({ y }) => y === 1);
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
const percent = (value: number): string => value.toFixed(3);

console.log(`${samples.length} prompts, ${wanting.length} want memory`);
console.log(`recall with the gate open: ${percent(mean(wanting.map(({ found }) => found)))}`);
console.log(
  `ruled silent: ${samples.filter(({ ruled, y }) => ruled && y === 0).length} rightly, ${samples.filter(({ ruled, y }) => ruled && y === 1).length} wrongly`,
);
console.log("\nleft-out projects\nkept silent  threshold  recall  passed");
const quiet = held
  .filter(({ sample }) => sample.y === 0)
  .map(({ p }) => p)
  .sort((a, b) => b - a);
const thresholdFor = (silence: number): number =>
  quiet[Math.floor((1 - silence) * quiet.length)] ?? 0;
for (const silence of [0.8, 0.85, 0.9, 0.95, 0.98]) {
  const threshold = thresholdFor(silence);
  const passed = held.filter(({ sample, p }) => sample.y === 1 && p > threshold);
  const recall = passed.reduce((sum, { sample }) => sum + sample.found, 0) / wanting.length;
  console.log(
    `${percent(silence)}        ${percent(threshold)}      ${percent(recall)}   ${percent(passed.length / wanting.length)}`,
  );
}

const model = fitLogistic(
  samples.filter(({ ruled }) => !ruled),
  l2,
);
console.log("\nweights");
names.forEach((name, i) => console.log(name.padEnd(14), model.weights[i]!.toFixed(2)));
if (process.argv.includes("--misses"))
  for (const { sample, p } of held.toSorted((a, b) => b.p - a.p))
    console.log(
      sample.y === 1 ? (sample.found > 0 ? "+" : "x") : "-",
      p.toFixed(2),
      sample.project,
      sample.prompt,
    );

if (process.argv.includes("--write")) {
  const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
  const file = {
    provenance: `Fitted by bench/gate/fit.ts on ${samples.length} labelled prompts of ${labelled.projects.length} invented projects (bench/gate/data), L2 ${l2}. Thresholds keep 90 % (normal), 97 % (low) and 80 % (high) of the silence prompts of left-out projects silent.`,
    bias: rounded(model.bias),
    weights: Object.fromEntries(names.map((name, i) => [name, rounded(model.weights[i]!)])),
    thresholds: {
      low: rounded(thresholdFor(0.97)),
      normal: rounded(thresholdFor(0.9)),
      high: rounded(thresholdFor(0.8)),
    },
  };
  const path = new URL("../../src/memory/injection/gate-weights.json", import.meta.url);
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
}
