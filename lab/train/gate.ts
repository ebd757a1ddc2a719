/**
 * Fits the numbers of the gate (src/memory/injection/gate.ts) and measures it.
 *
 *   bun lab/train/gate.ts [--folds FOLDER] [--only NAME,NAME] [--real QUOTATIONS.json]
 *
 * Every voice is lived through as the daemon would, once alone and once beside a model that keeps three of four facts. Each
 * probe is one prompt, and so is every fourth prompt that was typed in a session ("ordinary"). Each voice is read with a
 * wording that was learnt without it. Prints what the gate gives as it stands, and with numbers that were fitted
 * without the voice in question. `--folds`: embedders that have not read a developer (lab/train/embedder/make.ts).
 *
 * The number of quotations (src/memory/injection/quotation.ts) is fitted on the nearest exchange of each probe, and with `--real`
 * on rows `{ signals, useful, weight }` of real developers' prompts, each judged by whether its quotation would have helped.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultSettings } from "#domain";
import { composePrompt, gatherPrompt } from "#memory";
import { bias, signalsOf, weights } from "../../src/memory/injection/gate.ts";
import { judge } from "../../src/memory/injection/candidate.ts";
import type { QuotationSignals } from "../../src/memory/injection/prompt-types.ts";
import { quotationWeights } from "../../src/memory/injection/quotation.ts";
import { lineOf } from "../../src/memory/exchange/exchange.ts";
import { traitsOf } from "../../src/memory/exchange/traits.ts";
import { option } from "../options.ts";
import { embedderWithout } from "./embedder/folds.ts";
import { type Example, fitLogistic, probability, type Model } from "./logistic.ts";
import { live, type Lived, shippedEmbedder } from "./replay.ts";
import { score } from "./sparse.ts";
import { readVoices, says, type Voice } from "./voice.ts";
import { fitWording, rowsOf as wordingRows } from "./wording.ts";

interface Row {
  readonly voice: string;
  readonly kind: string;
  readonly x: readonly number[];
  readonly needs: number;
  /** Needed facts that would be told. */
  readonly told: number;
  readonly isFound: boolean;
  /** The nearest exchange as a quotation, and whether it tells a needed fact. */
  readonly quotation: Example | null;
}

const only = option("only", "");
const folds = option("folds", "");
const voices = readVoices(join(import.meta.dir, "voices")).filter(
  ({ name }) => only === "" || only.split(",").includes(name),
);
const shipped = shippedEmbedder();

/** Facts that hold at the end, as a model would have kept three of four of them. */
function remember(voice: Voice, { worker, projectKey }: Lived): void {
  const replaced = new Set([...voice.facts.values()].flatMap(({ replaces }) => replaces ?? []));
  for (const session of voice.sessions)
    for (const fact of session.turns.flatMap(({ facts }) => facts))
      if (!replaced.has(fact.id) && Number(fact.id.replace(/\D/gu, "")) % 4 !== 0)
        worker.remember(
          {
            category: "entities",
            uriHint: fact.id,
            l0: fact.statement,
            l1: null,
            l2: null,
            importance: 3,
            tags: [],
            files: [],
            aliases: [],
            project: fact.project === null ? null : projectKey(fact.project),
            origin: "user",
            maker: "extract",
            evidence: {
              sessionId: `${voice.name}-${session.id}`,
              turn: 1,
              line: null,
              quote: fact.statement,
            },
            branch: "main",
            atMs: session.startMs,
          },
          "train",
        );
}

function askAll(voice: Voice, { store, finder, embedder, projectKey }: Lived): readonly Row[] {
  const wording = fitWording(labelled, voice.name);
  const typed = voice.sessions
    .flatMap((session) => session.turns.slice(1).map((turn) => ({ session, turn })))
    .filter((_, n) => n % 4 === 0)
    .map(({ session, turn }) => ({
      kind: "ordinary",
      project: session.project,
      atMs: session.startMs,
      needs: [],
      prompt: turn.prompt,
      sessionId: `${voice.name}-${session.id}`,
    }));
  const probes = voice.probes.map((probe) => ({ ...probe, sessionId: "probe" }));
  return [...probes, ...typed].map((probe): Row => {
    const found = gatherPrompt(
      { finder, lexical: store.lexical, embedder },
      {
        prompt: probe.prompt,
        previousAnswer: null,
        sessionId: probe.sessionId,
        ancestors: [],
        homeProject: projectKey(probe.project),
        branch: "main",
        projects: store.admin.projectNames(),
        seen: new Set(),
        nowMs: probe.atMs,
        inject: defaultSettings.inject,
      },
    );
    // The store is that of the end: what was said since did not stand there when an ordinary prompt was typed.
    const candidates = found.candidates.filter(
      ({ document: { node } }) => (node.validFrom ?? node.createdAt) < probe.atMs,
    );
    const by = { by: "user", index: 0, count: 1, answersQuestion: false } as const;
    const sounds = score(wording, traitsOf(probe.prompt.slice(0, 400), by));
    const evidence = { ...found, candidates, wording: Math.max(-3, Math.min(3, sounds)) };
    const signals = signalsOf(evidence);
    const { text } = composePrompt(evidence, {
      verdict: "inject",
      cause: "wanted",
      probability: 1,
      threshold: 0,
      features: {},
    });
    const entries = text.split(/\n(?=- )/u);
    const asked = probe.prompt.toLowerCase();
    const needs = probe.needs
      .flatMap((id) => voice.facts.get(id) ?? [])
      .filter(
        ({ project }) =>
          project === null || project === probe.project || asked.includes(project.toLowerCase()),
      );
    const nearest = judge(evidence).find(
      ({ candidate, why }) => why === "near" && candidate.quotation !== undefined,
    )?.candidate;
    const isTold = needs.some((fact) => says(lineOf(nearest?.sentences ?? []), fact));
    return {
      voice: voice.name,
      kind: probe.kind,
      quotation: nearest?.quotation
        ? {
            x: quotationFigures({ ...nearest.quotation.signals, asks: evidence.wording }),
            y: isTold ? 1 : 0,
            weight: isTold || needs.length === 0 ? 1 : otherFactWeight,
          }
        : null,
      x: names.map((name) => signals[name]),
      needs: needs.length,
      told: needs.filter((fact) => entries.some((entry) => says(entry, fact))).length,
      isFound: text !== "",
    };
  });
}

