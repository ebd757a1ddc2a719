/**
 * Memories and moments that may answer a query, from words and from vectors, fused by a convex combination
 * (docs/adr/0008): `(1 − w) · max(0, cosine) + w · lexical`.
 */
import {
  asksForProperties,
  type DocumentKind,
  type Embedder,
  type FindFilters,
  isExchange,
  type LexicalIndex,
  type MemoryNode,
  type NodeHead,
  type NodeStore,
  type SessionStore,
  shownStatuses,
  type VectorIndex,
} from "#domain";
import { candidatesFor, type CommonTerms, type QueryTerms, retrievalLimits } from "./limits.ts";
import type { Exactness } from "./exact.ts";
import type { Weights } from "./nudges.ts";
import { lexicalCandidates } from "./lexical-candidates.ts";

/** Everything that finding works on; its functions take it whole. */
export interface FinderContext {
  readonly lexical: LexicalIndex;
  readonly vectors: VectorIndex;
  readonly embedder: Embedder;
  readonly nodes: NodeStore;
  readonly sessions: SessionStore;
  readonly weights: Weights;
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
  /** Its beginning, as far as it is embedded. */
  readonly text: string;
  readonly terms: QueryTerms;
  readonly vector: Float32Array | null;
  /** Names in it, where exactness is to decide; absent or null = nothing. */
  readonly exact?: Exactness | null;
}

export interface Candidates {
  /** Best fused first, ties by id. */
  readonly list: readonly Candidate[];
  /** Common words of the query, to be looked for in what is read, by kind. */
  readonly common: ReadonlyMap<DocumentKind, CommonTerms>;
  /** No other node that passes the filters is nearer by vector. */
  readonly isExact: boolean;
}

/** The union of each source's best. */
export function nodeCandidates(
  deps: FinderContext,
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
  const { hits, isExact } = vectorCandidates(deps, query, asked.vector);
  const { lexicalWeight } = deps.weights;
  const candidate = (id: number, similarity: number | null): Candidate => {
    const words = byWords.get(id);
    const lexical = words?.score ?? 0;
    const fused = fuse(lexical, similarity, lexicalWeight);
    return { id, lexicalRank: words?.rank ?? null, lexical, similarity, fused };
  };
  const named: Candidate[] = [];
  const likely: Candidate[] = [];
  for (const { nodeId, similarity } of hits) {
    (byWords.has(nodeId) ? named : likely).push(candidate(nodeId, similarity));
  }
  const seen = new Set(named.map(({ id }) => id));
  for (const id of byWords.keys())
    if (!seen.has(id))
      named.push(candidate(id, asked.vector && deps.vectors.similarity(asked.vector, id)));
  return { list: mergedInOrder(named.sort(byFused), likely), common, isExact };
}

const byFused = (a: Candidate, b: Candidate): number => b.fused - a.fused || a.id - b.id;

/** Both in order: what vectors alone propose is as near as it is listed, down to what is not alike at all. */
function mergedInOrder(
  named: readonly Candidate[],
  likely: readonly Candidate[],
): readonly Candidate[] {
  const end = likely.findIndex(({ fused }) => fused === 0);
  const near = end < 0 ? likely : likely.slice(0, end);
  const list: Candidate[] = [];
  let next = 0;
  for (const one of named) {
    for (let other = near[next]; other !== undefined && byFused(other, one) < 0;) {
      list.push(other);
      next += 1;
      other = near[next];
    }
    list.push(one);
  }
  for (; next < near.length; next += 1) {
    const other = near[next];
    if (other !== undefined) list.push(other);
  }
  // The rest weighs nothing, as do words that say nothing.
  return end < 0 ? list : [...list, ...likely.slice(end)].sort(byFused);
}

const nodeKinds = (kinds: readonly DocumentKind[]): readonly DocumentKind[] =>
  kinds.filter((kind) => kind === "memory" || kind === "moment" || kind === "exchange");

interface Near {
  readonly hits: ReturnType<VectorIndex["nearest"]>;
  /** Nothing nearer passes the filters: they were applied first. */
  readonly isExact: boolean;
}

/**
 * Nearest vectors. With projects given, only those of nodes that pass what is known of them without reading. Where
 * nothing is known, or more is asked, more of them are taken: the caller reads them lazily, best first. For filters
 * that leave next to nothing see `exactCandidates`.
 */
