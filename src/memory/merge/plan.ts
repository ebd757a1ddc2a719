/**
 * What becomes of a candidate: known, new, a newer version, or the end of an older statement
 * (docs/design/extraction.md, "Candidates and duplicates"). Decides only; the caller carries it out in one transaction.
 * No model, no IO.
 */
import {
  categoryRules,
  type Candidate,
  type EmbedderIdentity,
  type MemoryNode,
  type NodePatch,
  type NodeDraft,
} from "#domain";
import { jaccard, saidEndOf } from "#language";
import { duplicateGuards } from "./guards.ts";
import { gistOf } from "./gist.ts";
import { ends, type Ended, type Weighing } from "./supersedes.ts";
import { leastTrusted } from "./trust.ts";

export interface Neighbour {
  readonly node: MemoryNode;
  /** Normalised BM25, 0 to 1. */
  readonly lexical: number;
  /** Cosine, null when the embedder knows nothing of either text. */
  readonly similarity: number | null;
  readonly fused: number;
}

export interface MergeThresholds {
  /** Cosine from which two texts that pass the guards say the same. */
  readonly duplicateSimilarity: number;
  /** Share of content words in common from which they do, whatever the cosine. */
  readonly duplicateWords: number;
}

/** Word overlap that makes a duplicate: measured on labelled pairs, see the tests beside. */
const duplicateWords = 0.75;

export const mergeThresholds = (identity: EmbedderIdentity): MergeThresholds => ({
  duplicateSimilarity: identity.duplicateFloor,
  duplicateWords,
});

/** What a decision is made with. */
export interface MergeMeans extends Weighing {
  readonly thresholds: MergeThresholds;
}

export type MergePlan =
  | {
      readonly type: "skip";
      readonly node: MemoryNode;
      readonly reason: string;
      readonly reinforce: boolean;
    }
  | { readonly type: "create"; readonly reason: string }
  | {
      readonly type: "merge";
      readonly node: MemoryNode;
      readonly patch: NodePatch;
      readonly reason: string;
    }
  | { readonly type: "supersede"; readonly node: MemoryNode; readonly reason: string };

/** Chooses one plan for a candidate among its neighbours (any order). */
export function planCandidate(
  candidate: Candidate,
  nearest: readonly Neighbour[],
  { thresholds, ...weighing }: MergeMeans,
): MergePlan {
  const again = nearest.find(({ node }) => isSameEvidence(candidate, node));
  if (again !== undefined)
    return {
      type: "skip",
      node: again.node,
      reason: "already taken from this turn",
      reinforce: false,
    };
  const live = nearest.filter(
    ({ node }) => node.status === "active" && node.category !== "sessions",
  );
  const known = live.find((other) => isDuplicate(candidate, other, thresholds));
  if (known !== undefined)
    return { type: "skip", node: known.node, reason: "already known", reinforce: true };
  const old = surestEnded(candidate, live, weighing);
  return old === null ? { type: "create", reason: "new" } : planReplaced(candidate, old);
}

const isSameEvidence = (candidate: Candidate, node: MemoryNode): boolean =>
  node.evidence.some(
    ({ sessionId, turn, quote }) =>
      sessionId === candidate.evidence.sessionId &&
      turn === candidate.evidence.turn &&
      quote === candidate.evidence.quote,
  );

/** A memory of another project is never the same memory; a global one covers every project. */
const coversProject = (candidate: Candidate, node: MemoryNode): boolean =>
  node.project === candidate.project || node.project === null;

/** Below this share of common words two texts are only about the same kind of thing, however near their vectors. */
const likenessWordsMin = 0.25;
/** The more words they share, the less alike their vectors need to be: so much less for all of them. */
const likenessPerWords = 0.4;

const isDuplicate = (
  candidate: Candidate,
  other: Neighbour,
  thresholds: MergeThresholds,
): boolean => coversProject(candidate, other.node) && saysTheSame(candidate.l0, other, thresholds);

/** Do two statements claim the same thing? One doubt about a value, a name or a negation means no. */
export function saysTheSame(
  l0: string,
  other: { readonly node: Pick<MemoryNode, "l0">; readonly similarity: number | null },
  thresholds: MergeThresholds,
): boolean {
  const [a, b] = bareTexts(l0, other.node.l0);
  const words = jaccard(gistOf(a), gistOf(b));
  const isNear =
    words >= thresholds.duplicateWords ||
    (words >= likenessWordsMin &&
      (other.similarity ?? 0) >=
        thresholds.duplicateSimilarity - likenessPerWords * (words - likenessWordsMin));
  return isNear && duplicateGuards(a, b).compatible;
}

