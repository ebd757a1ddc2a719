/** The documented JSON forms of one memory's own pages: history, difference, links, evidence, review (see json.ts). */
import type { Category, Evidence, NodeStatus, Relation, RevisionAction } from "#domain";
import type { MemoryJson, NodeJson } from "./json.ts";

/** What became of a memory, without its texts. */
export interface RevisionHeadJson {
  /** Counts up over all memories: a later change has a larger one. */
  readonly id: number;
  readonly at: number;
  readonly action: RevisionAction;
  /** A job key, `user` or `system`. */
  readonly by: string;
  readonly reason: string;
}

export interface RevisionJson extends RevisionHeadJson {
  readonly status: NodeStatus;
  /** Where it lay, as far as that was recorded. */
  readonly uri: string;
  readonly category: Category | null;
  readonly l0: string;
  readonly l1: string | null;
  readonly l2: string | null;
  readonly importance: number;
  readonly tags: readonly string[];
  readonly pinned: boolean;
}

export interface HistoryJson {
  readonly uri: string;
  readonly items: readonly RevisionJson[];
  readonly next_cursor: string | null;
}

/** A piece of a text: `same` and `removed` together are the older text, `same` and `added` the newer. */
export interface DiffPartJson {
  readonly op: "same" | "removed" | "added";
  readonly text: string;
}

export interface DiffJson {
  readonly uri: string;
  /** Null: before it was created. */
  readonly from: RevisionHeadJson | null;
  readonly to: RevisionHeadJson;
  /** Only the tiers that differ. */
  readonly tiers: readonly {
    readonly tier: "l0" | "l1" | "l2";
    readonly parts: readonly DiffPartJson[];
  }[];
  /** Only the fields that differ, as JSON text. */
  readonly fields: readonly {
    readonly name: string;
    readonly before: string | null;
    readonly after: string;
  }[];
}

export interface GraphJson {
  readonly uri: string;
  readonly nodes: readonly {
    readonly uri: string;
    readonly l0: string;
    readonly category: Category | null;
    readonly project: string | null;
    readonly status: NodeStatus;
    readonly importance: number;
    /** Links between it and the memory asked for; 0 = itself. */
    readonly depth: number;
  }[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly relation: Relation;
    readonly weight: number;
    readonly created_at: number;
  }[];
  /** True when there are more than are shown. */
  readonly truncated: boolean;
}

/** What an undo took back. */
export interface UndoneJson {
  /** When the change was made. */
  readonly at: number;
  readonly by: string;
  readonly reason: string;
  /** As they are now, with the action that was taken back. */
  readonly items: readonly {
    readonly uri: string;
    readonly l0: string;
    readonly status: NodeStatus;
    readonly action: RevisionAction;
  }[];
}

export interface EvidenceItemJson {
  readonly session_id: string;
  readonly turn: number | null;
  /** Line of the transcript, from 1. */
  readonly line: number | null;
  readonly quote: string;
  /** When that turn began; null when the turn is not recorded. */
  readonly at: number | null;
  /** Title of the session. */
  readonly title: string | null;
  /** Who said it; null when the words stand in neither prompt nor answer. */
  readonly speaker: "user" | "assistant" | null;
  /** The quote where it stands, with what stands around it. */
  readonly excerpt: {
    readonly before: string;
    readonly text: string;
    readonly after: string;
  } | null;
  /** The turn's texts, cut at 4,000 characters each; null = private, forgotten or not recorded. */
  readonly prompt: string | null;
  readonly answer: string | null;
  readonly files: readonly string[];
}

export interface EvidenceJson {
  readonly uri: string;
  readonly items: readonly EvidenceItemJson[];
}

/** A memory that waits for a person's word before it is used. */
export interface ReviewJson extends MemoryJson {
  readonly id: number;
  readonly revision: number;
  /** Why it was proposed. */
  readonly reason: string;
  readonly evidence: readonly Evidence[];
  /** What is known already and says something like it; of a page, for its first three entries only. */
  readonly similar: readonly { readonly uri: string; readonly l0: string }[];
}

export interface ReviewPageJson {
  readonly items: readonly ReviewJson[];
  readonly total: number;
  readonly next_cursor: string | null;
}

export interface ReviewedJson {
  readonly action: "accepted" | "rejected";
  readonly memory: NodeJson;
}
