/** Fits the gate of prompt injection on the labelled prompts, and judges it on projects that were left out of the fit. */
import type { Embedder, GateWeights } from "#domain";
import { composePrompt, decidePrompt } from "#memory";
import { gateFeatures, type GateFeatures } from "../../src/memory/injection/prompt-features.ts";
import { mean, round } from "../report/table.ts";
import type { Labelled } from "./labelled.ts";
import { type Example, fitLogistic, type Model, probability } from "./logistic.ts";
import { withStrangers } from "./memory.ts";

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

/** Those that mean something else with every embedder: an unmeasured one is fitted without them. */
const ofVectors: ReadonlySet<string> = new Set(["cosine", "margin"]);

const l2 = 1;

export interface GateSample extends Example {
  readonly project: string;
  readonly prompt: string;
  /** Share of wanted memories that the open gate would show. */
  readonly found: number;
  /** Silent by rule, before any weight. */
  readonly ruled: boolean;
}

export interface GateFit {
  readonly gate: GateWeights;
  readonly samples: number;
  readonly wanting: number;
  /** Share of wanted memories shown with the gate always open. */
  readonly openRecall: number;
  /** On projects left out of the fit: how many wanted memories are shown when so many prompts stay silent. */
  readonly curve: readonly { readonly silence: number; readonly recall: number }[];
  /** Every prompt with the probability that a fit without its project gives it. */
  readonly held: readonly { readonly sample: GateSample; readonly p: number }[];
}

/** `silence`: shares of unwanting prompts that the three settings keep silent. */
export function fitGate(
  embedder: Embedder,
  labelled: Labelled,
  silence: Readonly<Record<keyof GateWeights["thresholds"], number>>,
): GateFit {
  const used = names.map((name) => embedder.identity.isCalibrated || !ofVectors.has(name));
  const samples = labelled.projects.flatMap((project) =>
    samplesOf(embedder, labelled, project).map((sample) =>
      Object.assign(sample, { x: sample.x.map((value, i) => (used[i] === true ? value : 0)) }),
    ),
  );
  const fit = (some: readonly GateSample[]): Model =>
    fitLogistic(
      some.filter(({ ruled }) => !ruled),
      l2,
    );
  const held = labelled.projects.flatMap((project) => {
    const model = fit(samples.filter((sample) => sample.project !== project));
    return samples
      .filter((sample) => sample.project === project)
      .map((sample) => ({ sample, p: sample.ruled ? 0 : probability(model, sample.x) }));
  });
  const quiet = held
    .filter(({ sample }) => sample.y === 0)
    .map(({ p }) => p)
    .toSorted((a, b) => b - a);
  const thresholdFor = (share: number): number =>
    round(quiet[Math.floor((1 - share) * quiet.length)] ?? 0);
  const wanting = samples.filter(({ y }) => y === 1);
  const model = fit(samples);
  return {
    samples: samples.length,
    wanting: wanting.length,
    openRecall: mean(wanting.map(({ found }) => found)),
    held,
    curve: [0.8, 0.85, 0.9, 0.95, 0.98].map((share) => ({
      silence: share,
      recall:
        held
          .filter(({ sample, p }) => sample.y === 1 && p > thresholdFor(share))
          .reduce((sum, { sample }) => sum + sample.found, 0) / wanting.length,
    })),
    gate: {
      bias: round(model.bias),
      weights: Object.fromEntries(
        names.flatMap((name, i) =>
          used[i] === true ? [[name, round(model.weights[i] ?? 0)]] : [],
        ),
      ),
      thresholds: {
        low: thresholdFor(silence.low),
        normal: thresholdFor(silence.normal),
        high: thresholdFor(silence.high),
      },
    },
  };
}

function samplesOf(embedder: Embedder, labelled: Labelled, project: string): readonly GateSample[] {
  using workspace = withStrangers(embedder, labelled, project);
  return labelled.prompts
    .filter((labelledPrompt) => labelledPrompt.project === project)
    .map(({ prompt, wants }) => {
      const evidence = workspace.evidence(project, prompt);
      const decision = decidePrompt(evidence);
      const open = composePrompt(evidence, { ...decision, verdict: "inject" });
      const features = gateFeatures(evidence);
      const found = wants.filter((id) =>
        open.nodeIds.includes(workspace.nodeIdOf(id) ?? -1),
      ).length;
      return {
        project,
        prompt,
        x: names.map((name) => features[name]),
        y: wants.length > 0 ? 1 : 0,
        found: wants.length === 0 ? 0 : found / wants.length,
        ruled: decision.cause === "terse" || decision.cause === "nothing-found",
      };
    });
}
