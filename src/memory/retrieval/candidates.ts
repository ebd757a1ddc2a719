/**
 * Memories and moments that may answer a query, from words and from vectors, fused by a convex combination
 * (docs/adr/0008): `(1 − w) · max(0, cosine) + w · lexical`.
 */
import type {
  DocumentKind,
  Embedder,
  FindFilters,
  LexicalIndex,
  NodeStore,
  VectorIndex,
} from "#domain";
import type { CommonTerms } from "./common-terms.ts";
import { isNarrow, isPlain, passesFilters } from "./filters.ts";
import { lexicalCandidates } from "./lexical-candidates.ts";
import { candidatesFor, retrievalLimits } from "./limits.ts";
import type { QueryTerms } from "./terms.ts";

export interface CandidateDeps {
  readonly lexical: LexicalIndex;
  readonly vectors: Pick<VectorIndex, "nearest" | "similarity" | "size">;
  readonly embedder: Embedder;
  readonly nodes: NodeStore;
  readonly weights: { readonly lexicalWeight: number };
}

/** A node that some source proposed. Those from vectors alone have not passed the filters yet. */
export interface Candidate {
  readonly id: number;
  readonly lexicalRank: number | null;
  readonly lexical: number;
  readonly similarity: number | null;
  readonly fused: number;
}

export interface CandidateQuery extends FindFilters {
  readonly kinds: readonly DocumentKind[];
  readonly limit: number;
  readonly nowMs: number;
}

/** The convex combination. A pair that one source knows nothing of gets nothing from it. */
export const fuse = (lexical: number, similarity: number | null, lexicalWeight: number): number =>
  (1 - lexicalWeight) * Math.max(0, similarity ?? 0) + lexicalWeight * lexical;

/** A query, read: its words, and its vector when there is any to compare with. */
export interface Asked {
  readonly terms: QueryTerms;
  readonly vector: Float32Array | null;
}

export interface Candidates {
  /** Best fused first, ties by id. */
  readonly list: readonly Candidate[];
  /** Common words of the query, to be looked for in what is read, by kind. */
  readonly common: ReadonlyMap<DocumentKind, CommonTerms>;
}

/** The union of each source's best. */
export function nodeCandidates(
  deps: CandidateDeps,
  query: CandidateQuery,
  asked: Asked,
): Candidates {
  const byWords = new Map<number, { readonly rank: number; readonly score: number }>();
  const common = new Map<DocumentKind, CommonTerms>();
  const filters = isPlain(query) ? null : query;
  const depth = candidatesFor(query.limit);
  for (const kind of nodeKinds(query.kinds)) {
    const found = lexicalCandidates(deps.lexical, kind, { terms: asked.terms, filters, depth });
    for (const hit of found.candidates) byWords.set(hit.id, hit);
    common.set(kind, found.common);
  }
  const byVector = vectorCandidates(deps, query, asked.vector);
  const ids = new Set([...byWords.keys(), ...byVector.keys()]);
  const similarityOf = (id: number): number | null =>
    byVector.get(id) ?? (asked.vector === null ? null : deps.vectors.similarity(asked.vector, id));
  const list = Array.from(ids, (id): Candidate => {
    const words = byWords.get(id);
    const lexical = words?.score ?? 0;
    const similarity = similarityOf(id);
    const fused = fuse(lexical, similarity, deps.weights.lexicalWeight);
    return { id, lexicalRank: words?.rank ?? null, lexical, similarity, fused };
  });
  return { list: list.sort((a, b) => b.fused - a.fused || a.id - b.id), common };
}

const nodeKinds = (kinds: readonly DocumentKind[]): readonly DocumentKind[] =>
  kinds.filter((kind) => kind === "memory" || kind === "moment" || kind === "exchange");

/**
 * Nearest vectors. They know nothing of filters, so with a narrow one more of them are taken: the caller reads them
 * lazily, best first. For filters that leave next to nothing see `exactCandidates`.
 */
function vectorCandidates(
  deps: CandidateDeps,
  query: CandidateQuery,
  vector: Float32Array | null,
): ReadonlyMap<number, number> {
  if (vector === null || nodeKinds(query.kinds).length === 0) return new Map();
  const limit = isNarrow(query) ? retrievalLimits.narrowCandidatesMax : candidatesFor(query.limit);
  return similarityById(deps.vectors.nearest(vector, limit, null));
}

/**
 * Candidates by vector among exactly the nodes that pass the filters, for when the overall nearest were nearly all
 * filtered away. Null when too many pass to be listed: then the overall nearest held enough of them.
 */
export function exactCandidates(
  deps: CandidateDeps,
  query: CandidateQuery,
  vector: Float32Array,
): readonly Candidate[] | null {
  const { candidatesMax, filteredNodesMax } = retrievalLimits;
  const archives = [query.kinds.includes("memory"), query.kinds.includes("moment")];
  const allowed = new Set<number>();
  for (const [index, isWanted] of archives.entries()) {
    const filter = { ...query, archive: index === 1 };
    if (!isWanted) continue;
    if (deps.nodes.count(filter) > filteredNodesMax) return null;
    for (const node of deps.nodes.list(filter, "recent", { limit: filteredNodesMax, offset: 0 }))
      if (passesFilters(node, query)) allowed.add(node.id);
  }
  const { lexicalWeight } = deps.weights;
  return deps.vectors.nearest(vector, candidatesMax, allowed).map(({ nodeId, similarity }) => ({
    id: nodeId,
    lexicalRank: null,
    lexical: 0,
    similarity,
    fused: fuse(0, similarity, lexicalWeight),
  }));
}

const similarityById = (hits: ReturnType<VectorIndex["nearest"]>): ReadonlyMap<number, number> =>
  new Map(hits.map((hit) => [hit.nodeId, hit.similarity]));
