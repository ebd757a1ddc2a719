/**
 * From candidates to the ranked few: reads nodes lazily (best first, until nothing unread could still get in),
 * nudges them, and puts what was superseded below what superseded it.
 */
import type { FoundDocument, MemoryNode, NodeStore } from "#domain";
import type { Candidate, CandidateQuery } from "./candidates.ts";
import { kindOfNode, passesFilters } from "./filters.ts";
import { outdatedFactor, retrievalLimits } from "./limits.ts";
import { atMsOf, type NudgeContext, nudgeCeiling, nudgesOf, productOf } from "./nudges.ts";

export interface RankDeps {
  readonly nodes: NodeStore;
}

export interface RankQuery extends CandidateQuery {
  readonly sort: "relevance" | "date";
}

interface Ranked {
  readonly node: MemoryNode;
  readonly candidate: Candidate;
  readonly nudges: Readonly<Record<string, number>>;
  readonly score: number;
}

/** Found documents, best first (ties by URI); a few more than `limit`, for the caller to cut after mixing kinds. */
export function rankNodes(
  deps: RankDeps,
  query: RankQuery,
  candidates: readonly Candidate[],
  context: NudgeContext,
): readonly FoundDocument[] {
  const read = readBest(deps, query, candidates, context);
  return bringSuccessors(deps, query, read, context);
}

/** Best score first; URIs decide ties, so that the order never depends on the order of writing. */
export const byScore = (a: FoundDocument, b: FoundDocument): number =>
  b.score - a.score || compareText(a.uri, b.uri);

export const byDate = (a: FoundDocument, b: FoundDocument): number =>
  b.atMs - a.atMs || compareText(a.uri, b.uri);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function readBest(
  deps: RankDeps,
  query: RankQuery,
  candidates: readonly Candidate[],
  context: NudgeContext,
): readonly Ranked[] {
  const ceiling = nudgeCeiling(context);
  const ranked: Ranked[] = [];
  for (let at = 0; at < candidates.length; at += retrievalLimits.readChunk) {
    const chunk = candidates.slice(at, at + retrievalLimits.readChunk);
    const best = (chunk[0]?.fused ?? 0) * ceiling;
    if (query.sort === "relevance" && best < scoreAtLimit(ranked, query.limit)) break;
    const nodes = new Map(
      deps.nodes.byIds(chunk.map(({ id }) => id)).map((node) => [node.id, node]),
    );
    for (const candidate of chunk) {
      const node = nodes.get(candidate.id);
      if (node !== undefined && passesFilters(node, query))
        ranked.push(rank(node, candidate, context));
    }
  }
  return ranked;
}

function rank(node: MemoryNode, candidate: Candidate, context: NudgeContext): Ranked {
  const nudges = nudgesOf(node, context);
  return { node, candidate, nudges, score: candidate.fused * productOf(nudges) };
}

/** The score that a newcomer has to beat; below zero while there is room. */
function scoreAtLimit(ranked: readonly Ranked[], limit: number): number {
  if (ranked.length < limit) return -1;
  const scores = ranked.map(({ score }) => score).toSorted((a, b) => b - a);
  return scores[limit - 1] ?? -1;
}

/**
 * Who asks in the words of the old wants the current: a successor stands at least as high as what it replaced, and
 * joins the results when only the old text matched.
 */
function bringSuccessors(
  deps: RankDeps,
  query: RankQuery,
  ranked: readonly Ranked[],
  context: NudgeContext,
): readonly FoundDocument[] {
  const found = new Map(ranked.map((entry) => [entry.node.id, toDocument(entry, null)]));
  const outdated = ranked.filter(({ node }) => node.status === "superseded");
  const successors = currentSuccessors(
    deps.nodes,
    outdated.map(({ node }) => node.id),
  );
  for (const old of outdated.toSorted((a, b) => a.score - b.score || a.node.id - b.node.id)) {
    const successor = successors.get(old.node.id) ?? null;
    const heir = successor === null ? undefined : found.get(successor.id);
    const score = Math.max(old.score, heir?.score ?? 0);
    if (successor !== null && passesFilters(successor, query)) {
      const entry = {
        ...(heirOf(ranked, successor) ?? rank(successor, old.candidate, context)),
        score,
      };
      found.set(successor.id, toDocument(entry, null));
    }
    const below = Math.min(old.score, score * outdatedFactor);
    found.set(old.node.id, toDocument({ ...old, score: below }, successor?.uri ?? null));
  }
  return [...found.values()].toSorted(byScore);
}

const heirOf = (ranked: readonly Ranked[], successor: MemoryNode): Ranked | undefined =>
  ranked.find(({ node }) => node.id === successor.id);

/** For each id the last of its line: A ← B ← C gives C for A and for B. Bounded, so a ring in the links ends. */
function currentSuccessors(
  nodes: NodeStore,
  ids: readonly number[],
): ReadonlyMap<number, MemoryNode> {
  const last = new Map<number, MemoryNode>();
  let open = new Map(ids.map((id) => [id, id]));
  for (let step = 0; step < retrievalLimits.successionDepthMax && open.size > 0; step += 1) {
    const next = nodes.successors([...new Set(open.values())]);
    const still = new Map<number, number>();
    for (const [id, at] of open) {
      const successor = next.get(at);
      if (successor === undefined) continue;
      last.set(id, successor);
      if (successor.status === "superseded") still.set(id, successor.id);
    }
    open = still;
  }
  return last;
}

const toDocument = (entry: Ranked, supersededBy: string | null): FoundDocument => ({
  kind: kindOfNode(entry.node),
  node: entry.node,
  uri: entry.node.uri,
  l0: entry.node.l0,
  project: entry.node.project,
  atMs: atMsOf(entry.node),
  score: entry.score,
  explanation: {
    lexicalRank: entry.candidate.lexicalRank,
    lexical: entry.candidate.lexical,
    similarity: entry.candidate.similarity,
    fused: entry.candidate.fused,
    nudges: entry.nudges,
  },
  supersededBy,
});
