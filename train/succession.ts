/**
 * Learns which later exchange replaces what an earlier sentence says, from the facts of the voices that replace others:
 * first which sentences sound like a change (models/learnt/change.json), then the pairs, and which sentence of the later
 * exchange tells what holds now (models/learnt/succession.json).
 *
 *   bun train/succession.ts [--write]
 *
 * Prints what is caught and what is suspected falsely, each voice left out of the training in turn, beside the fitted.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadEmbeddedModel } from "#embed";
import {
  compared,
  successionFeatures,
  tellingFeatures,
  toldIn,
} from "../src/memory/exchange/succession.ts";
import { traitCount, traitsOf } from "../src/memory/exchange/traits.ts";
import { fitLogistic, probability, type Example, type Model } from "./logistic.ts";
import { exchangesOf, successorsOf, type VoiceExchange } from "./exchanges.ts";
import { auc, score, sigmoid, train, type Linear } from "./sparse.ts";
import { readVoices, says, type Voice } from "./voice.ts";
import { asFile, options } from "./worth.ts";

const model = loadEmbeddedModel();
if (!model.ok) throw new Error(model.error.type);
const { embed } = model.value;
const write = process.argv.includes("--write");
const folder = join(import.meta.dir, "../models/learnt");

interface ChangeRow {
  readonly on: readonly number[];
  readonly values: readonly number[];
  readonly y: 0 | 1;
  readonly weight: number;
  readonly voice: string;
}

const spokenTraits = (exchange: VoiceExchange) =>
  exchange.spoken
    .filter(({ by }) => by !== "asked")
    .map(({ by, text }, index, all) => ({
      by,
      text,
      ...traitsOf(text, {
        by: by === "agent" ? ("agent" as const) : ("user" as const),
        index,
        count: all.length,
        answersQuestion: false,
      }),
    }));

const changeRows = (voice: Voice, exchanges: readonly VoiceExchange[]): readonly ChangeRow[] =>
  exchanges.flatMap((exchange) => {
    const changes = exchange.turn.facts.filter(({ replaces }) => replaces !== null);
    return spokenTraits(exchange).map(({ text, on, values }) => {
      const y = changes.some((fact) => says(text, fact)) ? 1 : 0;
      return { on, values, y, weight: y === 0 && changes.length > 0 ? 0.2 : 1, voice: voice.name };
    });
  });

const pairsMax = 12;

interface Pair {
  readonly voice: string;
  readonly x: readonly number[];
  readonly y: 0 | 1;
  /** The earlier sentence, over all voices. */
  readonly group: string;
  /** Of what replaces: by sentence of the later exchange, whether it tells what the earlier one does not. */
  readonly telling: readonly Example[];
}

