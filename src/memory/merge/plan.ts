/**
 * Decides what becomes of a candidate: known already, new, or new in place of older memories
 * (docs/design/extraction.md, "Candidates and duplicates"). A memory ends when a writer names it, when another value of
 * its slot arrives, or when an order tells that its value moved, is gone, or is another one now (value-change.ts);
 * resemblance alone ends nothing. Pure; the caller carries the plan out in one transaction.
 */
import {
  type Candidate,
  type MemoryNode,
  type Neighbour,
  type NodeDraft,
  orderedAgain,
  type Origin,
  origins,
} from "#domain";
import { saidEndOf } from "#language";
import { listsAnew, listsOthers } from "./listed-values.ts";
import { holdsAllOf, mayContradict, saySame } from "./statement.ts";
import { bareLine } from "../exchange/worded.ts";
import { changesValueOf } from "./value-change.ts";
import { renames } from "./renamed.ts";
import { movesToVersion } from "./version-change.ts";

export type MergePlan =
  | {
      readonly type: "skip";
      readonly node: MemoryNode;
      readonly reason: string;
      readonly reinforce: boolean;
    }
  | {
      readonly type: "create";
      readonly reason: string;
      /** Memories that an order without a slot may have replaced: shown with it until somebody decides. */
      readonly doubted: readonly MemoryNode[];
    }
  | {
      readonly type: "supersede";
      readonly reason: string;
      /** Memories that end; at least one. */
      readonly ended: readonly [MemoryNode, ...MemoryNode[]];
      readonly doubted: readonly MemoryNode[];
    };

/** Chooses the plan for a candidate among known memories (any order): its neighbours and those that it names. */
export function planCandidate(candidate: Candidate, nearest: readonly Neighbour[]): MergePlan {
  const nodes = nearest.map(({ node }) => node);
  const again = nodes.find((node) => isSameEvidence(candidate, node));
  if (again !== undefined)
    return {
      type: "skip",
      node: again,
      reason: "already taken from this turn",
      reinforce: false,
    };
  const live = nodes.filter(
    ({ status, category }) => status === "active" && category !== "sessions",
  );
  const known = live.find((node) => isKnown(candidate, node));
  if (known !== undefined)
    return { type: "skip", node: known, reason: "already known", reinforce: true };
  const [first, ...others] = live.filter((node) => ends(candidate, node));
  const doubted = live.filter((node) => isDoubted(candidate, node) && node !== first);
  if (first === undefined)
    return { type: "create", reason: candidate.isAgain === true ? orderedAgain : "new", doubted };
  const reason = isNamed(candidate, first)
    ? "named as replaced"
    : isSameSlot(candidate, first)
      ? "another value of the same slot"
      : "told as changed";
  return {
    type: "supersede",
    reason,
    ended: [first, ...others],
    doubted: doubted.filter((node) => !others.includes(node)),
  };
}

/** A turn that is read twice gives the same memory; of one sentence an agent may save two things. */
const isSameEvidence = (candidate: Candidate, node: MemoryNode): boolean =>
  candidate.maker !== "manual" &&
  node.evidence.some(
    ({ sessionId, turn, quote }) =>
      sessionId === candidate.evidence.sessionId &&
      turn === candidate.evidence.turn &&
      quote === candidate.evidence.quote,
  );

/**
 * True when the memory says it in the same words. A memory of another project is never the same memory; a global one
 * covers every project. What the user says of a thing that only the agent had said is news: it is the user's now.
 */
const isKnown = (candidate: Candidate, node: MemoryNode): boolean =>
  (node.project === candidate.project || node.project === null) &&
  isTrustedAtLeastAs(node, candidate) &&
  !isNamed(candidate, node) &&
  saySame(...withoutOwners(candidate.l0, node.l0));

const isTrustedAtLeastAs = (node: MemoryNode, { origin }: Candidate): boolean =>
  origin !== "user" || node.origin === "user";

const isNamed = ({ replaces = [] }: Candidate, { id }: MemoryNode): boolean =>
  replaces.includes(id);

/** True for what the candidate names, says in the user's words now, or gives another value of the slot of. */
const ends = (candidate: Candidate, node: MemoryNode): boolean =>
  mayEnd(candidate, node) &&
  (isNamed(candidate, node) ||
    (node.project === candidate.project &&
      (isSameSlot(candidate, node) ||
        saySame(candidate.l0, node.l0) ||
        isLeftBehind(candidate, node))));

/** The user's order tells that its value was this one, and is another now. */
function isLeftBehind(candidate: Candidate, node: MemoryNode): boolean {
  if (candidate.origin !== "user" || candidate.maker === "extract" || node.origin === "team")
    return false;
  const statements = withoutOwners(candidate.l0, node.l0);
  return [changesValueOf, listsAnew, movesToVersion, renames].some((ends) => ends(...statements));
}

