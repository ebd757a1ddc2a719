/**
 * Tab-separated pairs. `P query memory` and `D memory` (paraphrases and distractors) become a set of questions; lines
 * that start with DUP, CON or REL are labelled duplicates (see dedup.ts).
 */
import { categoryRules } from "#domain";
import { readWords } from "../../../src/language/query-words.ts";
import { reciprocalRank, recallAny } from "./metrics.ts";
import type {
  BenchDocument,
  BenchQuestion,
  LabelledPair,
  Metric,
  QuestionSet,
} from "./question-set.ts";

export const rowsOf = (text: string): readonly (readonly string[])[] =>
  text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"));

export const isParaphrases = (text: string): boolean =>
  rowsOf(text).every(([kind]) => kind === "P" || kind === "D");

export const isDuplicates = (text: string): boolean =>
  rowsOf(text).every(([kind]) => kind === "DUP" || kind === "CON" || kind === "REL");

const kindNames: Readonly<Record<string, string>> = {
  DUP: "reworded",
  CON: "contradicting",
  REL: "related",
};

export const labelledPairs = (text: string): readonly LabelledPair[] =>
  rowsOf(text).map(([label = "", a = "", b = ""]) => ({
    a,
    b,
    same: label === "DUP",
    kind: kindNames[label] ?? label,
  }));

const nowMs = Date.UTC(2026, 0, 1);
const metrics: Readonly<Record<string, Metric>> = {
  "R@5": (ranked, gold) => recallAny(ranked, gold, 5),
  "R@10": (ranked, gold) => recallAny(ranked, gold, 10),
  MRR: reciprocalRank,
};

/**
 * Two sets over the same memories: the paraphrases, and for each memory a question in some of its own words, so that a
 * gain on the one cannot hide a loss on the other.
 */
export function paraphraseSets(text: string): readonly QuestionSet[] {
  const rows = rowsOf(text);
  const documents = rows.map((row, i): BenchDocument => ({
    id: `m${i}`,
    uri: `${categoryRules.cases.root}/m${i}`,
    category: "cases",
    text: (row[0] === "P" ? row[2] : row[1]) ?? "",
    atMs: nowMs,
  }));
  const paraphrased = rows.flatMap((row, i): BenchQuestion[] =>
    row[0] === "P" ? [{ text: row[1] ?? "", gold: gold(i), type: row[3] ?? "", nowMs }] : [],
  );
  const shared = documents.map((document, i): BenchQuestion => ({
    text: someWordsOf(document.text),
    gold: gold(i),
    type: "own words",
    nowMs,
  }));
  const set = (name: string, questions: readonly BenchQuestion[], target: number | null) => ({
    name,
    collections: [{ name, documents, questions }],
    metrics,
    headline: { metric: "R@5", target },
    halvesBy: "question" as const,
  });
  return [set("paraphrases", paraphrased, 0.62), set("memory's own words", shared, null)];
}

const gold = (i: number): ReadonlySet<string> => new Set([`m${i}`]);

/** Every second content word: what somebody remembers of a sentence. */
const someWordsOf = (text: string): string =>
  readWords(text)
    .content.filter((_, i) => i % 2 === 0)
    .slice(0, 4)
    .join(" ");