function vectorCandidates(
  deps: FinderContext,
  query: CandidateQuery,
  vector: Float32Array | null,
): Near {
  const kinds = nodeKinds(query.kinds);
  if (vector === null || kinds.length === 0) return { hits: [], isExact: false };
  const { narrowCandidatesMax } = retrievalLimits;
  const near = (limit: number, among: Uint32Array | null): Near["hits"] =>
    deps.vectors.nearest(vector, limit, among);
  if (isPlain(query)) return { hits: near(candidatesFor(query.limit), null), isExact: false };
  // Among all projects nearly everything passes: looking at each row alone would take longer.
  const among = query.projects === null ? null : deps.nodes.allPassing({ ...query, kinds });
  if (among === null || asksForProperties(query))
    return { hits: near(narrowCandidatesMax, among), isExact: false };
  return { hits: near(rankedAtMost(query), among), isExact: true };
}

/** As many as are ever ranked, and no less than of a query without filters. */
const rankedAtMost = ({ limit }: CandidateQuery): number =>
  Math.min(
    retrievalLimits.narrowCandidatesMax,
    Math.max(
      candidatesFor(limit),
      limit * retrievalLimits.rankedPerResult + retrievalLimits.readChunk,
    ),
  );

/**
 * Candidates by vector among exactly the nodes that pass the filters, for when the overall nearest were nearly all
 * filtered away. Null when too many pass to be listed: then the overall nearest held enough of them.
 */
export function exactCandidates(
  deps: FinderContext,
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
    for (const node of deps.nodes.list(filter, "recent", { limit: filteredNodesMax }))
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

// The filters of a query, for nodes that did not come through the lexical index (which applies the same filters in
// SQL). Pure.

/** Nothing is asked for but what nearly every indexed document is: cheaper to check when it is read. */
export const isPlain = (query: FindFilters): boolean =>
  query.projects === null && query.statuses === undefined && !asksForProperties(query);

/** Memories and the archive's leaves share one table; the category tells them apart. */
export const kindOfNode = (node: NodeHead): DocumentKind => {
  if (node.category !== "sessions") return "memory";
  return isExchange(node.uri) ? "exchange" : "moment";
};

/** The conditions that a node has to pass: see `passesFilters`. */
type FilterQuery = FindFilters & {
  readonly kinds: readonly DocumentKind[];
  readonly nowMs: number;
};

/** True when the node is of a wanted kind, alive at `nowMs` and passes every filter. */
export const passesFilters = (node: MemoryNode, query: FilterQuery): boolean =>
  passesPlainFilters(node, query) && hasProperties(node, query) && isInTime(node, query);

/** The same as far as a head tells: all there is to pass when no property is asked for. */
export const passesPlainFilters = (node: NodeHead, query: FilterQuery): boolean =>
  node.nodeType === "leaf" &&
  query.kinds.includes(kindOfNode(node)) &&
  !isExpired(node, query.nowMs) &&
  (query.statuses ?? shownStatuses).includes(node.status) &&
  isInProjects(node, query.projects);

const isExpired = (node: NodeHead, nowMs: number): boolean =>
  node.expiresAt !== null && node.expiresAt <= nowMs;

const isInProjects = (node: NodeHead, projects: readonly string[] | null): boolean =>
  projects === null || node.project === null || projects.includes(node.project);

const hasProperties = (node: MemoryNode, query: FindFilters): boolean =>
  isWanted(
    query.categories,
    (wanted) => node.category !== null && wanted.includes(node.category),
  ) &&
  isWanted(query.tags, (wanted) => wanted.every((tag) => node.tags.includes(tag))) &&
  isWanted(query.file, (file) => node.files.some((path) => isFile(path, file))) &&
  isWanted(query.session, (session) => node.sourceSession === session) &&
  isWanted(query.maker, (maker) => node.maker === maker) &&
  isWanted(query.origin, (origin) => node.origin === origin);

/** A filter that was not given lets everything pass. */
const isWanted = <Wanted>(
  wanted: Wanted | undefined,
  matches: (wanted: Wanted) => boolean,
): boolean => wanted === undefined || matches(wanted);

/** A file is named in full or by its end, from a slash on. */
const isFile = (path: string, wanted: string): boolean =>
  path === wanted || path.endsWith(`/${wanted}`);

const isInTime = (node: MemoryNode, query: FindFilters): boolean =>
  (query.sinceMs === undefined || node.updatedAt >= query.sinceMs) &&
  (query.untilMs === undefined || node.updatedAt <= query.untilMs);
