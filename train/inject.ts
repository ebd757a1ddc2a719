/**
 * Learns what a prompt is given: which memory or exchange it needs, and whether it is helped at all.
 *
 *   bun train/inject.ts [--cache FILE] [--more FILE]… [--real PROMPTS.json] [--folds FOLDER] [--report=FILE] [--write]
 *
 * Every voice is lived through as the daemon would. Each probe is one prompt; what says a needed fact is right. Prints the
 * curve of recall against silence with each voice left out of the training in turn, beside the fitted one.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultSettings, type MemoryNode } from "#domain";
import { gatherPrompt } from "#memory";
import { lineOf } from "../src/memory/exchange/exchange.ts";
import { candidateFeatureNames } from "../src/memory/injection/candidate.ts";
import { promptFeatures } from "../src/memory/injection/rank.ts";
import { promptLines } from "../src/memory/injection/prompt-lines.ts";
import { latersOf } from "../src/memory/injection/later.ts";
import type { PromptCandidate, Sentence } from "../src/memory/injection/prompt-types.ts";
import { fitLogistic, probability, type Example, type Model } from "./logistic.ts";
import { traitsOf } from "../src/memory/exchange/traits.ts";
import { readPrompt } from "#reader";
import { score, sigmoid } from "./sparse.ts";
import { fitWants, rowsOf } from "./wants.ts";
import { embedderWithout } from "./embedder/folds.ts";
import { live, shippedEmbedder } from "./replay.ts";
import { readVoices, says, type VoiceFact } from "./voice.ts";
import { successorsOf } from "./exchanges.ts";

interface Asked {
  /** Which store it was asked of; absent = without a model. */
  readonly group?: string;
  readonly voice: string;
  readonly kind: string;
  readonly text: string;
  readonly needs: readonly VoiceFact[];
  readonly stale: readonly { readonly fact: VoiceFact; readonly next: readonly VoiceFact[] }[];
  readonly candidates: readonly PromptCandidate[];
  readonly nowMs: number;
  /** By candidate; null = nobody judged it. */
  readonly right: readonly (boolean | null)[];
  /** Of real prompts: somebody looked at its candidates. */
  readonly judged?: boolean;
}

const folder = join(import.meta.dir, "voices");
const withMemories = process.argv.includes("--memories");
const shipped = shippedEmbedder();
/** Embedders that have not read a developer (train/embedder/make.ts leaves them in its folder). */
const foldsAt = process.argv.indexOf("--folds");
const folds = foldsAt < 0 ? undefined : process.argv[foldsAt + 1];
const only = process.argv
  .find((word) => word.startsWith("--only="))
  ?.slice(7)
  .split(",");
const voices = readVoices(folder).filter(({ name }) => only === undefined || only.includes(name));
const cacheAt = process.argv.indexOf("--cache");
const cache = cacheAt < 0 ? null : (process.argv[cacheAt + 1] ?? null);
const asked: Asked[] =
  cache !== null && existsSync(cache)
    ? (JSON.parse(readFileSync(cache, "utf8")) as Asked[])
    : await gatherAll();
for (const [i, word] of process.argv.entries())
  if (word === "--more")
    asked.push(
      ...(JSON.parse(readFileSync(process.argv[i + 1] ?? "", "utf8")) as Asked[]).map((one) => ({
        ...one,
        group: process.argv[i + 1] ?? "",
      })),
    );
if (cache !== null && !existsSync(cache)) writeFileSync(cache, JSON.stringify(asked.map(lean)));

/** What lies in a cache: vectors and long texts are not needed again. */
function lean(one: Asked): unknown {
  const node = (one: MemoryNode) => {
    const { id, uri, category, l0, tags, origin, validFrom, updatedAt, expiresAt } = one;
    return { id, uri, category, l0, tags, origin, validFrom, updatedAt, expiresAt };
  };
  const plain = (some: readonly Sentence[]) => some.map(({ by, text }) => ({ by, text }));
  return {
    ...one,
    candidates: one.candidates.map((candidate) => ({
      ...candidate,
      sentences: plain(candidate.sentences),
      document: { uri: candidate.document.uri, node: node(candidate.document.node) },
      laters: candidate.laters.map((later) => ({
        ...later,
        node: node(later.node),
        sentences: plain(later.sentences),
      })),
    })),
  };
}

