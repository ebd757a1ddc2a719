/**
 * Learns how much the meeting of single words says about a memory being the one that a question needs
 * (src/memory/retrieval/lookup.ts): the memories of each invented developer in a store of their own, and the prompts
 * that need them. Prints what is found with each developer left out of the training beside what is found without.
 *
 *   bun lab/train/closeness.ts [--model MODEL.bin] [--folds FOLDER] [--write]
 *
 * The embedder has read what these developers say. `--folds` names the models that have not (lab/train/embedder/make.ts
 * leaves them in FOLDER/folds): each developer is measured with the one that was made without them.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Embedder } from "#domain";
import { interactionNames, loadEmbeddedModel, openStaticEmbedder } from "#embed";
import { openWorkspace } from "../bench/retrieval/workspace.ts";
import { closenessFeatures } from "../../src/memory/retrieval/lookup.ts";
import { flag, option } from "../options.ts";
import { embedderWithout } from "./embedder/folds.ts";
import { type Finding, voiced } from "./embedder/measure.ts";
import { writtenTexts } from "./embedder/texts.ts";

const voicesFolder = join(import.meta.dir, "voices");
const out = join(import.meta.dir, "../../models/learnt/closeness.json");
const featureNames = ["score", "cosine", "words in common", ...interactionNames, "usual"];

/** One question: a row of features for each memory, and which of them are needed. */
interface Asked {
  readonly rows: readonly (readonly number[])[];
  /** Row and kind of each need; a memory that was not proposed has no row. */
  readonly needs: readonly { readonly kind: string; readonly row: number | null }[];
}

const model = option("model", "");
const embedder = model === "" ? embedded() : opened(model);
const folds = option("folds", "");
const sets = new Map(
  readdirSync(voicesFolder).map((file) => {
    const name = basename(file, ".voice");
    const own = folds === "" ? embedder : embedderWithout(name, folds, embedder);
    return [name, asked(own, voiced(voicesFolder, name))] as const;
  }),
);
const names = [...sets.keys()];
const of = (some: readonly string[]): Asked[] => some.flatMap((name) => sets.get(name) ?? []);

const before: Rank[] = [];
const leftOut: Rank[] = [];
for (const name of names) {
  const weights = fit(of(names.filter((other) => other !== name)));
  before.push(...ranksOf(of([name]), [1]));
  leftOut.push(...ranksOf(of([name]), weights));
}
const weights = fit(of(names));
print("one lookup without it", before);
print("with it, left out", leftOut);
print("with it, fitted", ranksOf(of(names), weights));

// The order is what is learnt. So that scores go on meaning what they meant, they keep their spread, and what is needed
// keeps its mean.
const rows = of(names).flatMap((one) => one.rows);
const spreadOf = (values: readonly number[]): number => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
};
const share =
  spreadOf(rows.map(([score = 0]) => score)) / spreadOf(rows.map((row) => dot(weights, row)));
const factors = weights.map((weight, at) => share * weight - (at === 0 ? 1 : 0));
const needed = of(names).flatMap((one) =>
  one.needs.flatMap(({ row }) => (row === null ? [] : [one.rows[row] ?? []])),
);
const bias = -mean(needed.map((row) => dot(factors, row)));
const spread = rows.map((row) => Math.exp(bias + dot(factors, row))).toSorted((a, b) => a - b);
console.log(
  "factors of all memories at 1, 50, 99 %:",
  ...[0.01, 0.5, 0.99].map((part) => (spread[Math.floor(part * spread.length)] ?? 0).toFixed(2)),
);
for (const [at, name] of featureNames.entries())
  console.log(`${name}: ${(factors[at] ?? 0).toFixed(3)}`);

if (flag("write")) {
  const usual = usualQuestion(embedder);
  const most = Math.max(...usual.map(Math.abs));
  const bytes = Int8Array.from(usual, (value) => Math.round((value / most) * 127));
  const file = {
    provenance: `lab/train/closeness.ts: ${needed.length} needs of ${names.length} voices (${names.join(", ")})`,
    embedder: embedder.identity.id,
    usual: Buffer.from(bytes.buffer).toString("base64"),
    bias: round(bias),
    weights: factors.map(round),
  };
  writeFileSync(out, `${JSON.stringify(file, null, 2)}\n`);
}

function embedded(): Embedder {
  const model = loadEmbeddedModel();
  if (!model.ok) throw new Error(model.error.type);
  return model.value;
}

function opened(path: string): Embedder {
  const model = openStaticEmbedder(readFileSync(path), {
    name: basename(path, ".bin"),
    sha256: null,
  });
  if (!model.ok) throw new Error(`${path}: ${model.error.type}`);
  return model.value;
}

/** The mean of the questions that were written for the embedder, as a unit vector. */
function usualQuestion({ embed, identity }: Embedder): Float32Array {
  const sum = new Float32Array(identity.dimension);
  for (const { source, same } of writtenTexts(join(import.meta.dir, "embedder/data")))
    if (source === "pairs" || source === "rules")
      for (const text of same.slice(1))
        for (const [d, value] of (embed(text) ?? []).entries()) sum[d] = (sum[d] ?? 0) + value;
  const norm = Math.hypot(...sum);
  return sum.map((value) => value / norm);
}

