/**
 * What people type instead of a whole address: a beginning, or the last word of one. Ports for finding what is meant.
 */
import type { MemoryNode } from "./node.ts";
import type { Session } from "./session.ts";

export interface NodeNames {
  /** Leaves at a URI that begins with this, in order of their URIs. */
  readonly byUriStart: (start: string, limit: number) => readonly MemoryNode[];
  /** Leaves whose last segment is this, or else begins with it, in order of their URIs. */
  readonly byName: (name: string, limit: number) => readonly MemoryNode[];
}

export interface SessionNames {
  /** Sessions whose id begins with this, in order of their ids. */
  readonly byIdStart: (start: string, limit: number) => readonly Session[];
}

/** What forgetting has changed besides what it removed. */
export interface Forgotten {
  /** Injections of which lines were taken out. */
  readonly redacted: number;
}

export type NodeSort =
  | "recent"
  | "created"
  | "used"
  | "most-used"
  | "importance"
  | "relevance"
  | "uri";