async function gatherAll(): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const voice of voices) {
    using lived = await live(
      voice,
      folds === undefined ? shipped : embedderWithout(voice.name, folds, shipped),
    );
    const { store, finder, embedder } = lived;
    const replaced = new Set([...voice.facts.values()].flatMap(({ replaces }) => replaces ?? []));
    if (withMemories)
      for (const session of voice.sessions)
        for (const turn of session.turns)
          for (const fact of turn.facts)
            // A model keeps about three of four facts.
            if (!replaced.has(fact.id) && Number(fact.id.replace(/\D/gu, "")) % 4 !== 0)
              lived.worker.remember(
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
                  project: fact.project === null ? null : lived.projectKey(fact.project),
                  origin: "user",
                  maker: "extract",
                  evidence: { sessionId: session.id, turn: 1, line: null, quote: fact.statement },
                  branch: "main",
                  atMs: session.startMs,
                },
                "train",
              );
    const deps = { finder, lexical: store.lexical, embedder };
    const ordinary = voice.sessions
      .flatMap((session) => session.turns.slice(1).map((turn, i) => ({ session, turn, i })))
      .filter((_, n) => n % 4 === 0)
      .map(({ session, turn }) => ({
        kind: "ordinary",
        project: session.project,
        atMs: session.startMs,
        needs: [],
        stale: [],
        prompt: turn.prompt,
        sessionId: `${voice.name}-${session.id}`,
      }));
    for (const probe of [
      ...voice.probes.map((one) => ({ ...one, sessionId: "probe" })),
      ...ordinary,
    ]) {
      const homeProject = lived.projectKey(probe.project);
      const evidence = gatherPrompt(deps, {
        prompt: probe.prompt,
        previousAnswer: null,
        sessionId: probe.sessionId,
        ancestors: [],
        homeProject,
        branch: "main",
        projects: store.admin.projects(),
        seen: new Set(),
        ordinary: [],
        nowMs: probe.atMs,
        inject: { ...defaultSettings.inject, eagerness: "low" },
      });
      const named = new Set(
        [...voice.projects.keys()].filter(
          (name) =>
            name === probe.project || probe.prompt.toLowerCase().includes(name.toLowerCase()),
        ),
      );
      const needs = probe.needs
        .flatMap((id) => voice.facts.get(id) ?? [])
        .filter(({ project }) => project === null || named.has(project));
      const stale = probe.stale
        .flatMap((id) => voice.facts.get(id) ?? [])
        .map((fact) => ({ fact, next: successorsOf(voice, fact.id) }));
      const projects = [...named].map(lived.projectKey);
      const followed = evidence.candidates.map((one, at) =>
        at < 8
          ? {
              ...one,
              laters: latersOf(deps, one, {
                projects,
                nowMs: probe.atMs,
                found: evidence.candidates.map(({ document }) => document.node),
              }),
            }
          : one,
      );
      const own = followed.map((one) => lineOf(one.sentences));
      asked.push({
        voice: voice.name,
        kind: probe.kind,
        text: readPrompt(probe.prompt, null).typed,
        needs,
        stale,
        candidates: followed,
        nowMs: probe.atMs,
        right: own.map((line) => needs.some((fact) => says(line, fact))),
      });
    }
  }
  return asked;
}

const realAt = process.argv.indexOf("--real");
const wantsRows = rowsOf(realAt < 0 ? null : (process.argv[realAt + 1] ?? null));
/** Each voice's prompts are read with a classifier that has not seen it. */
const names = [...new Set(asked.map(({ voice }) => voice))];
const handOf = (voice: string): string =>
  voice.startsWith("real:") ? `real ${voice.replace(/^.*-/u, "")}` : voice;
