/**
 * One lookup: words and vectors propose, a convex combination ranks, small nudges settle near-ties. `find` is one of
 * them, `search` several.
 */
import type {
  Embedder,
  FindQuery,
  FoundDocument,
  Link,
  MemoryNode,
  NodeStore,
  VectorIndex,
} from "#domain";
import { type TimeWindow, timeWindowOf } from "#language";
import file from "../../../models/learnt/closeness.json" with { type: "json" };
import { type Exactness, exactnessOf, exactScores, heldIn } from "./exact.ts";
import { type Asked, exactCandidates, type FinderContext, nodeCandidates } from "./candidates.ts";
import { candidatesFor, isCommon, outdatedFactor, queryTerms, retrievalLimits } from "./limits.ts";
import type { NudgeContext } from "./nudges.ts";
import { byDate, byScore, type RankDeps, rankNodes } from "./ranking.ts";
import { findRecords, isRecordKind } from "./records.ts";

/** Prompts can be whole logs; a query this long says all it has to say. */
const embeddedCharsMax = 2_000;

/** Reads a text as a query. */
export const ask = (deps: FinderContext, text: string): Asked => ({
  text: text.slice(0, embeddedCharsMax),
  terms: queryTerms(text),
  vector: deps.vectors.size() === 0 ? null : deps.embedder.embed(text.slice(0, embeddedCharsMax)),
});

/** Results that a query may have: a whole number between none and 100. */
export const boundedLimit = (limit: number): number =>
  Math.min(retrievalLimits.resultsMax, Math.max(0, Math.floor(limit)));

/** A query of which more may be given back than is asked for (see ranking.ts). */
type LookUp = FindQuery & { readonly kept?: number };

/** Best first, or newest first. `query.limit` is within its bounds. `window`: the time that the question speaks of. */
export function lookUp(
  deps: FinderContext,
  query: LookUp,
  asked: Asked,
  window: TimeWindow | null = timeWindowOf(query.text, query.nowMs),
): readonly FoundDocument[] {
  const { homeProject } = query;
  const context: NudgeContext = { homeProject, window, weights: deps.weights };
  const records = query.kinds
    .filter(isRecordKind)
    .flatMap((kind) => findRecords(deps, { ...query, kind }, asked, context));
  const found = [...findNodes(deps, query, asked, context), ...records].filter(
    ({ score }) => score > 0 && score >= (query.minScore ?? 0),
  );
  // Among nodes it has been done, before they were cut to so many.
  const exact = records.length === 0 ? null : (asked.exact ?? null);
  const ordered = exactFirst(exact, found, (document) => document);
  return arrange(deps, query, ordered);
}

/** Names in a question, without those that most of these documents have. */
export function namedIn(
  { embedder, lexical }: FinderContext,
  { text, kinds }: FindQuery,
): Exactness | null {
  return exactnessOf(text, embedder.isWord, ({ key, isStrong, pairs }) => {
    // No document has the whole of a run without spaces.
    if (isStrong || pairs.length > 0) return true;
    return kinds.some((kind) => {
      const { documents, byTerm } = lexical.frequencies(kind, [key], null);
      const count = byTerm.get(key) ?? 0;
      return !isCommon(count, documents);
    });
  });
}

/**
 * With what has the names of a question above what has others, of all kinds; but what was superseded stays below what
 * superseded it.
 */
export function exactFirst<One extends { readonly score: number }>(
  exact: Exactness | null,
  found: readonly One[],
  documentOf: (one: One) => FoundDocument,
): readonly One[] {
  if (exact === null) return found;
  const scores = exactScores(
    exact,
    found.map((one) => ({ score: one.score, held: heldIn(exact, textOf(documentOf(one))) })),
  );
  const lifted = found.map((one, at) => Object.assign({}, one, { score: scores[at] ?? one.score }));
  return belowSuccessors(lifted, documentOf);
}

/** A lifted result must not pass the one that superseded it. */
export function belowSuccessors<One extends { readonly score: number }>(
  found: readonly One[],
  documentOf: (one: One) => FoundDocument,
): readonly One[] {
  const scores = new Map(found.map((one) => [documentOf(one).uri, one.score]));
  return found.map((one) => {
    const heir = scores.get(documentOf(one).supersededBy ?? "");
    return heir === undefined || heir > one.score
      ? one
      : Object.assign({}, one, { score: heir * outdatedFactor });
  });
}

const textOf = ({ l0, node }: FoundDocument): string =>
  node === null
    ? l0
    : [l0, node.aliases.join(" "), node.tags.join(" "), node.files.join(" "), node.l1].join(" ");

/**
 * Nothing has a word of the question, and nothing is as near as this. Of 446 right hits of six invented developers one
 * was farther off; of 2,205 questions about other projects, 363 find nothing nearer. Holds for the embedder that it was
 * measured with.
 */
const nearMin = 0.25;

export const isAnyNear = ({ embedder }: FinderContext, found: readonly FoundDocument[]): boolean =>
  embedder.identity.id !== file.embedder ||
  found.some(
    ({ explanation: { lexicalRank, similarity } }) =>
      lexicalRank !== null || (similarity ?? 0) >= nearMin,
  );

