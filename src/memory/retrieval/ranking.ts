/**
 * From candidates to the ranked few: reads what ranking needs (best first, until nothing unread could still get in),
 * nudges it, puts what was superseded below what superseded it, and only then reads whole nodes.
 */
import {
  asksForProperties,
  type FoundDocument,
  type MemoryNode,
  type NodeHead,
  type NodeStore,
} from "#domain";
import {
  type Candidate,
  type CandidateQuery,
  type Candidates,
  fuse,
  kindOfNode,
  passesFilters,
  passesPlainFilters,
} from "./candidates.ts";
import { outdatedFactor, retrievalLimits } from "./limits.ts";
import { type Exactness, exactScores, heldIn } from "./exact.ts";
import { atMsOf, type NudgeContext, nudgeCeiling, nudgesOf, productOf } from "./nudges.ts";

export interface RankDeps {
  readonly nodes: NodeStore;
  /** Factors of memories by how their words meet the question's, in order; null or absent = all are 1. */
  readonly closeness?:
    | ((
        entries: readonly { readonly node: Passed; readonly candidate: Candidate }[],
      ) => readonly number[])
    | null;
  /** By the older memory of an open pair, the newer one; absent = pairs do not matter. */
  readonly newerOf?: (ids: readonly number[]) => ReadonlyMap<number, MemoryNode>;
  /** Names in the question; null or absent = nothing. */
  readonly exact?: Exactness | null;
}

export interface RankQuery extends CandidateQuery {
  readonly sort: "relevance" | "date";
  /** Results that are given back; absent = `limit`. More where some will be folded into others. */
  readonly kept?: number;
}

interface Ranked {
  readonly node: NodeHead;
  readonly candidate: Candidate;
  readonly nudges: Readonly<Record<string, number>>;
  readonly score: number;
  /** The memory that holds instead, if this one was superseded or may have been. */
  readonly supersededBy: string | null;
}

/** Found documents, best first (ties by URI): at most `limit` of them, or by date all that were read. */
export function rankNodes(
  deps: RankDeps,
  query: RankQuery,
  candidates: Candidates,
  context: NudgeContext,
): readonly FoundDocument[] {
  const near = brought(deps, readBest(deps, query, candidates, context));
  const read = exactFirst(deps, near).toSorted(byRank);
  const ranked = bringSuccessors(deps, query, reachable(read, query), context);
  const kept = query.sort === "relevance" ? ranked.slice(0, query.kept ?? query.limit) : ranked;
  const nodes = nodesById(deps, kept);
  return kept.flatMap((entry) => {
    const node = nodes.get(entry.node.id);
    return node === undefined ? [] : [toDocument(entry, node)];
  });
}

/** Best score first; URIs decide ties, so that the order never depends on the order of writing. */
export const byScore = (a: FoundDocument, b: FoundDocument): number =>
  b.score - a.score || compareText(a.uri, b.uri);

export const byDate = (a: FoundDocument, b: FoundDocument): number =>
  b.atMs - a.atMs || compareText(a.uri, b.uri);

const byRank = (a: Ranked, b: Ranked): number =>
  b.score - a.score || compareText(a.node.uri, b.node.uri);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function readBest(
  deps: RankDeps,
  query: RankQuery,
  { list, common }: Candidates,
  context: NudgeContext,
): readonly Read[] {
  const { readChunk, rankedPerResult } = retrievalLimits;
  const ceiling = nudgeCeiling(context);
  const gainMax = Math.max(0, ...[...common.values()].map((one) => one.gainMax));
  const reachMax = context.weights.lexicalWeight * gainMax;
  const isExact = (deps.exact ?? null) !== null;
  const rankedMax = rankedPerResult * (query.sort === "relevance" ? query.limit : Infinity);
  const ranked: Read[] = [];
  const readFrom = createReader(deps, query, { list, withTexts: gainMax > 0 || isExact });
  for (let at = 0; at < list.length; at += readChunk) {
    const chunk = list.slice(at, at + readChunk);
    const best = ((chunk[0]?.fused ?? 0) + reachMax) * ceiling;
    if (ranked.length >= rankedMax || best < scoreAtLimit(ranked, query)) break;
    const nodes = readFrom(at);
    const gainOf = (node: Passed): number =>
      node.text === undefined ? 0 : (common.get(kindOfNode(node))?.gainOf(node.text) ?? 0);
    for (const candidate of chunk) {
      const node = nodes.get(candidate.id);
      if (node === undefined) continue;
      const gain = gainOf(node);
      ranked.push(rank(node, withGain(candidate, gain, context), context));
    }
  }
  return ranked;
}