const wantsHeld = new Map(names.map((name) => [name, fitWants(wantsRows, handOf(name))]));
const wantsIn = (voice: string, text: string): number => {
  const model = wantsHeld.get(voice);
  if (model === undefined) throw new Error(voice);
  return sigmoid(
    score(
      model,
      traitsOf(text.slice(0, 400), { by: "user", index: 0, count: 1, answersQuestion: false }),
    ),
  );
};

const kinds = ["memory", "exchange"] as const;
type Models = Readonly<Record<(typeof kinds)[number] | "prompt", Model>>;
const echoAt = candidateFeatureNames.indexOf("echo");
/** An exchange in the prompt's own words is an order given before; a memory in them is what was asked for. */
const rowOf = (features: readonly number[], kind: string): readonly number[] =>
  kind === "memory" ? features.map((value, at) => (at === echoAt ? 0 : value)) : features;
const candidateRows = (some: readonly Asked[], kind: string): readonly Example[] =>
  some.flatMap(({ candidates, right }) =>
    candidates.flatMap(({ features, kind: own }, i) =>
      own === kind && right[i] !== null
        ? [{ x: rowOf(features, kind), y: right[i] === true ? 1 : 0 }]
        : [],
    ),
  );

const fitKind = (some: readonly Asked[], kind: string): Model => {
  const rows = candidateRows(some, kind);
  const size =
    asked.find(({ candidates }) => candidates.length > 0)?.candidates[0]?.features.length ?? 0;
  return rows.some(({ y }) => y === 1)
    ? fitLogistic(rows, 1)
    : { bias: -3, weights: Array.from({ length: size }, (_, i) => (i < 5 ? 1 : 0)) };
};

/** A thread counts as one text. */
const entriesOf = (lines: readonly string[]): readonly string[] => {
  const out: string[] = [];
  for (const line of lines) {
    if (line.startsWith("- ") || out.length === 0) out.push(line);
    else out[out.length - 1] = `${out.at(-1) ?? ""} ${line}`;
  }
  return out;
};

interface Ranked {
  readonly x: readonly number[];
  readonly y: 0 | 1;
  readonly lines: readonly string[];
}

/** The two lines that would be shown, and the features of the prompt. */
function rank(one: Asked, models: Pick<Models, (typeof kinds)[number]>): Ranked {
  const order = one.candidates
    .map((candidate, i) => ({
      ...candidate,
      i,
      likelihood: probability(models[candidate.kind], candidate.features),
    }))
    .toSorted((a, b) => b.likelihood - a.likelihood);
  const [first] = order;
  const shown = order
    .slice(0, 2)
    .filter(
      ({ likelihood, kind }, k) =>
        k === 0 ||
        (likelihood >= (first?.likelihood ?? 0) * 0.4 &&
          !(first?.kind === "memory" && kind === "exchange")),
    );
  const lines = entriesOf(promptLines(shown, one.nowMs, defaultSettings.inject.promptTokens).lines);
  const isRight =
    one.kind === "real"
      ? shown.some(({ i }) => one.right[i] === true)
      : one.needs.some((fact) => lines.some((line) => says(line, fact)));
  const y = isRight ? 1 : 0;
  return {
    x: order.length === 0 ? [] : promptFeatures(one.text, order, wantsIn(one.voice, one.text)),
    y,
    lines,
  };
}

function fit(some: readonly Asked[]): Models {
  const byKind = { memory: fitKind(some, "memory"), exchange: fitKind(some, "exchange") };
  const rows = some
    .filter(({ kind, judged }) => kind !== "real" || judged === true)
    .map((one) => rank(one, byKind))
    .filter(({ x }) => x.length > 0);
  return { ...byKind, prompt: fitLogistic(rows, 5) };
}

const past =
  /supersed|outdated|obsolete|no longer|replaced by|formerly|\bwas .* until|~~|not any more|earlier value|\bold value/iu;
