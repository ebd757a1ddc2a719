/** Declares the input and the text of a session start. Plain data: the same snapshot always gives the same text. */
import type { Category, MemoryNode, NodeOutline } from "#domain";

/** The categories that may hold a standing rule. */
export const ruleCategories: readonly Category[] = ["preferences", "patterns"];

/** `source` of the client's SessionStart. */
export type StartSource = "startup" | "resume" | "clear" | "compact" | "fork";

/** A past session of this project, as its last checkpoint tells it. */
export interface StartDigest {
  readonly sessionId: string;
  readonly atMs: number;
  readonly request: string;
  readonly completed: string;
  readonly nextSteps: string;
  readonly filesEdited: readonly string[];
  /** Files that it edited and did not commit. */
  readonly uncommitted: readonly string[];
  readonly branch: string | null;
  /** The next steps that are open still, and were told nobody. */
  readonly open: readonly string[];
}

/** A value that no longer holds, and what took its place. */
export interface Replaced {
  readonly old: string;
  readonly now: string;
  /** Subject and attribute of both; null = not known. */
  readonly slot: string | null;
}

export interface StartSnapshot {
  readonly source: StartSource;
  readonly nowMs: number;
  /** Only what changed after this is told (resume, fork); null = everything. */
  readonly sinceMs: number | null;
  readonly project: string | null;
  /** For people: the project's name. */
  readonly projectName: string | null;
  readonly branch: string | null;
  /** The relational profile: how this user likes to work together. */
  readonly relation: MemoryNode | null;
  /** The user's own preferences and patterns that hold here, newest first. */
  readonly rules: readonly NodeOutline[];
  readonly profile: readonly NodeOutline[];
  /** The latest memories in reach, of any kind, newest first. */
  readonly latest: readonly NodeOutline[];
  /** This project's other sessions, newest first. */
  readonly digests: readonly StartDigest[];
  readonly replaced: readonly Replaced[];
  /** The work that was in hand before a compaction or /clear; null otherwise. */
  readonly brief: string | null;
  /** True when the store holds no memory and no session at all and this was never said before. */
  readonly isFirstContact: boolean;
  /** The program as the agent's shell can call it; null where the agent has our MCP tools. */
  readonly command: string | null;
  /** Prefix of our MCP tools, as the agent shows them. */
  readonly toolPrefix: string;
  readonly tokensMax: number;
  /** The remark of its line on the code that a memory is about. */
  readonly anchored?: (node: NodeOutline) => string;
}

/** The reason for a line: a URI and what it cost, never its text. */
export interface StartReason {
  readonly section: string;
  readonly uri: string;
  readonly tokens: number;
  /** Open ends that the line tells, see `openEndKey`. */
  readonly open?: readonly string[];
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
  /** Nodes that no prompt need be told again: rules, and who the user is. Background is not among them. */
  readonly nodeIds: readonly number[];
  readonly tokens: number;
  readonly reasons: readonly StartReason[];
}

const sources: Readonly<Record<string, StartSource>> = {
  startup: "startup",
  resume: "resume",
  clear: "clear",
  compact: "compact",
  fork: "fork",
};

/** A source that a later client may invent counts as a plain start. */
export const startSourceOf = (text: string | null): StartSource =>
  text !== null && Object.hasOwn(sources, text) ? (sources[text] ?? "startup") : "startup";
