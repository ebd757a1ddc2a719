/**
 * Pairs memories that say the same: those that a later reading proposes with those that were kept of the same words at
 * once, and near duplicates. Pure.
 */
import {
  type Candidate,
  categoryRules,
  type Evidence,
  type MemoryNode,
  type NodePatch,
} from "#domain";
import { denies, jaccard, readWords, sharedCount, tellsChange, stemsOf } from "#language";
import { addedBy } from "../typed/words.ts";
import { leastTrusted } from "./plan.ts";
import { saySame } from "./statement.ts";

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

/** True when a worded memory says all that a raw quote says: each of its words, and no denial more or less. */
export function covers({ l0, evidence }: Candidate, raw: MemoryNode): boolean {
  return denies(l0) === denies(raw.l0) && holdsAll(`${l0}\n${evidence.quote}`, raw.l0);
}

/**
 * True for a line that is of the memory's value, or that tells of no change and says what the memory does: each of its
 * names and values, and most of its words.
 */
export const mayStandBeside = (
  { l0, value }: { readonly l0: string; readonly value: string },
  old: MemoryNode,
): boolean =>
  denies(l0) === denies(old.l0) &&
  (tellsValue(old.l0, value) ||
    (!tellsChange(l0) && addedBy(old.l0, l0) === null && quoteOverlap(l0, old.l0) >= saidShareMin));
/** Share of the words of the shorter text. */
const saidShareMin = 0.7;

export const tellsValue = (text: string, value: string): boolean =>
  value !== "" && holdsAll(text, value);

function holdsAll(text: string, part: string): boolean {
  const said = wordSet(text);
  return [...wordSet(part)].every((word) => said.has(word));
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
  const content = stemsOf(text);
  return content.size > 0 ? content : new Set(readWords(text).plain);
};

// Near-identical memories that should be one (docs/design/memory.md, "Consolidation"). What dedup catches one by one
// as candidates come in slips through where two sessions learn side by side, an import comes late, or a memory is
// edited. Pure.

export interface NearDuplicates {
  /** The one that stays, with its words unchanged. */
  readonly keep: MemoryNode;
  readonly absorbed: readonly [MemoryNode, ...MemoryNode[]];
  /** The fields that the memory that stays takes over from the others. */
  readonly patch: NodePatch;
}

/** The latest of each are kept. */
const evidenceMax = 10;
const listMax = 20;

/**
 * Finds the memories that say the same as `keep` among those with the same words. Only what is current, of one
 * category, project, branch and origin: nobody's word is lent to another's. Null as well when one of them
 * should stay rather than `keep`.
 */
export function nearDuplicatesOf(
  keep: MemoryNode,
  alike: readonly MemoryNode[],
): NearDuplicates | { readonly ratherKeep: MemoryNode } | null {
  const same = alike.filter((other) => mayBeOne(keep, other) && saySame(keep.l0, other.l0));
  const best = [keep, ...same].toSorted(bySeniority)[0] ?? keep;
  if (best.id !== keep.id) return { ratherKeep: best };
  const [first, ...others] = same.filter(({ pinned }) => !pinned);
  if (first === undefined) return null;
  const absorbed: NearDuplicates["absorbed"] = [first, ...others];
  return { keep, absorbed, patch: patchOf(keep, absorbed) };
}

/** Dated things that happened on different days are two, however alike their words. */
const mayBeOne = (a: MemoryNode, b: MemoryNode): boolean =>
  a.id !== b.id &&
  isCurrent(a) &&
  isCurrent(b) &&
  a.category === b.category &&
  a.project === b.project &&
  a.branch === b.branch &&
  a.origin === b.origin &&
  a.origin !== "team" &&
  !(a.category !== null && categoryRules[a.category].dated && !sameDay(a, b));

const isCurrent = ({ status, nodeType, category }: MemoryNode): boolean =>
  status === "active" && nodeType === "leaf" && category !== null && category !== "sessions";

const msPerDay = 86_400_000;

const sameDay = (a: MemoryNode, b: MemoryNode): boolean =>
  Math.floor((a.validFrom ?? a.createdAt) / msPerDay) ===
  Math.floor((b.validFrom ?? b.createdAt) / msPerDay);

/** Pinned, then used, then important, then well founded; among equals the oldest, whose URI is known longest. */
const bySeniority = (a: MemoryNode, b: MemoryNode): number =>
  Number(b.pinned) - Number(a.pinned) ||
  b.accessCount - a.accessCount ||
  b.importance - a.importance ||
  b.evidenceCount - a.evidenceCount ||
  a.createdAt - b.createdAt ||
  a.id - b.id;

function patchOf(keep: MemoryNode, absorbed: NearDuplicates["absorbed"]): NodePatch {
  const all: readonly [MemoryNode, ...MemoryNode[]] = [keep, ...absorbed];
  const union = (of: (node: MemoryNode) => readonly string[]): readonly string[] =>
    [...new Set(all.flatMap(of))].slice(0, listMax);
  const ids = [
    ...keep.mergedFrom,
    ...absorbed.flatMap(({ id, mergedFrom }) => [id, ...mergedFrom]),
  ];
  return {
    mergedFrom: [...new Set(ids)],
    origin: leastTrusted([keep.origin, ...absorbed.map(({ origin }) => origin)]),
    importance: Math.max(...all.map(({ importance }) => importance)),
    evidenceCount: all.reduce((sum, { evidenceCount }) => sum + evidenceCount, 0),
    evidence: all.flatMap(({ evidence }) => evidence).slice(-evidenceMax),
    aliases: union(({ aliases }) => aliases),
    tags: union(({ tags }) => tags),
    files: union(({ files }) => files),
  };
}