function pairsOf(
  voice: Voice,
  exchanges: readonly VoiceExchange[],
  change: Linear,
): readonly Pair[] {
  const read = exchanges.map((exchange) => ({
    exchange,
    all: compared(exchange.l0, embed),
    sentences: toldIn(exchange.spoken, embed, (traits) => sigmoid(score(change, traits))),
  }));
  const counts = new Map<string, number>();
  for (const { all } of read)
    for (const stem of all.stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const idf = (stem: string): number =>
    Math.log((read.length + 1) / ((counts.get(stem) ?? 0) + 0.5));
  const near = (a: (typeof read)[number], b: (typeof read)[number]): number => {
    let shared = 0;
    let own = 1;
    for (const stem of a.all.stems) {
      own += idf(stem);
      if (b.all.stems.has(stem)) shared += idf(stem);
    }
    return (2 * shared) / own + dot(a.all.vector, b.all.vector);
  };
  return read.flatMap((later, i) => {
    const before = read
      .slice(0, i)
      .filter(({ exchange }) => exchange.project === later.exchange.project)
      .map((earlier) => ({ earlier, s: near(later, earlier) }))
      .toSorted((a, b) => b.s - a.s)
      .slice(0, pairsMax);
    return before.flatMap(({ earlier }) =>
      earlier.sentences.flatMap((sentence): readonly Pair[] => {
        const facts = earlier.exchange.turn.facts.filter((fact) => says(sentence.text, fact));
        if (facts.length === 0) return [];
        const next = facts
          .flatMap(({ id }) => successorsOf(voice, id))
          .filter((fact) => later.exchange.turn.facts.includes(fact));
        const fresh = next.flatMap((fact) =>
          fact.anchors
            .map((anchor) => ({ ...fact, anchors: [anchor] }))
            .filter((part) => !says(sentence.text, part)),
        );
        return [
          {
            voice: voice.name,
            x: successionFeatures(sentence, later, { idf }),
            y: next.length > 0 ? 1 : 0,
            group: `${voice.name}:${sentence.text}`,
            telling:
              next.length === 0
                ? []
                : later.sentences.map(({ text }, at) => ({
                    x: tellingFeatures([sentence], { sentences: later.sentences, at }, { idf }),
                    y: fresh.some((part) => says(text, part)) ? 1 : 0,
                  })),
          },
        ];
      }),
    );
  });
}

const dot = (a: Float32Array | null, b: Float32Array | null): number =>
  a === null || b === null ? 0 : a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

const voices = readVoices(join(import.meta.dir, "voices"));
const exchanges = new Map(voices.map((voice) => [voice.name, exchangesOf(voice)]));
const rows = voices.flatMap((voice) => changeRows(voice, exchanges.get(voice.name) ?? []));
const changeAll = train(rows, traitCount, options);
const changeHeld = new Map(
  voices.map(({ name }) => [
    name,
    train(
      rows.filter(({ voice }) => voice !== name),
      traitCount,
      options,
    ),
  ]),
);
const judge = (of: (voice: string) => Linear): string =>
  auc(rows.map((row) => ({ p: sigmoid(score(of(row.voice), row)), y: row.y }))).toFixed(3);
console.log(
  `change: ${rows.length} sentences, ${rows.filter(({ y }) => y === 1).length} replace; area left out ${judge((v) => changeHeld.get(v) ?? changeAll)}, fitted ${judge(() => changeAll)}`,
);

// Each voice's pairs are read with a classifier of changes that has not seen it, so that the pairs learn what it is worth.
const pairs = voices.flatMap((voice) =>
  pairsOf(voice, exchanges.get(voice.name) ?? [], changeHeld.get(voice.name) ?? changeAll),
);
const all = fitLogistic(pairs, 1);
const held = new Map(
  voices.map(({ name }) => [
    name,
    fitLogistic(
      pairs.filter(({ voice }) => voice !== name),
      1,
    ),
  ]),
);

function report(of: (voice: string) => Model, name: string): void {
  const judged = pairs.map((pair) => ({ ...pair, p: probability(of(pair.voice), pair.x) }));
  const groups = [...Map.groupBy(judged, ({ group }) => group).values()].map((some) => ({
    p: Math.max(...some.map(({ p }) => p)),
    y: some.some(({ y }) => y === 1),
  }));
  const share = (y: boolean, from: number): string => {
    const some = groups.filter((group) => group.y === y);
    return (some.filter(({ p }) => p >= from).length / some.length).toFixed(2);
  };
  console.log(
    `${name}: ${pairs.length} pairs, area ${auc(judged).toFixed(3)}; ${groups.filter(({ y }) => y).length} of ${groups.length} sentences were replaced`,
  );
  for (const from of [0.02, 0.04, 0.07, 0.1, 0.2, 0.3, 0.5])
    console.log(`  from ${from}: caught ${share(true, from)}, falsely ${share(false, from)}`);
}
report((voice) => held.get(voice) ?? all, "left out");
report(() => all, "fitted");
const tellingIn = (some: readonly Pair[]): readonly Example[] =>
  some.flatMap(({ telling }) => telling);
const telling = fitLogistic(tellingIn(pairs), 1);
const tellingHeld = voices.flatMap(({ name }) => {
  const model = fitLogistic(tellingIn(pairs.filter(({ voice }) => voice !== name)), 1);
  return tellingIn(pairs.filter(({ voice }) => voice === name)).map(({ x, y }) => ({
    p: probability(model, x),
    y,
  }));
});
console.log(
  `telling: ${tellingHeld.length} sentences, area left out ${auc(tellingHeld).toFixed(3)}`,
);
if (write) {
  const provenance = `train/succession.ts: ${pairs.length} pairs of ${voices.length} voices (${voices.map(({ name }) => name).join(", ")})`;
  writeFileSync(join(folder, "change.json"), asFile(changeAll, provenance));
  const round = (value: number): number => Math.round(value * 1_000) / 1_000;
  const rounded = ({ bias, weights }: Model): Model => ({
    bias: round(bias),
    weights: weights.map(round),
  });
  writeFileSync(
    join(folder, "succession.json"),
    `${JSON.stringify({ provenance, ...rounded(all), telling: { provenance, ...rounded(telling) } }, null, 2)}\n`,
  );
}
