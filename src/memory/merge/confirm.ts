/**
 * What a later reading of the same turns has to do with what was remembered of them at once: which memory a candidate
 * words anew, and which newer memory it came too late for. Decides only. Pure.
 */
import type { Candidate, Evidence, MemoryNode } from "#domain";
import { contentWords, jaccard, sharedCount, wordsOf } from "#language";
import { planCandidate, type MergeMeans, type Neighbour } from "./plan.ts";

/** Half of the shorter quote's words: a reader may take the clause where another took the sentence. */
const overlapMin = 0.5;

/**
 * Pairs candidates with memories of the same session and turn whose evidence says the same, each with one at most, the
 * surest pairs first. Returns the memory for each candidate that has one.
 */
export function confirmed(
  candidates: readonly Candidate[],
  nodes: readonly MemoryNode[],
): ReadonlyMap<Candidate, MemoryNode> {
  const pairs = candidates
    .flatMap((candidate) =>
      nodes.map((node) => ({ candidate, node, likeness: likenessOf(candidate, node) })),
    )
    .filter(({ likeness }) => likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness);
  const found = new Map<Candidate, MemoryNode>();
  const taken = new Set<number>();
  for (const { candidate, node } of pairs) {
    if (found.has(candidate) || taken.has(node.id)) continue;
    found.set(candidate, node);
    taken.add(node.id);
  }
  return found;
}

/** 0 = not the same words; else how alike the quotes are, and then the statements, which may share a quote. */
function likenessOf(candidate: Candidate, node: MemoryNode): number {
  const overlap = Math.max(
    0,
    ...node.evidence
      .filter(isOfTurn(candidate))
      .map(({ quote }) => quoteOverlap(quote, candidate.evidence.quote)),
  );
  return overlap < overlapMin ? 0 : overlap + jaccard(wordSet(candidate.l0), wordSet(node.l0));
}

const isOfTurn =
  ({ evidence }: Candidate) =>
  ({ sessionId, turn }: Evidence): boolean =>
    sessionId === evidence.sessionId && turn === evidence.turn;

/** Share of the shorter quote's words that the other has too, 0 to 1. */
export function quoteOverlap(a: string, b: string): number {
  const one = wordSet(a);
  const other = wordSet(b);
  const least = Math.min(one.size, other.size);
  return least === 0 ? 0 : sharedCount(one, other) / least;
}

/** Content words; a quote without any ("do it now") is compared by all its words. */
const wordSet = (text: string): ReadonlySet<string> => {
  const content = contentWords(text);
  return new Set(content.length > 0 ? content : wordsOf(text));
};

/**
 * The newer memory that would have replaced the candidate, had it been known in time; null when none would. A reading
 * that comes late must not bring back what was changed since.
 */
export function overtakenBy(
  candidate: Candidate,
  nearest: readonly Neighbour[],
  means: MergeMeans,
): MemoryNode | null {
  const newer = nearest.filter(
    ({ node }) => node.status === "active" && node.updatedAt > candidate.atMs,
  );
  const ends = ({ node, ...measures }: Neighbour): boolean => {
    const older: Neighbour = { ...measures, node: asOlder(candidate, node) };
    const { type } = planCandidate(asCandidate(node), [older], means);
    return type === "merge" || type === "supersede";
  };
  return newer.find(ends)?.node ?? null;
}

/** The candidate in the place of a memory. */
const asOlder = (candidate: Candidate, like: MemoryNode): MemoryNode => ({
  ...like,
  category: candidate.category,
  project: candidate.project,
  l0: candidate.l0,
  l1: candidate.l1,
  l2: candidate.l2,
  aliases: candidate.aliases,
  origin: candidate.origin,
  slot: candidate.slot ?? null,
  pinned: false,
  status: "active",
  updatedAt: candidate.atMs,
  evidence: [],
});

/** A memory as if it were proposed now. */
const asCandidate = (node: MemoryNode): Candidate => ({
  category: node.category ?? "events",
  uriHint: "",
  l0: node.l0,
  l1: node.l1,
  l2: node.l2,
  importance: node.importance,
  tags: node.tags,
  files: node.files,
  aliases: node.aliases,
  project: node.project,
  origin: node.origin,
  maker: node.maker,
  evidence: node.evidence.at(-1) ?? { sessionId: "", turn: null, line: null, quote: "" },
  branch: node.branch,
  atMs: node.updatedAt,
  slot: node.slot,
});
