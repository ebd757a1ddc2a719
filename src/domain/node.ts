/** Nodes of the memory tree, as every room sees them. Times are epoch milliseconds. */
import type { Category } from "./category.ts";
import type {
  makers,
  nodeStatuses,
  nodeTypes,
  origins,
  relations,
  revisionActions,
} from "./vocabulary.ts";

export type NodeType = (typeof nodeTypes)[number];
/** Set by the server from the channel, never by content. Ordered from most to least trusted. */
export type Origin = (typeof origins)[number];
/** The path that made the node. */
export type Maker = (typeof makers)[number];
export type NodeStatus = (typeof nodeStatuses)[number];
export type Relation = (typeof relations)[number];

/** The origin of a memory: a pointer into a transcript and the words that say it. */
export interface Evidence {
  readonly sessionId: string;
  /** Turn number within the session, from 1; null when unknown. */
  readonly turn: number | null;
  /** Line of the transcript, from 1; null when the transcript was not at hand. */
  readonly line: number | null;
  /** Verbatim span, at most 300 characters. */
  readonly quote: string;
}

/** Fields that ranking decides by: a node without its lists and long texts. */
export interface NodeHead {
  readonly id: number;
  readonly uri: string;
  readonly nodeType: NodeType;
  readonly category: Category | null;
  /** Project key; null = everywhere. */
  readonly project: string | null;
  readonly status: NodeStatus;
  /** Cache of the decay function; refreshed daily, never an input to the next computation. */
  readonly relevance: number;
  /** 1 to 5. */
  readonly importance: number;
  readonly updatedAt: number;
  readonly validFrom: number | null;
  readonly expiresAt: number | null;
}

export interface MemoryNode extends NodeHead {
  readonly parentUri: string | null;
  readonly branch: string | null;
  readonly scope: "user" | "team";
  /** The member of the team who said it; absent for what was learnt here. */
  readonly author?: string;
  /** L0: one self-contained line, at most 100 tokens. */
  readonly l0: string;
  /** L1: at most 2,000 tokens; null falls back to L0. */
  readonly l1: string | null;
  /** L2: at most 40,000 characters. */
  readonly l2: string | null;
  readonly aliases: readonly string[];
  readonly mergedFrom: readonly number[];
  readonly lastAccess: number | null;
  readonly accessCount: number;
  readonly evidenceCount: number;
  readonly tags: readonly string[];
  readonly files: readonly string[];
  readonly anchors: readonly string[];
  readonly pinned: boolean;
  readonly origin: Origin;
  readonly maker: Maker;
  readonly validTo: number | null;
  readonly sourceSession: string | null;
  readonly evidence: readonly Evidence[];
  /** The slot: its topic, as `subject · attribute` (see `slotOf`): one current value in a project. Null = not known. */
  readonly slot: string | null;
  readonly createdAt: number;
}

/** The same with what is embedded of it (see `embeddedText`). */
export type HeadWithLine = NodeHead & { readonly line: string };

/** As much of a node as it takes to choose among many and to say one in a line. */
export type NodeOutline = Pick<
  MemoryNode,
  | "id"
  | "uri"
  | "category"
  | "project"
  | "status"
  | "origin"
  | "author"
  | "updatedAt"
  | "importance"
  | "expiresAt"
  | "pinned"
  | "l0"
  | "tags"
  | "anchors"
  | "files"
  | "slot"
  | "accessCount"
>;

/** The fields that a writer gives; the store adds id, timestamps and defaults. */
export interface NodeDraft extends Omit<NodePatch, "evidenceCount" | "validTo"> {
  readonly uri: string;
  readonly category: Category;
  readonly project: string | null;
  readonly branch?: string | null;
  readonly l0: string;
  readonly origin: Origin;
  readonly author?: string;
  readonly maker: Maker;
  readonly sourceSession?: string | null;
}

/** The fields a revision may change. A new `uri` moves the node; directories come and go with it. */
export type NodePatch = Partial<
  Pick<
    MemoryNode,
    | "uri"
    | "category"
    | "project"
    | "l0"
    | "l1"
    | "l2"
    | "aliases"
    | "importance"
    | "evidenceCount"
    | "tags"
    | "files"
    | "anchors"
    | "pinned"
    | "origin"
    | "status"
    | "validFrom"
    | "validTo"
    | "expiresAt"
    | "evidence"
    | "mergedFrom"
    | "slot"
  >
>;

