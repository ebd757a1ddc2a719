/**
 * Words that more than one room shows, asks for or stores: each list is spelled here and, for the columns, in SQL, and
 * nowhere else (test/vocabulary.test.ts). The order of a list is the order in which people see it.
 */

export const nodeTypes = ["dir", "leaf"] as const;

/** Ordered from most to least trusted. */
export const origins = ["user", "agent", "tool", "import", "team"] as const;

export const makers = ["signal", "stop", "precompact", "extract", "manual", "import"] as const;

export const nodeStatuses = ["active", "pending", "superseded", "retracted"] as const;

/** The statuses that are shown unless more is asked for: what holds, and what held (marked as such). */
export const shownStatuses = ["active", "superseded"] as const;

export const relations = [
  "related",
  "supersedes",
  "contradicts",
  "elaborates",
  "caused_by",
] as const;

export const revisionActions = [
  "create",
  "merge",
  "supersede",
  "reinforce",
  "edit",
  "pin",
  "expire",
  "revert",
  "retract",
  "archive",
  "accept",
  "reject",
] as const;

/** The six categories of memories proper; `sessions` is the archive and counted apart. */
export const memoryCategories = [
  "profile",
  "preferences",
  "entities",
  "events",
  "patterns",
  "cases",
] as const;

export const categories = [...memoryCategories, "sessions"] as const;

export const sessionStatuses = ["active", "completed", "interrupted", "failed"] as const;

export const turnStatuses = ["open", "closed", "interrupted"] as const;

export const checkpointTriggers = ["stop", "precompact", "quiet", "end"] as const;

export const observationTypes = [
  "decision",
  "bugfix",
  "feature",
  "refactor",
  "discovery",
  "change",
] as const;

export const evaluationTypes = [
  "iteration",
  "correction",
  "decision",
  "insight",
  "error",
  "routine",
] as const;

/** Documents that are leaves of the tree. */
export const leafKinds = ["memory", "moment", "exchange"] as const;

export const documentKinds = [...leafKinds, "prompt", "checkpoint"] as const;

/** In the order in which they come of one event. */
export const activityKinds = ["prompt", "memory", "injection", "checkpoint", "call"] as const;

export const momentKinds = [
  "prompt",
  "injection",
  "answer",
  "memory",
  "moment",
  "checkpoint",
] as const;

/**
 * The channels through which a session is given memory unasked: its start, a prompt, the start of a
 * subagent, beside a tool. `hint`: a reminder to save, with a prompt or beside a tool.
 */
export const injectionChannels = ["start", "prompt", "subagent", "tool", "hint"] as const;

export const hookNames = ["start", "submit", "tool", "stop", "subagent", "compact", "end"] as const;

/** The header that carries a caller's own clock (CONTINUITY_NOW) with its request. */
export const nowHeader = "continuity-now";

/** The TCP port that is tried first. */
export const defaultPort = 37_777;

/** The only address the daemon listens on. */
export const loopbackHost = "127.0.0.1";

/** Kinds of a saved memory. */
export const memoryKinds = ["rule", "decision", "fact", "cause", "place"] as const;
export type MemoryKind = (typeof memoryKinds)[number];