const reported = process.argv.find((word) => word.startsWith("--report="))?.slice(9);
function curve(name: string, of: (voice: string) => Models): void {
  console.log(name);
  const rows = asked
    .filter((one) => reported === undefined || (one.group ?? "") === reported)
    .map((one) => {
      const ranked = rank(one, of(one.voice));
      return {
        one,
        ranked,
        p: ranked.x.length === 0 ? 0 : probability(of(one.voice).prompt, ranked.x),
      };
    });
  for (const from of [0.2, 0.25, 0.28, 0.3, 0.35, 0.4, 0.45, 0.5]) {
    const ordinary = rows.filter(({ one }) => one.kind === "ordinary");
    const disturbed = ordinary.filter(({ p }) => p >= from).length / Math.max(1, ordinary.length);
    const real = rows.filter(({ one }) => one.kind === "real");
    const realGiven = real.filter(({ p }) => p >= from).length / Math.max(1, real.length);
    const seen = real.filter(({ one, p }) => one.judged === true && p >= from);
    const useful = seen.filter(({ ranked }) => ranked.y === 1).length;
    let given = 0,
      right = 0,
      need = 0,
      found = 0,
      quiet = 0,
      silent = 0,
      stale = 0;
    for (const { one, ranked, p } of rows) {
      if (one.kind === "ordinary" || one.kind === "real") continue;
      const lines = p >= from ? ranked.lines : [];
      if (lines.length > 0) given += 1;
      const hits = one.needs.filter((fact) => lines.some((line) => says(line, fact)));
      if (hits.length > 0) right += 1;
      need += one.needs.length;
      found += hits.length;
      if (one.kind === "silence") {
        quiet += 1;
        if (lines.length === 0) silent += 1;
      }
      if (process.argv.includes("--misses") && from === 0.25)
        for (const { fact, next } of one.stale)
          for (const line of lines)
            if (says(line, fact) && !past.test(line) && !next.some((newer) => says(line, newer)))
              console.log(
                "STALE",
                one.text,
                "\n   ",
                line,
                "\n   ",
                next.map((n) => n.statement).join(" | "),
              );
      if (
        one.stale.some(({ fact, next }) =>
          lines.some(
            (line) =>
              says(line, fact) && !past.test(line) && !next.some((newer) => says(line, newer)),
          ),
        )
      )
        stale += 1;
    }
    const r = (x: number): string => x.toFixed(3);
    console.log(
      `  from ${from.toFixed(2)}: recall ${r(found / need)}, right ${r(right / Math.max(1, given))}, silent ${r(silent / quiet)}, given ${r(given / (rows.length - ordinary.length - real.length))}, ordinary given ${r(disturbed)}, real given ${r(realGiven)} (useful ${useful} of ${seen.length} judged), stale ${stale}`,
    );
  }
}

const all = fit(asked);
if (voices.length > 1 && !process.argv.includes("--quick")) {
  const held = new Map(
    names.map((name) => [name, fit(asked.filter(({ voice }) => voice !== name))]),
  );
  curve("left out", (voice) => held.get(voice) ?? all);
}
if (!process.argv.includes("--quick")) curve("fitted", () => all);
const round = ({ bias, weights }: Model) => ({
  bias: Math.round(bias * 1e3) / 1e3,
  weights: weights.map((w) => Math.round(w * 1e3) / 1e3),
});
if (process.argv.includes("--write"))
  writeFileSync(
    join(import.meta.dir, "../models/learnt/inject.json"),
    `${JSON.stringify(
      {
        provenance: `train/inject.ts: ${asked.length} prompts of ${voices.length} voices (${voices.map(({ name }) => name).join(", ")})`,
        memory: round(all.memory),
        exchange: round(all.exchange),
        prompt: round(all.prompt),
        thresholds: {
          exchange: { low: 0.42, normal: 0.3, high: 0.22 },
          memory: { low: 0.38, normal: 0.27, high: 0.22 },
        },
      },
      null,
      2,
    )}\n`,
  );
