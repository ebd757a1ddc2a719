/** What session start is given and what it says. Plain data: the same snapshot always gives the same text. */
import type { Checkpoint, MemoryNode, NodeOutline } from "#domain";

/** `source` of the client's SessionStart. */
export type StartSource = "startup" | "resume" | "clear" | "compact" | "fork";

export interface StartCheckpoint extends Checkpoint {
  /** 0 to 1 by age; those at or below 0.3 are not pushed. */
  readonly relevance: number;
}

export interface StartSnapshot {
  readonly source: StartSource;
  readonly nowMs: number;
  /** Only what changed after this is told (resume, fork); null = everything. */
  readonly sinceMs: number | null;
  /** For people: the project's name. */
  readonly projectName: string | null;
  /** The relational profile: how this user likes to work together. */
  readonly relation: MemoryNode | null;
  readonly profile: readonly MemoryNode[];
  readonly preferences: readonly MemoryNode[];
  /** This project's other sessions, newest first. */
  readonly checkpoints: readonly StartCheckpoint[];
  /** Entities that recent sessions named, most named first. */
  readonly entities: readonly MemoryNode[];
  /** Candidates for the index, best first. */
  readonly index: readonly NodeOutline[];
  /** Memories in reach by branch of the tree (`mem://user/entities` → 12). */
  readonly counts: Readonly<Record<string, number>>;
  /** The continuation brief after a compaction; null otherwise. */
  readonly brief: string | null;
  /** True when the store holds no memory and no session at all and this was never said before. */
  readonly isFirstContact: boolean;
  readonly tokensMax: number;
}

/** Why a line is there: a URI and what it cost, never its text. */
export interface StartReason {
  readonly section: string;
  readonly uri: string;
  readonly tokens: number;
  /** `shown`: its text stands there; `listed`: only its place and a few words. */
  readonly as: "shown" | "listed";
}

/** A stretch of the text under one heading. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
  readonly nodeIds: readonly number[];
  readonly reasons: readonly StartReason[];
}

export interface ComposedStart {
  /** Empty = nothing to say. */
  readonly text: string;
  /** Nodes whose text the session now knows. Those that the index only lists are not among them. */
  readonly nodeIds: readonly number[];
  readonly tokens: number;
  readonly reasons: readonly StartReason[];
}