/**
 * Reads candidates a chunk at a time. Of those that plain filters reject no row is read: the chunk is filled with what
 * comes after, so that a narrow filter costs one look and not twenty. What is read for later is kept until then.
 */
function createReader(
  deps: RankDeps,
  query: RankQuery,
  { list, withTexts }: { readonly list: readonly Candidate[]; readonly withTexts: boolean },
): (at: number) => ReadonlyMap<number, Passed> {
  const { readChunk } = retrievalLimits;
  const open = deps.nodes.passing(
    list.map(({ id }) => id),
    query,
  );
  let next = 0;
  /** The place in the list of the next open one, as far as was looked. */
  let place = 0;
  const read = new Map<number, Passed>();
  return (at) => {
    while (place < at + readChunk && list[place]?.id !== open[next]) place += 1;
    if (place >= at + readChunk || next >= open.length) return read;
    const ids = open.slice(next, next + readChunk);
    next += ids.length;
    for (const [id, node] of passing(deps, query, { ids, withTexts })) read.set(id, node);
    return read;
  };
}

type Read = Ranked & { readonly node: Passed };
type Passed = NodeHead & { readonly line: string; readonly text?: string };

/**
 * `passing` gives those that pass the filters. Tags, files, texts and the like are read only when
 * they are asked for.
 */
function passing(
  { nodes }: RankDeps,
  query: RankQuery,
  { ids, withTexts }: { readonly ids: readonly number[]; readonly withTexts: boolean },
): ReadonlyMap<number, Passed> {
  const asked = asksForProperties(query)
    ? nodes.byIds(ids).flatMap((node) => (passesFilters(node, query) ? node.id : []))
    : ids;
  const heads = withTexts ? nodes.headsWithTexts(asked) : nodes.headsWithLines(asked);
  return new Map(
    heads.flatMap((head) => (passesPlainFilters(head, query) ? [[head.id, head] as const] : [])),
  );
}

/** `withGain` adds the common words of the query, now that the text is at hand. */
function withGain(candidate: Candidate, gain: number, context: NudgeContext): Candidate {
  if (gain === 0) return candidate;
  const lexical = Math.min(1, candidate.lexical + gain);
  const fused = fuse(lexical, candidate.similarity, context.weights.lexicalWeight);
  return { ...candidate, lexical, fused };
}

function rank<N extends NodeHead>(
  node: N,
  candidate: Candidate,
  context: NudgeContext,
): Ranked & { readonly node: N } {
  const nudges = nudgesOf(node, context);
  const score = candidate.fused * productOf(nudges);
  return { node, candidate, nudges, score, supersededBy: null };
}

/** With what the words of memories and question have to do with each other. */
function brought({ closeness }: RankDeps, read: readonly Read[]): readonly Read[] {
  if (closeness === undefined || closeness === null) return read;
  const memories = read.filter(({ node }) => kindOfNode(node) === "memory");
  const factors = closeness(memories);
  const factorOf = new Map<Ranked, number>(memories.map((entry, at) => [entry, factors[at] ?? 1]));
  return read.map((entry) => moved(entry, "closeness", entry.score * (factorOf.get(entry) ?? 1)));
}

/** With those that have the names of the question above those that have others. */
function exactFirst({ exact = null }: RankDeps, read: readonly Read[]): readonly Read[] {
  if (exact === null) return read;
  const scores = exactScores(
    exact,
    read.map(({ node, score }) => ({ score, held: heldIn(exact, toldIn(node)) })),
  );
  return read.map((entry, at) => moved(entry, "exact", scores[at] ?? entry.score));
}

