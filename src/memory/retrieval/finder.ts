/**
 * find: the right memory for a text, without a model, in about a millisecond. Words and vectors propose, a convex
 * combination ranks, small nudges settle near-ties, and each result says why it stands where it stands.
 *
 * Read-only: searching never changes what the next search finds (docs/adr/0005).
 */
import type {
  Embedder,
  FindQuery,
  FoundDocument,
  LexicalIndex,
  MemoryNode,
  NodeStore,
  SessionStore,
  Settings,
  VectorIndex,
} from "#domain";
import { type Asked, type CandidateQuery, exactCandidates, nodeCandidates } from "./candidates.ts";
import { retrievalLimits } from "./limits.ts";
import type { NudgeContext } from "./nudges.ts";
import { byDate, byScore, rankNodes } from "./ranking.ts";
import { findRecords, isRecordKind } from "./records.ts";
import { timeWindowOf } from "./temporal.ts";
import { queryTerms } from "./terms.ts";

export interface FinderDeps {
  readonly lexical: LexicalIndex;
  readonly vectors: VectorIndex;
  readonly embedder: Embedder;
  readonly nodes: NodeStore;
  readonly sessions: SessionStore;
  readonly weights: Settings["retrieval"];
}

export interface Neighbour {
  readonly node: MemoryNode;
  /** Normalised BM25, 0 to 1. */
  readonly lexical: number;
  readonly similarity: number | null;
  readonly fused: number;
}

export interface Finder {
  /** Best first (or newest first), at most `limit` and never more than 100. Any string is a valid query. */
  readonly find: (query: FindQuery) => readonly FoundDocument[];
  /** Memories that may say the same, current ones only, without nudges: for dedup. Best fused first. */
  readonly neighbours: (
    text: string,
    options: {
      readonly projects: readonly string[] | null;
      readonly nowMs: number;
      readonly limit: number;
    },
  ) => readonly Neighbour[];
}

export const createFinder = (deps: FinderDeps): Finder => ({
  find: (query) => find(deps, query),
  neighbours: (text, options) => neighbours(deps, text, options),
});

/** Prompts can be whole logs; a query this long says all it has to say. */
const embeddedCharsMax = 2_000;

const ask = (deps: FinderDeps, text: string): Asked => ({
  terms: queryTerms(text),
  vector: deps.vectors.size() === 0 ? null : deps.embedder.embed(text.slice(0, embeddedCharsMax)),
});

function find(deps: FinderDeps, asGiven: FindQuery): readonly FoundDocument[] {
  const limit = Math.min(retrievalLimits.resultsMax, Math.max(0, Math.floor(asGiven.limit)));
  if (limit === 0) return [];
  const query = { ...asGiven, limit };
  const asked = ask(deps, query.text);
  const context: NudgeContext = {
    homeProject: query.homeProject,
    window: timeWindowOf(query.text, query.nowMs),
    weights: deps.weights,
  };
  const records = query.kinds
    .filter(isRecordKind)
    .flatMap((kind) => findRecords(deps, { ...query, kind }, asked, context));
  const found = [...findNodes(deps, query, asked, context), ...records].filter(
    ({ score }) => score > 0 && score >= (query.minScore ?? 0),
  );
  return arrange(deps, query, found);
}

function findNodes(
  deps: FinderDeps,
  query: FindQuery,
  asked: Asked,
  context: NudgeContext,
): readonly FoundDocument[] {
  if (query.kinds.every(isRecordKind)) return [];
  const candidates = nodeCandidates(deps, query, asked);
  const found = rankNodes(deps, query, candidates, context);
  // Backfill: a narrow filter may have rejected nearly all that was near.
  if (found.length >= query.limit || asked.vector === null) return found;
  if (deps.vectors.size() <= retrievalLimits.candidatesMax) return found;
  const exact = exactCandidates(deps, query, asked.vector) ?? [];
  const known = new Set(candidates.list.map(({ id }) => id));
  const added = exact.filter(({ id }) => !known.has(id));
  if (added.length === 0) return found;
  const list = [...candidates.list, ...added];
  return rankNodes(deps, query, { ...candidates, list }, context);
}

/** By date only what truly matches is listed: the long tail of weak similarities would bury it. */
function arrange(
  deps: FinderDeps,
  query: FindQuery,
  found: readonly FoundDocument[],
): readonly FoundDocument[] {
  const best = found.toSorted(byScore);
  if (query.sort === "relevance") return best.slice(0, query.limit);
  const { similarityFloor } = deps.embedder.identity;
  return best
    .filter(
      ({ explanation }) =>
        explanation.lexicalRank !== null || (explanation.similarity ?? 0) >= similarityFloor,
    )
    .toSorted(byDate)
    .slice(0, query.limit);
}

function neighbours(
  deps: FinderDeps,
  text: string,
  options: Parameters<Finder["neighbours"]>[1],
): readonly Neighbour[] {
  const query: CandidateQuery = {
    projects: options.projects,
    kinds: ["memory"],
    statuses: ["active", "pending"],
    limit: options.limit,
    nowMs: options.nowMs,
  };
  const candidates = nodeCandidates(deps, query, ask(deps, text));
  const plain = { ...deps.weights, projectWeight: 0, importanceWeight: 0, relevanceWeight: 0 };
  const context: NudgeContext = { homeProject: null, window: null, weights: plain };
  return rankNodes({ nodes: deps.nodes }, { ...query, sort: "relevance" }, candidates, context)
    .slice(0, options.limit)
    .flatMap(({ node, explanation: { lexical, similarity, fused } }) =>
      node === null ? [] : [{ node, lexical, similarity, fused }],
    );
}