const isSameSlot = ({ slot = null }: Candidate, node: MemoryNode): boolean =>
  slot !== null && slot === node.slot;

/**
 * Only the user's word ends what the user said, and nothing ends what was said later. A value that ends by itself
 * leaves the one without an end: that holds again afterwards.
 */
const mayEnd = (candidate: Candidate, node: MemoryNode): boolean =>
  node.updatedAt <= candidate.atMs &&
  candidate.origin !== "tool" &&
  (candidate.origin === "user" || node.origin !== "user") &&
  (isNamed(candidate, node) || endOf(candidate) === null || node.expiresAt !== null);

/** When one of the two names no slot, as orders do, only their words tell what the newer one may replace. */
const isDoubted = (candidate: Candidate, node: MemoryNode): boolean =>
  candidate.maker !== "extract" &&
  candidate.origin === "user" &&
  ((candidate.slot ?? null) === null || (node.slot ?? null) === null) &&
  node.project === candidate.project &&
  !isNamed(candidate, node) &&
  node.origin !== "team" &&
  mayEnd(candidate, node) &&
  [mayContradict, listsOthers].some((differ) => differ(...withoutOwners(candidate.l0, node.l0)));

/**
 * The user's memories in force that an agent's own word would contradict: it waits beside them. They may be the user's
 * everywhere, or of the same project.
 */
export const opposedBy = (
  candidate: Candidate,
  nearest: readonly Neighbour[],
): readonly MemoryNode[] =>
  candidate.origin !== "agent" || candidate.maker !== "manual"
    ? []
    : nearest
        .map(({ node }) => node)
        .filter(
          (node) =>
            node.origin === "user" &&
            node.status === "active" &&
            node.category !== "sessions" &&
            (node.project === candidate.project || node.project === null) &&
            // The mark of the user's words would be one of the words.
            standsAgainst(...withoutOwners(bareLine(candidate.l0), bareLine(node.l0))),
        );

/** A note that says all that the memory says, and more, agrees with it. */
const standsAgainst = (newer: string, older: string): boolean =>
  mayContradict(newer, older) && !holdsAllOf(newer, older);

/**
 * The candidate's place among memories of the same slot that were said later: a turn that is judged late must not bring
 * back what was changed since. Null when nothing later stands.
 */
export const overtakenBy = (
  { slot = null, project, atMs }: Candidate,
  nearest: readonly Neighbour[],
): MemoryNode | null =>
  nearest.find(
    ({ node }) =>
      slot !== null &&
      node.status === "active" &&
      node.slot === slot &&
      node.project === project &&
      node.updatedAt > atMs,
  )?.node ?? null;

const label = /^([\p{L}\p{N}][\p{L}\p{N}_./@-]{0,60}): (?=\S)/u;

/**
 * Two statements without the label of their project or person in front (`web: …`, `User: …`). A label that the other
 * statement neither has nor mentions is a topic of its own ("tests: …") and stays: it names the subject.
 */
const withoutOwners = (a: string, b: string): readonly [string, string] => [
  withoutOwner(a, b),
  withoutOwner(b, a),
];

/** The statement behind any label. */
export const withoutLabel = (text: string): string => text.replace(label, "");

function withoutOwner(text: string, other: string): string {
  const found = label.exec(text);
  const owner = found?.[1]?.toLowerCase();
  if (found === null || owner === undefined) return text;
  const isOwner = owner === "user" || other.toLowerCase().includes(owner);
  return isOwner ? text.slice(found[0].length) : text;
}

/** The end that words kept without a model give themselves, or the order before them: "until Friday, remember …". */
function saidEnd({ maker, l0, l2, evidence, atMs, zone = null }: Candidate): number | null {
  if (maker !== "manual" && maker !== "signal") return null;
  const before = evidence.quote.slice(0, Math.max(0, evidence.quote.indexOf(l0)));
  return saidEndOf(l2 ?? l0, atMs, zone) ?? saidEndOf(before, atMs, zone);
}

const endOf = (candidate: Candidate): number | null => candidate.expiresAt ?? saidEnd(candidate);

/** Returns the node that a candidate becomes at `uri`; valid from the moment it was said. */
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

// Decides whose word a memory is that was made of several. Pure.

/** The least trusted origin of the parts (at least one): a merge never lends authority. */
export const leastTrusted = (parts: readonly [Origin, ...Origin[]]): Origin =>
  parts.reduce((least, one) => (origins.indexOf(one) > origins.indexOf(least) ? one : least));
