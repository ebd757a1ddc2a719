/**
 * Near-identical memories that should be one (docs/design/memory.md, "Consolidation"). What dedup catches one by one as
 * candidates come in slips through where two sessions learn side by side, an import comes late, or a memory is edited.
 * Pure.
 */
import { categoryRules, type MemoryNode, type NodePatch } from "#domain";
import { leastTrusted, type Neighbour } from "../merge/plan.ts";
import { saySame } from "../merge/statement.ts";

export interface NearDuplicates {
  /** The one that stays, with its words unchanged. */
  readonly keep: MemoryNode;
  readonly absorbed: readonly [MemoryNode, ...MemoryNode[]];
  /** What the one that stays takes over from the others. */
  readonly patch: NodePatch;
}

/** The latest of each are kept. */
const evidenceMax = 10;
const listMax = 20;

/**
 * What says the same as `keep` among its neighbours, if anything. Only what is current, of one category, project,
 * branch and origin: nobody's word is lent to another's. Null as well when one of them should stay rather than `keep`.
 */
export function nearDuplicatesOf(
  keep: MemoryNode,
  near: readonly Neighbour[],
): NearDuplicates | { readonly ratherKeep: MemoryNode } | null {
  const same = near
    .filter((other) => mayBeOne(keep, other.node) && saySame(keep.l0, other.node.l0))
    .map(({ node }) => node);
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
