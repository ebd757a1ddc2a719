/** Labelled pairs: what the local rules do with the second text when the first is known. */
import { categoryRules, type Candidate, type Embedder } from "#domain";
import { planCandidate, type MergePlan } from "#memory";
import { printTable, round } from "../report/table.ts";
import type { LabelledPair } from "./question-set.ts";
import { openWorkspace } from "./workspace.ts";

export interface PairFigures {
  readonly pairs: number;
  /** Share of the pairs that say the same and became one memory. */
  readonly mergedShare: number;
  /** Pairs that say different things and became one memory without replacing anything. */
  readonly falseMerges: number;
  readonly byKind: readonly {
    readonly kind: string;
    readonly same: boolean;
    readonly pairs: number;
    readonly plans: Readonly<Record<MergePlan["type"], number>>;
  }[];
  readonly falsePairs: readonly string[];
}

const atMs = Date.UTC(2026, 0, 1);
const kinds: readonly MergePlan["type"][] = ["skip", "supersede", "create"];

export function measureDuplicates(embedder: Embedder, pairs: readonly LabelledPair[]): PairFigures {
  const judged = pairs.map((pair) => ({ pair, plan: planOf(embedder, pair) }));
  const isOne = (plan: MergePlan["type"]): boolean => plan === "skip";
  const same = judged.filter(({ pair }) => pair.same);
  const other = judged.filter(({ pair }) => !pair.same);
  const merged = other.filter(({ plan }) => isOne(plan));
  const groups = Map.groupBy(judged, ({ pair }) => `${pair.kind}|${pair.same}`);
  return {
    pairs: pairs.length,
    mergedShare: same.filter(({ plan }) => plan !== "create").length / Math.max(1, same.length),
    falseMerges: merged.length,
    byKind: [...groups.values()].map((group) => ({
      kind: group[0]?.pair.kind ?? "",
      same: group[0]?.pair.same ?? false,
      pairs: group.length,
      plans: {
        skip: group.filter(({ plan }) => plan === "skip").length,
        supersede: group.filter(({ plan }) => plan === "supersede").length,
        create: group.filter(({ plan }) => plan === "create").length,
      },
    })),
    falsePairs: merged.map(({ pair }) => `${pair.a} | ${pair.b}`),
  };
}

/** The first text is the only memory; the second comes in as the worker brings it in. */
function planOf(embedder: Embedder, { a, b }: LabelledPair): MergePlan["type"] {
  const uri = `${categoryRules.entities.root}/a`;
  using workspace = openWorkspace(embedder, [
    { id: "a", uri, category: "entities", text: a, atMs },
  ]);
  const near = workspace.finder.neighbours(b, { projects: [], nowMs: atMs, limit: 12 });
  return planCandidate(candidate(b), near).type;
}

const candidate = (text: string): Candidate => ({
  category: "entities",
  uriHint: "b",
  l0: text,
  l1: null,
  l2: null,
  importance: 3,
  tags: [],
  files: [],
  aliases: [],
  project: null,
  origin: "user",
  maker: "extract",
  evidence: { sessionId: "bench", turn: 1, line: null, quote: text },
  branch: null,
  atMs: atMs + 1,
});

export function printDuplicates(figures: PairFigures): void {
  const { pairs, mergedShare, falseMerges, byKind, falsePairs } = figures;
  console.log(
    `duplicates: ${pairs} labelled pairs; of the same ${round(mergedShare)} became one, ${falseMerges} false merges`,
  );
  printTable(
    ["", "pairs", ...kinds],
    byKind.map(({ kind, same, pairs: count, plans }) =>
      [`${kind}, ${same ? "the same" : "different"}`, count].concat(
        kinds.map((plan) => plans[plan]),
      ),
    ),
  );
  for (const pair of falsePairs) console.log(`false merge: ${pair}`);
}