/** Text of a node; of an exchange without its questions, which ask for a name and tell nothing of it. */
function toldIn(node: Passed): string {
  const text = node.text ?? node.line;
  if (kindOfNode(node) !== "exchange" || !/[?？]/u.test(text)) return text;
  return text
    .split(/(?<=[.!?。！？])\s+|\n|\s(?:->|→)\s/u)
    .filter((sentence) => !/[?？]["')\]”»」]*$/u.test(sentence))
    .join("\n");
}

/** With another score, and why. */
const moved = (entry: Read, name: string, score: number): Read =>
  score === entry.score
    ? entry
    : {
        ...entry,
        score,
        nudges: entry.score > 0 ? { ...entry.nudges, [name]: score / entry.score } : entry.nudges,
      };

/** The score that a newcomer has to beat; below zero while there is room, and by date everything counts. */
function scoreAtLimit(ranked: readonly Ranked[], { limit, sort }: RankQuery): number {
  if (ranked.length < limit || sort === "date") return -1;
  const scores = Float64Array.from(ranked, ({ score }) => score).sort();
  return scores[scores.length - limit] ?? -1;
}

/**
 * The best `limit` that still hold, with what is outdated among them: whatever stands below stays below, and so does
 * what superseded it.
 */
function reachable(bestFirst: readonly Ranked[], query: RankQuery): readonly Ranked[] {
  if (query.sort === "date") return bestFirst;
  let current = 0;
  const end = bestFirst.findIndex(({ node }) => {
    if (node.status !== "superseded") current += 1;
    return current > (query.kept ?? query.limit);
  });
  return end < 0 ? bestFirst : bestFirst.slice(0, end);
}

/**
 * `bringSuccessors` serves a question in the words of the old memory, which wants the current one:
 * a successor stands at least as high as what it replaced, and joins the results when only the old
 * text matched.
 */
function bringSuccessors(
  deps: RankDeps,
  query: RankQuery,
  ranked: readonly Ranked[],
  context: NudgeContext,
): readonly Ranked[] {
  const successors = successorsOf(deps, ranked);
  const outdated = ranked.filter(
    ({ node }) => node.status === "superseded" || successors.has(node.id),
  );
  if (outdated.length === 0) return ranked;
  const found = new Map(ranked.map((entry) => [entry.node.id, entry]));
  for (const old of outdated.toSorted((a, b) => a.score - b.score || a.node.id - b.node.id)) {
    const successor = successors.get(old.node.id) ?? null;
    const heir = successor === null ? undefined : found.get(successor.id);
    const score = Math.max(old.score, heir?.score ?? 0);
    if (successor !== null && passesFilters(successor, query))
      found.set(successor.id, { ...(heir ?? rank(successor, old.candidate, context)), score });
    const below = Math.min(old.score, score * outdatedFactor);
    found.set(old.node.id, { ...old, score: below, supersededBy: successor?.uri ?? null });
  }
  return [...found.values()].toSorted(byRank);
}

/** Memories that replaced these, or may have; where only the older one has a name of the question, it is a second thing. */
function successorsOf(
  { nodes, newerOf, exact = null }: RankDeps,
  ranked: readonly Ranked[],
): ReadonlyMap<number, MemoryNode> {
  const replaced = ranked.filter(({ node }) => node.status === "superseded");
  const newer = newerOf?.(ranked.map(({ node }) => node.id)) ?? new Map<number, MemoryNode>();
  const named = new Set<number>();
  if (exact !== null && newer.size > 0)
    for (const { id, l0 } of nodes.byIds([...newer.keys()]))
      if (heldIn(exact, l0).weight > heldIn(exact, newer.get(id)?.l0 ?? l0).weight) named.add(id);
  return new Map([
    ...[...newer].filter(([id]) => !named.has(id)),
    ...currentSuccessors(
      nodes,
      replaced.map(({ node }) => node.id),
    ),
  ]);
}

/** For each id the last of its line: A ← B ← C gives C for A and for B. Bounded, so a ring in the links ends. */
export function currentSuccessors(
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

const nodesById = (
  { nodes }: RankDeps,
  ranked: readonly Ranked[],
): ReadonlyMap<number, MemoryNode> =>
  new Map(nodes.byIds(ranked.map(({ node }) => node.id)).map((node) => [node.id, node]));

const toDocument = ({ candidate, nudges, score, supersededBy }: Ranked, node: MemoryNode) => {
  const { lexicalRank, lexical, similarity, fused } = candidate;
  const explanation = { lexicalRank, lexical, similarity, fused, nudges };
  return documentOf(node, { score, explanation, supersededBy });
};

export const documentOf = (
  node: MemoryNode,
  found: Pick<FoundDocument, "score" | "explanation" | "supersededBy">,
): FoundDocument => ({
  kind: kindOfNode(node),
  node,
  uri: node.uri,
  l0: node.l0,
  project: node.project,
  atMs: atMsOf(node),
  ...found,
});
