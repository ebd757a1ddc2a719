/** The search questions of a devmem split (gold.json): every fact is a memory, older versions are superseded. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { categoryRules, isCategory } from "#domain";
import { isRecord, isText, readList } from "./json.ts";
import { reciprocalRank, recallAny } from "./metrics.ts";
import type { BenchDocument, LabelledPair, QuestionSet } from "./question-set.ts";

const nowMs = Date.UTC(2026, 10, 1);
const atMs = Date.UTC(2026, 8, 1);

const goldOf = (folder: string, split: string): Readonly<Record<string, unknown>> => {
  const gold: unknown = JSON.parse(readFileSync(join(folder, split, "gold.json"), "utf8"));
  return isRecord(gold) ? gold : {};
};

export function devmemSet(folder: string, split: string): QuestionSet {
  const gold = goldOf(folder, split);
  const documents = readList(gold["facts"]).filter(isRecord).map(fact);
  const questions = readList(gold["search"])
    .filter(isRecord)
    .map((search) => ({
      text: String(search["query"]),
      // The first is the current one; older versions may follow and do not count.
      gold: new Set(readList(search["relevant"]).filter(isText).slice(0, 1)),
      type: "search",
      nowMs,
    }));
  return {
    name: `devmem ${split}`,
    collections: [{ name: split, documents, questions }],
    metrics: {
      "R@5": (ranked, wanted) => recallAny(ranked, wanted, 5),
      "R@1": (ranked, wanted) => recallAny(ranked, wanted, 1),
      MRR: reciprocalRank,
    },
    headline: { metric: "R@5", target: 0.95 },
    halvesBy: "question",
  };
}

function fact(row: Readonly<Record<string, unknown>>): BenchDocument {
  const { id, category, project, statement, supersedes } = row;
  const own = isText(category) && isCategory(category) ? category : "cases";
  return {
    id: String(id),
    uri: `${categoryRules[own].root}/${String(id).toLowerCase()}`,
    category: own,
    text: String(statement),
    atMs,
    project: isText(project) ? project : null,
    ...(isText(supersedes) ? { supersedes } : {}),
  };
}

/** Pairs of statements that do or do not say the same. */
export const devmemPairs = (folder: string, split: string): readonly LabelledPair[] =>
  readList(goldOf(folder, split)["dedup"])
    .filter(isRecord)
    .map(({ a, b, same, level }) => ({
      a: String(a),
      b: String(b),
      same: same === true,
      kind: String(level),
    }));