function findNodes(
  deps: FinderContext,
  query: LookUp,
  asked: Asked,
  context: NudgeContext,
): readonly FoundDocument[] {
  if (query.kinds.every(isRecordKind)) return [];
  const candidates = nodeCandidates(deps, query, asked);
  const ranking: RankDeps = {
    nodes: deps.nodes,
    newerOf: (ids) => newerOf(deps.nodes, ids),
    exact: asked.exact ?? null,
    // A setting that wants relevance alone counts nothing else.
    closeness: deps.weights.relevanceWeight >= 1 ? null : closenessTo(deps, asked.text),
  };
  const found = rankNodes(ranking, query, candidates, context);
  // Backfill: a narrow filter may have rejected nearly all that was near.
  if (found.length >= query.limit || asked.vector === null || candidates.isExact) return found;
  if (deps.vectors.size() <= candidatesFor(query.limit)) return found;
  const exact = exactCandidates(deps, query, asked.vector) ?? [];
  const known = new Set(candidates.list.map(({ id }) => id));
  const added = exact.filter(({ id }) => !known.has(id));
  if (added.length === 0) return found;
  const list = [...candidates.list, ...added];
  return rankNodes(ranking, query, { ...candidates, list }, context);
}

/** By date only what truly matches is listed: the long tail of weak similarities would bury it. */
function arrange(
  deps: FinderContext,
  query: LookUp,
  found: readonly FoundDocument[],
): readonly FoundDocument[] {
  const best = found.toSorted(byScore);
  const kept = query.kept ?? query.limit;
  if (query.sort === "relevance") return best.slice(0, kept);
  const { similarityFloor } = deps.embedder.identity;
  return best
    .filter(
      ({ explanation }) =>
        explanation.lexicalRank !== null || (explanation.similarity ?? 0) >= similarityFloor,
    )
    .toSorted(byDate)
    .slice(0, kept);
}

// Measures how well the words of a question and of a memory meet, one by one, as a factor of the
// memory's score (docs/adr/0050). Learnt (lab/train/closeness.ts; models/learnt/closeness.json), valid
// for the embedder it was learnt with: with another, every factor is 1.

interface Entry {
  readonly node: { readonly id: number; readonly line: string };
  readonly candidate: {
    readonly lexical: number;
    readonly similarity: number | null;
    readonly fused: number;
  };
}

/** Words at most double a score or halve it twice. */
const factorMax = 2;
const factorMin = 0.25;
/** A score below this says nothing; its logarithm would say much. */
const scoreMin = 0.02;

/** The factors of some memories for a question, in their order; null where the embedder has no weights. */
function closenessTo(
  { embedder, vectors }: FinderContext,
  question: string,
): ((entries: readonly Entry[]) => readonly number[]) | null {
  if (embedder.identity.id !== file.embedder) return null;
  return (entries) =>
    closenessFeatures(
      embedder,
      vectors.similarity,
      { question, usual: usualQuestion() },
      entries,
    ).map((features) => {
      if (features === null) return 1;
      let sum = file.bias;
      for (const [at, weight] of file.weights.entries()) sum += weight * (features[at] ?? 0);
      return Math.min(factorMax, Math.max(factorMin, Math.exp(sum)));
    });
}

/**
 * `closenessFeatures` gives the features that the factor is learnt from: the score without it,
 * cosine, words in common, the embedder's interactions, and the cosine with what is usually asked.
 * A memory that is near to every question tells little by being near to this one.
 */
export function closenessFeatures(
  embedder: Embedder,
  similarity: VectorIndex["similarity"],
  { question, usual }: { readonly question: string; readonly usual: Float32Array },
  entries: readonly Entry[],
): readonly (readonly number[] | null)[] {
  const met = embedder.interactions?.(
    question,
    entries.map(({ node }) => node.line),
  );
  return entries.map(({ node, candidate }, at) => {
    const own = met?.[at] ?? null;
    return own === null
      ? null
      : [
          Math.log(Math.max(scoreMin, candidate.fused)),
          Math.max(0, candidate.similarity ?? 0),
          candidate.lexical,
          ...own,
          similarity(usual, node.id) ?? 0,
        ];
  });
}

let usual: Float32Array | null = null;

/** The mean of the questions that the weights were learnt with, as a unit vector. */
function usualQuestion(): Float32Array {
  if (usual !== null) return usual;
  const bytes = Int8Array.from(atob(file.usual), (letter) => letter.charCodeAt(0));
  const norm = Math.hypot(...bytes) || 1;
  return (usual = Float32Array.from(bytes, (value) => value / norm));
}

// Memories that may have replaced an older one (relation `contradicts`, see merge/plan.ts): the newer counts as
// current until a person or a model decides.

/** Weight of a pair that was decided: both hold. */
export const settledWeight = 0;

const linksMax = 500;

export const isDoubt = ({ relation, weight }: Link): boolean =>
  relation === "contradicts" && weight > settledWeight;

/** Memories that one superseded. */
export const endedBy = (nodes: NodeStore, id: number): readonly MemoryNode[] =>
  nodes.byIds(
    nodes
      .links(id)
      .filter(({ relation, fromId }) => relation === "supersedes" && fromId === id)
      .map(({ toId }) => toId),
  );

/** Open pairs in which any of these memories stands, the strongest first. */
export const doubtsOf = (
  nodes: Pick<NodeStore, "linksOf">,
  ids: readonly number[],
): readonly Link[] => (ids.length === 0 ? [] : nodes.linksOf(ids, linksMax).filter(isDoubt));

/** For each of these memories that stands in an open pair as the older one, the newer one in force. */
export function newerOf(nodes: NodeStore, ids: readonly number[]): ReadonlyMap<number, MemoryNode> {
  const pairs = ids.length === 0 ? [] : nodes.doubtsAbout(ids);
  if (pairs.length === 0) return new Map();
  const newer = new Map(
    nodes
      .byIds(pairs.map(({ fromId }) => fromId))
      .filter(({ status }) => status === "active")
      .map((node) => [node.id, node]),
  );
  return new Map(
    pairs.flatMap(({ fromId, toId }) => {
      const node = newer.get(fromId);
      return node === undefined ? [] : [[toId, node] as const];
    }),
  );
}