function asked(embedder: Embedder, { documents, questions }: Finding): Asked[] {
  const usual = usualQuestion(embedder);
  const { interactions: _, ...plain } = embedder;
  using workspace = openWorkspace(
    plain,
    documents.map((text, at) => ({
      id: String(at),
      uri: `mem://user/facts/f${at}`,
      category: "entities",
      text,
      atMs: 1,
    })),
  );
  const similarity = (query: Float32Array, id: number): number =>
    dot(query, embedder.embed(documents[id] ?? "") ?? []);
  return [...Map.groupBy(questions, ({ text }) => text)].map(([text, needs]): Asked => {
    const found = workspace.finder.find({
      text,
      kinds: ["memory"],
      projects: null,
      limit: 100,
      sort: "relevance",
      homeProject: null,
      nowMs: 1,
    });
    const ids = found.map(({ l0 }) => documents.indexOf(l0));
    const entries = found.map(({ explanation }, at) => ({
      node: { id: ids[at] ?? -1, line: documents[ids[at] ?? -1] ?? "" },
      candidate: explanation,
    }));
    const features = closenessFeatures(embedder, similarity, { question: text, usual }, entries);
    return {
      rows: features.map((row) => row ?? featureNames.map(() => 0)),
      needs: needs.map(({ gold, kind }) => {
        const row = ids.indexOf(gold[0] ?? -1);
        return { kind, row: row < 0 ? null : row };
      }),
    };
  });
}

interface Rank {
  readonly kind: string;
  readonly rank: number;
}

/** `ranksOf` gives the places of what is needed, from 0. */
function ranksOf(questions: readonly Asked[], theta: readonly number[]): Rank[] {
  return questions.flatMap(({ rows, needs }) => {
    const scores = rows.map((row) => dot(theta, row));
    return needs.map(({ kind, row }) => ({
      kind,
      rank: row === null ? Infinity : scores.filter((score) => score > (scores[row] ?? 0)).length,
    }));
  });
}

function print(label: string, ranks: readonly Rank[]): void {
  const share = (some: readonly Rank[], k: number): string =>
    (some.filter(({ rank }) => rank < k).length / some.length).toFixed(3);
  const own = (kind: string): readonly Rank[] => ranks.filter((one) => one.kind === kind);
  console.log(
    `${label}: ${[1, 2, 5].map((k) => share(ranks, k)).join(" ")};`,
    ["paraphrase", "task"].map((kind) => `${kind} ${share(own(kind), 5)}`).join(", "),
  );
}

/**
 * Weights under which what is needed has most of a softmax over all memories of its question (Cao et al. 2007),
 * by Adam over standardised features; the first is the weight of the score's logarithm.
 */
function fit(questions: readonly Asked[]): number[] {
  const [rounds, rate, l2] = [200, 0.08, 0.003];
  const lists = questions.filter(({ needs }) => needs.some(({ row }) => row !== null));
  const rows = lists.flatMap((one) => one.rows);
  const size = featureNames.length;
  const means = Array.from({ length: size }, (_, at) => mean(rows.map((row) => row[at] ?? 0)));
  const spreads = means.map((middle, at) =>
    Math.max(1e-6, Math.sqrt(mean(rows.map((row) => ((row[at] ?? 0) - middle) ** 2)))),
  );
  const x = Float64Array.from(
    rows.flatMap((row) => row.map((value, at) => (value - (means[at] ?? 0)) / (spreads[at] ?? 1))),
  );
  const isNeeded = Uint8Array.from(
    lists.flatMap((one) => {
      const needed = new Set(one.needs.map(({ row }) => row));
      return one.rows.map((_, at) => (needed.has(at) ? 1 : 0));
    }),
  );
  const theta = Float64Array.from(means, (_, at) => (at === 0 ? 1 : 0));
  const first = new Float64Array(size);
  const second = new Float64Array(size);
  const raised = new Float64Array(Math.max(...lists.map((one) => one.rows.length)));
  for (let round = 1; round <= rounds; round += 1) {
    const gradient = theta.map((value) => l2 * value * lists.length);
    let start = 0;
    for (const { rows: own } of lists) {
      let [all, wanted] = [0, 0];
      for (let at = 0; at < own.length; at += 1) {
        let score = 0;
        for (let d = 0; d < size; d += 1)
          score += (theta[d] ?? 0) * (x[(start + at) * size + d] ?? 0);
        const value = (raised[at] = Math.exp(score));
        all += value;
        if (isNeeded[start + at] === 1) wanted += value;
      }
      for (let at = 0; at < own.length; at += 1) {
        const value = raised[at] ?? 0;
        const pull = value / all - (isNeeded[start + at] === 1 ? value / wanted : 0);
        for (let d = 0; d < size; d += 1)
          gradient[d] = (gradient[d] ?? 0) + pull * (x[(start + at) * size + d] ?? 0);
      }
      start += own.length;
    }
    for (let d = 0; d < size; d += 1) {
      const slope = (gradient[d] ?? 0) / lists.length;
      const one = (first[d] = 0.9 * (first[d] ?? 0) + 0.1 * slope);
      const two = (second[d] = 0.99 * (second[d] ?? 0) + 0.01 * slope * slope);
      const step = one / (1 - 0.9 ** round) / (Math.sqrt(two / (1 - 0.99 ** round)) + 1e-8);
      theta[d] = (theta[d] ?? 0) - rate * (1 - round / rounds) * step;
    }
  }
  return Array.from(theta, (value, at) => value / (spreads[at] ?? 1));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