/** The cause of a node's change: who or which job, and the reason in one line. */
export interface RevisionCause {
  readonly atMs: number;
  readonly action: RevisionAction;
  /** A job key, `user` or `system`. */
  readonly by: string;
  /** Words for people; what the program has to know of the change stands in `about`. */
  readonly reason: string;
  readonly about?: ChangeAbout;
}

/** Other memories that a change is about. */
export interface ChangeAbout {
  /**
   * `replaces`, `ends`: what a proposal does to them once a person accepts it; one that ends goes with them. `settles`:
   * the newer memory of a pair that a person decided.
   */
  readonly what: "replaces" | "ends" | "settles";
  readonly uris: readonly string[];
}

/** Reason of a proposal and what it is about: what it would do to these memories. */
export function proposalOf(
  why: string,
  what: "replaces" | "ends",
  nodes: readonly MemoryNode[],
): Omit<RevisionCause, "action" | "atMs" | "by"> {
  if (nodes.length === 0) return { reason: why };
  const uris = nodes.map(({ uri }) => uri);
  const wish = what === "ends" ? "end" : "replace";
  return { reason: `${why}; would ${wish} ${uris.join(" ")}`, about: { what, uris } };
}

export type RevisionAction = (typeof revisionActions)[number];

export interface Revision extends RevisionCause {
  /** Counts up over all nodes; never used again. */
  readonly id: number;
  readonly nodeId: number;
  /** The node's text and status after this change. */
  readonly l0: string;
  readonly l1: string | null;
  readonly l2: string | null;
  readonly status: NodeStatus;
  /** The rest of what a patch may change, as it was after this change. */
  readonly fields: RevisionFields;
}

export type RevisionFields = Required<Omit<NodePatch, "l0" | "l1" | "l2" | "status">>;

export interface Link {
  readonly fromId: number;
  readonly toId: number;
  readonly relation: Relation;
  readonly weight: number;
  readonly createdAt: number;
}

/** A proposed memory before dedup and merge (docs/design/extraction.md, "Candidates and duplicates"). */
export interface Candidate {
  readonly category: Category;
  /** A short slug for the URI, before canonicalisation. */
  readonly uriHint: string;
  readonly l0: string;
  readonly l1: string | null;
  readonly l2: string | null;
  readonly importance: number;
  readonly tags: readonly string[];
  readonly files: readonly string[];
  readonly aliases: readonly string[];
  readonly project: string | null;
  readonly origin: Origin;
  readonly maker: Maker;
  readonly evidence: Evidence;
  readonly branch: string | null;
  /** Epoch ms of the turn it came from. */
  readonly atMs: number;
  /** `subject · attribute`, where they were named. */
  readonly slot?: string | null;
  readonly expiresAt?: number | null;
  /** Zone whose days its words mean ("until Friday"); null = that of this process. */
  readonly zone?: string | null;
  /** Ids of the memories that its writer says it replaces. */
  readonly replaces?: readonly number[];
  /** Ids of those that it was to replace, without a proof: both stand, and the newer counts as current. */
  readonly doubts?: readonly number[];
  /** The reason why it waits for review instead of being in force; null = it does not. */
  readonly waits?: string | null;
  /** It had been forgotten, and its user orders it anew. */
  readonly isAgain?: true;
}

/**
 * `embeddedText` is the part of a node that is embedded: its line, and the other words that a model
 * gave it, which reach what no small embedder can (docs/design/retrieval.md, "Find").
 */
export const embeddedText = (l0: string, aliases: readonly string[], maker: Maker): string =>
  maker === "extract" && aliases.length > 0 ? `${l0} ${aliases.join(" ")}` : l0;

/** Tag of a memory that holds until its branch is merged. */
export const untilMergedTag = "until-merged";

/** Reason of a memory that its user had forgotten and ordered anew: other devices lift it too. */
export const orderedAgain = "ordered again after it was forgotten";

/**
 * Bounds of what is stored, which more than one room keeps: local rules and a model write the same fields. Units are in
 * the names. Bounds of one room's own work stand in that room.
 */
export const storedLimits = {
  l0TokensMax: 100,
  l1TokensMax: 2_000,
  l2CharsMax: 40_000,
  /** The verbatim span of an evidence. */
  quoteCharsMax: 300,
  /**
   * Other words for a memory, of one writer. A memory that a model words anew keeps the words of both: twice as many.
   */
  aliasesMax: 8,

  checkpointFieldCharsMax: 1_200,
  /** Narratives of one session: "about 15–20 for a long session". */
  narrativesMax: 20,

  /** Characters of one recorded prompt or answer; of longer ones both ends are kept. */
  promptCharsMax: 100_000,
  answerCharsMax: 40_000,
} as const;
