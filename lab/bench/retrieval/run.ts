/** Asks every question of a set in every way, and sums up: overall, per type, per half, and how long it took. */
import type { Embedder } from "#domain";
import { mean, median, percentile } from "../report/table.ts";
import { type BenchQuestion, halvesOf, type QuestionSet } from "./question-set.ts";
import { openPlainFts, openWorkspace } from "./workspace.ts";

export const ways = ["plain FTS5", "find", "search"] as const;
export type Way = (typeof ways)[number];

interface Asked {
  readonly question: BenchQuestion;
  readonly half: 0 | 1;
  readonly ranked: readonly string[];
  readonly ms: number;
}

export interface WayResult {
  readonly metrics: Readonly<Record<string, number>>;
  /** The headline metric by type of question and by half. */
  readonly byType: Readonly<Record<string, { readonly questions: number; readonly value: number }>>;
  readonly byHalf: readonly [number, number];
  readonly p50: number;
  readonly p95: number;
}

export interface SetResult {
  readonly set: QuestionSet;
  readonly documents: number;
  readonly questions: number;
  readonly ways: Readonly<Record<Way, WayResult>>;
}

/** Results asked for: the deepest cut of any metric. */
const depth = 10;

export function runSet(embedder: Embedder, set: QuestionSet): SetResult {
  const halves = halvesOf(
    set.halvesBy === "collection"
      ? set.collections.map(({ name }) => name)
      : set.collections.flatMap(({ questions }) => questions.map(({ text }) => text)),
  );
  const asked: Record<Way, Asked[]> = { "plain FTS5": [], find: [], search: [] };
  for (const { name, documents, questions } of set.collections) {
    using workspace = openWorkspace(embedder, documents);
    using plain = openPlainFts(documents);
    for (const question of questions) {
      const half = halves.get(set.halvesBy === "collection" ? name : question.text) ?? 0;
      for (const way of ways) {
        const started = performance.now();
        const ranked =
          way === "plain FTS5" ? plain.ask(question, depth) : workspace.ask(way, question, depth);
        asked[way].push({ question, half, ranked, ms: performance.now() - started });
      }
    }
  }
  return {
    set,
    documents: set.collections.reduce((sum, { documents }) => sum + documents.length, 0),
    questions: asked.find.length,
    ways: {
      "plain FTS5": sumUp(set, asked["plain FTS5"]),
      find: sumUp(set, asked.find),
      search: sumUp(set, asked.search),
    },
  };
}

function sumUp(set: QuestionSet, asked: readonly Asked[]): WayResult {
  const headline = set.metrics[set.headline.metric] ?? (() => Number.NaN);
  const of = (some: readonly Asked[]): number =>
    mean(some.map(({ ranked, question }) => headline(ranked, question.gold)));
  const types = Map.groupBy(asked, ({ question }) => question.type);
  const times = asked.map(({ ms }) => ms);
  return {
    metrics: Object.fromEntries(
      Object.entries(set.metrics).map(([name, metric]) => [
        name,
        mean(asked.map(({ ranked, question }) => metric(ranked, question.gold))),
      ]),
    ),
    byType: Object.fromEntries(
      [...types].map(([type, some]) => [type, { questions: some.length, value: of(some) }]),
    ),
    byHalf: [
      of(asked.filter(({ half }) => half === 0)),
      of(asked.filter(({ half }) => half === 1)),
    ],
    p50: median(times),
    p95: percentile(times, 0.95),
  };
}
