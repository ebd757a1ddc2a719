/**
 * Moments that keep coming back become a memory (docs/design/memory.md, "Consolidation"): the fourth time the same
 * error is fought in a project, that is a case and no incident. Pure.
 */
import { storedLimits, type Candidate, type Category, type MemoryNode } from "#domain";
import { cutAtWord, isoDate } from "#kit";
import { type MergeThresholds, saysTheSame } from "../merge/plan.ts";

/** A moment beside another, with the cosine of their lines. */
export interface NearMoment {
  readonly node: MemoryNode;
  readonly similarity: number | null;
}

export interface Recurring {
  /** The memory they become; its words are the anchor's. */
  readonly candidate: Candidate;
  readonly moments: readonly MemoryNode[];
}

/** As many, in as many sessions: less is a busy afternoon. */
const momentsMin = 4;
const sessionsMin = 3;
const listedMax = 20;

/** What a kind of turn becomes when it comes back; a routine stays one. */
const categoryByType: Readonly<Record<string, Category>> = {
  error: "cases",
  correction: "patterns",
  decision: "patterns",
  insight: "patterns",
  iteration: "patterns",
};

interface RecurringLimits {
  readonly thresholds: MergeThresholds;
  readonly taken: ReadonlySet<number>;
  readonly nowMs: number;
}

/**
 * The memory that a moment and those near it become, or null. Only what says the same comes back: another service with
 * another limit is another incident, however alike the words. `taken`: ids that are part of a memory already.
 */
export function recurringOf(
  anchor: MemoryNode,
  near: readonly NearMoment[],
  limits: RecurringLimits,
): Recurring | null {
  const [type] = anchor.tags;
  const category = type === undefined ? undefined : categoryByType[type];
  if (category === undefined || limits.taken.has(anchor.id)) return null;
  const others = near.filter((other) => isThatAgain(anchor, other, limits));
  const moments = [anchor, ...others.map(({ node }) => node)];
  const sessions = new Set(moments.map(({ sourceSession }) => sourceSession));
  if (moments.length < momentsMin || sessions.size < sessionsMin) return null;
  return { candidate: candidateOf(anchor, moments, { category, ...limits }), moments };
}

const isThatAgain = (
  anchor: MemoryNode,
  other: NearMoment,
  { thresholds, taken }: RecurringLimits,
): boolean =>
  other.node.id !== anchor.id &&
  other.node.status === "active" &&
  other.node.project === anchor.project &&
  other.node.tags[0] === anchor.tags[0] &&
  !taken.has(other.node.id) &&
  saysTheSame(anchor.l0, other, thresholds);

function candidateOf(
  anchor: MemoryNode,
  moments: readonly MemoryNode[],
  { category, nowMs }: { readonly category: Category; readonly nowMs: number },
): Candidate {
  const inOrder = moments.toSorted((a, b) => a.createdAt - b.createdAt || a.id - b.id);
  const lines = inOrder.slice(-listedMax).map((one) => `- ${isoDate(momentMs(one))}: ${one.l0}`);
  const [first] = anchor.evidence;
  return {
    category,
    uriHint: anchor.l0,
    l0: anchor.l0,
    l1: `Came up ${moments.length} times:\n${lines.join("\n")}`,
    l2: null,
    importance: Math.max(...moments.map(({ importance }) => importance)),
    tags: [...new Set(moments.flatMap(({ tags }) => tags))].slice(0, listedMax),
    files: [...new Set(moments.flatMap(({ files }) => files))].slice(0, listedMax),
    aliases: [],
    project: anchor.project,
    // What sessions have in common was not said by the user.
    origin: "agent",
    maker: "extract",
    evidence: {
      sessionId: first?.sessionId ?? anchor.sourceSession ?? "",
      turn: first?.turn ?? null,
      line: first?.line ?? null,
      quote: cutAtWord(first?.quote ?? anchor.l0, storedLimits.quoteCharsMax),
    },
    branch: null,
    atMs: nowMs,
  };
}

const momentMs = ({ validFrom, createdAt }: MemoryNode): number => validFrom ?? createdAt;