/** A prompt that needs another fact than the one found speaks less against it than small talk. */
const otherFactWeight = 0.3;

const quotationNames = Object.keys(quotationWeights) as (keyof QuotationSignals)[];
const quotationFigures = (signals: QuotationSignals): readonly number[] =>
  quotationNames.map((name) => signals[name]);

const names = Object.keys(weights) as (keyof typeof weights)[];
const labelled = wordingRows(null);
const rows: Row[] = [];
for (const voice of voices) {
  using lived = await live(
    voice,
    folds === "" ? shipped : embedderWithout(voice.name, folds, shipped),
  );
  rows.push(...askAll(voice, lived));
  remember(voice, lived);
  rows.push(...askAll(voice, lived));
}

/** Prompts that need nothing against those that would be told a needed fact: a miss beside neither says nothing. */
const fit = (some: readonly Row[]): Model =>
  fitLogistic(
    some
      .filter(({ isFound, kind, told }) => isFound && (told > 0 || kind === "silence"))
      .map(({ x, told }) => ({ x, y: told > 0 ? 1 : 0 })),
    1,
  );
const share = (part: number, whole: number): string => (part / Math.max(1, whole)).toFixed(3);
const sum = (some: readonly Row[], of: (row: Row) => number): number =>
  some.reduce((all, row) => all + of(row), 0);

function report(name: string, modelFor: (voice: string) => Model): void {
  console.log(name);
  for (const bar of [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9]) {
    const isTold = ({ voice, x, isFound }: Row): boolean =>
      isFound && probability(modelFor(voice), x) >= bar;
    const probes = rows.filter(({ kind }) => kind !== "ordinary");
    const told = probes.filter(isTold);
    const silentIn = (some: readonly Row[]): string =>
      share(some.filter((row) => !isTold(row)).length, some.length);
    console.log(
      [
        `  from ${bar}: needed facts told ${share(
          sum(told, (row) => row.told),
          sum(probes, ({ needs }) => needs),
        )}`,
        `right ${share(told.filter((row) => row.told > 0).length, told.length)}`,
        `silent ${silentIn(probes.filter(({ kind }) => kind === "silence"))}`,
        `silent while working ${silentIn(rows.filter(({ kind }) => kind === "ordinary"))}`,
      ].join(", "),
    );
  }
}

const standing: Model = { bias, weights: names.map((name) => weights[name]) };
const fitted = fit(rows);
console.log(
  `fitted: ${names.map((name, at) => `${name} ${fitted.weights[at]?.toFixed(2)}`).join(", ")}, bias ${fitted.bias.toFixed(2)}`,
);
report("as it stands", () => standing);
if (voices.length > 1) {
  const held = new Map(
    voices.map(({ name }) => [name, fit(rows.filter(({ voice }) => voice !== name))]),
  );
  report("left out", (voice) => held.get(voice) ?? fitted);
}

const real = option("real", "");
const judged =
  real === ""
    ? []
    : (
        JSON.parse(readFileSync(real, "utf8")) as {
          signals: QuotationSignals;
          /** 0 to 1. */
          useful: number;
          weight: number;
        }[]
      ).flatMap(({ signals, useful, weight }): readonly Example[] => [
        { x: quotationFigures(signals), y: 1, weight: weight * useful },
        { x: quotationFigures(signals), y: 0, weight: weight * (1 - useful) },
      ]);
const quotations = fitLogistic(
  [
    ...rows.flatMap(({ kind, quotation }) =>
      quotation === null || kind === "ordinary" ? [] : [quotation],
    ),
    ...judged,
  ],
  1,
);
console.log(
  `quotations: ${quotationNames.map((name, i) => `${name} ${quotations.weights[i]?.toFixed(2)}`).join(", ")}, bias ${quotations.bias.toFixed(2)}`,
);
