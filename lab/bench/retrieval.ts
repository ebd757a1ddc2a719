/**
 * Is the right memory found? Asks test sets of questions with plain FTS5, `find` and `search`.
 *
 *   bun lab/bench/retrieval.ts PATH… [--save] [--misses SET]
 *
 * PATH is any of: LoCoMo's json, LongMemEval's json, a file of paraphrases or of labelled duplicates (tab-separated), a
 * devmem folder. Nothing of them is copied. Prints tables, compares with lab/bench/baselines.json (`--save` replaces it), and ends with
 * status 1 when a figure is below its target.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { loadEmbeddedModel } from "#embed";
import {
  changesSince,
  type Figures,
  printTable,
  readBaselines,
  round,
  saveBaselines,
} from "./report/table.ts";
import { flag } from "../options.ts";
import { devmemPairs, devmemSet } from "./retrieval/devmem.ts";
import { measureDuplicates, type PairFigures, printDuplicates } from "./retrieval/dedup.ts";
import { isLocomo, locomoSets } from "./retrieval/locomo.ts";
import { isLongMemEval, longMemEvalSet } from "./retrieval/longmemeval.ts";
import { isDuplicates, isParaphrases, labelledPairs, paraphraseSets } from "./retrieval/pairs.ts";
import type { LabelledPair, QuestionSet } from "./retrieval/question-set.ts";
import { runSet, type SetResult, ways } from "./retrieval/run.ts";

interface Given {
  readonly sets: readonly QuestionSet[];
  readonly pairs: readonly LabelledPair[];
}

/** `read` reads a path by its looks. */
function read(path: string): Given {
  const nothing = { sets: [], pairs: [] };
  if (statSync(path).isDirectory()) {
    const splits = ["dev", "heldout"].filter((split) => existsSync(join(path, split, "gold.json")));
    return {
      sets: splits.map((split) => devmemSet(path, split)),
      pairs: splits.flatMap((split) => devmemPairs(path, split)),
    };
  }
  const text = readFileSync(path, "utf8");
  if (path.endsWith(".json")) {
    const data: unknown = JSON.parse(text);
    if (isLocomo(data)) return { ...nothing, sets: locomoSets(data) };
    if (isLongMemEval(data)) return { ...nothing, sets: [longMemEvalSet(data)] };
  } else {
    if (isParaphrases(text)) return { ...nothing, sets: paraphraseSets(text) };
    if (isDuplicates(text)) return { ...nothing, pairs: labelledPairs(text) };
  }
  throw new Error(`${path} is none of the test sets that are known here`);
}

function printSet({ set, documents, questions, ways: byWay }: SetResult): void {
  const { metric, target } = set.headline;
  const wanted = target === null ? "" : `, ${metric} at least ${target}`;
  console.log(`${set.name}: ${questions} questions, ${documents} documents${wanted}`);
  const figure = (value: number): string => value.toFixed(3);
  printTable(
    ["", ...Object.keys(set.metrics), "half A", "half B", "p50 ms", "p95 ms"],
    ways.map((way) => {
      const { metrics, byHalf, p50, p95 } = byWay[way];
      return [
        way,
        ...Object.values(metrics).map(figure),
        ...byHalf.map(figure),
        round(p50, 2).toFixed(2),
        round(p95, 2).toFixed(2),
      ];
    }),
  );
  const types = Object.keys(byWay.find.byType);
  if (types.length < 2) return;
  printTable(
    [metric, "questions", ...ways],
    types.map((type) =>
      [type, String(byWay.find.byType[type]?.questions ?? 0)].concat(
        ways.map((way) => figure(byWay[way].byType[type]?.value ?? Number.NaN)),
      ),
    ),
  );
}

const figuresOf = (all: readonly SetResult[], pairs: PairFigures | null): Figures =>
  Object.fromEntries([
    ...all.flatMap(({ set, ways: byWay }) =>
      ways.flatMap((way) =>
        Object.entries(byWay[way].metrics).map(
          ([metric, value]) => [`${set.name} | ${way} | ${metric}`, round(value, 4)] as const,
        ),
      ),
    ),
    ...(pairs === null
      ? []
      : [
          ["duplicates | merged of the same", round(pairs.mergedShare, 4)] as const,
          ["duplicates | false merges", pairs.falseMerges] as const,
        ]),
  ]);

/** Reached by either way of asking: who wants more than one look has `search`. */
const isMet = ({ set, ways: byWay }: SetResult): boolean => {
  const { metric, target } = set.headline;
  const best = Math.max(byWay.find.metrics[metric] ?? 0, byWay.search.metrics[metric] ?? 0);
  return target === null || best >= target;
};

function main(paths: readonly string[]): number {
  if (paths.length === 0) {
    console.error("usage: bun lab/bench/retrieval.ts PATH… [--save]");
    return 2;
  }
  const loaded = loadEmbeddedModel();
  if (!loaded.ok) throw new Error(loaded.error.type);
  const embedder = loaded.value;
  const given = paths.map(read);
  const all = given
    .flatMap(({ sets }) => sets)
    .map((set) => {
      const result = runSet(embedder, set);
      printSet(result);
      return result;
    });
  const pairs = given.flatMap((one) => one.pairs);
  const duplicates = pairs.length === 0 ? null : measureDuplicates(embedder, pairs);
  if (duplicates !== null) printDuplicates(duplicates);

  const figures = figuresOf(all, duplicates);
  const changes = changesSince(readBaselines("retrieval"), figures, 0.0005);
  if (changes.length > 0) printTable(["since the committed run", "before", "now", ""], changes);
  if (flag("save")) saveBaselines("retrieval", figures);
  const missed = all.filter((one) => !isMet(one)).map(({ set }) => set.name);
  if (missed.length > 0) console.log(`below target: ${missed.join(", ")}`);
  return missed.length > 0 ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2).filter((word) => !word.startsWith("--")));