type EndedNode = Ended & { readonly node: MemoryNode };

function surestEnded(
  candidate: Candidate,
  live: readonly Neighbour[],
  weighing: Weighing,
): EndedNode | null {
  let best: EndedNode | null = null;
  for (const { node } of live) {
    const found = mayEnd(candidate, node) ? ends(candidate, node, weighing) : null;
    if (found !== null && (best === null || found.strength > best.strength))
      best = { node, ...found };
  }
  return best;
}

/**
 * Only what is older, of the same project (or both global), and not more trusted: words from a tool or the agent never
 * end what the user said. What happened (cases) stays true. What says itself when it ends leaves what has no end: that
 * holds again afterwards.
 */
const mayEnd = (candidate: Candidate, node: MemoryNode): boolean =>
  (saidEnd(candidate) === null || node.expiresAt !== null) &&
  node.project === candidate.project &&
  node.updatedAt <= candidate.atMs &&
  node.category !== "cases" &&
  candidate.category !== "cases" &&
  candidate.origin !== "tool" &&
  (candidate.origin === "user" || node.origin !== "user");

function planReplaced(candidate: Candidate, old: EndedNode): MergePlan {
  const { node, reason } = old;
  const inPlace =
    node.category === candidate.category &&
    categoryRules[candidate.category].mergeable &&
    !node.pinned;
  return inPlace
    ? { type: "merge", node, patch: mergedPatch(candidate, node), reason }
    : { type: "supersede", node, reason };
}

/** The newer statement leads; evidence, tags and aliases add up; the least trusted origin stays. */
function mergedPatch(candidate: Candidate, node: MemoryNode): NodePatch {
  return {
    l0: candidate.l0,
    l1: candidate.l1,
    l2: candidate.l2,
    aliases: candidate.aliases,
    tags: [...new Set([...node.tags, ...candidate.tags])],
    files: [...new Set([...node.files, ...candidate.files])],
    importance: Math.max(node.importance, candidate.importance),
    origin: leastTrusted([candidate.origin, node.origin]),
    validFrom: candidate.atMs,
    expiresAt: endOf(candidate),
    evidenceCount: node.evidenceCount + 1,
    evidence: [...node.evidence, candidate.evidence].slice(-evidencePerNodeMax),
  };
}

/** Evidence kept per node: the latest. */
const evidencePerNodeMax = 10;

const label = /^([\p{L}\p{N}][\p{L}\p{N}_./@-]{0,60}): (?=\S)/u;

/**
 * Two statements without the label of their project or person in front (`web: …`, `User: …`). A label that the other
 * statement neither has nor mentions is a topic of its own ("tests: …") and stays: it names the subject.
 */
const bareTexts = (a: string, b: string): readonly [string, string] => [
  withoutOwner(a, b),
  withoutOwner(b, a),
];

function withoutOwner(text: string, other: string): string {
  const found = label.exec(text);
  const owner = found?.[1]?.toLowerCase();
  if (found === null || owner === undefined) return text;
  const isOwner = owner === "user" || other.toLowerCase().includes(owner);
  return isOwner ? text.slice(found[0].length) : text;
}

/** The end that words kept without a model give themselves. */
const saidEnd = ({ maker, l0, l2, atMs }: Candidate): number | null =>
  maker === "manual" || maker === "signal" ? saidEndOf(l2 ?? l0, atMs) : null;

const endOf = (candidate: Candidate): number | null => candidate.expiresAt ?? saidEnd(candidate);

/** The node a candidate becomes at `uri`; valid from the moment it was said. */
export const applyableDraft = (candidate: Candidate, uri: string): NodeDraft => ({
  uri,
  category: candidate.category,
  project: candidate.project,
  branch: candidate.branch,
  l0: candidate.l0,
  l1: candidate.l1,
  l2: candidate.l2,
  aliases: candidate.aliases,
  importance: candidate.importance,
  tags: candidate.tags,
  files: candidate.files,
  origin: candidate.origin,
  maker: candidate.maker,
  validFrom: candidate.atMs,
  expiresAt: endOf(candidate),
  slot: candidate.slot ?? null,
  sourceSession: candidate.evidence.sessionId,
  evidence: [candidate.evidence],
});
