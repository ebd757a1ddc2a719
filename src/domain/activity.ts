/**
 * Ports for looking back: what became of a node, what happened lately, and how much of it. Reading only; times are
 * epoch milliseconds.
 */
import type { Category } from "./category.ts";
import type { DocumentKind } from "./find.ts";
import type { Maker, NodeStatus, Origin, Revision } from "./node.ts";
import type { activityKinds, momentKinds } from "./vocabulary.ts";

/** Changes that were made together. */
export interface ChangeStep {
  /** The last of its revisions. */
  readonly lastId: number;
  readonly nodes: number;
}

/**
 * `isWork` tells the authors whose changes are one step however long they took: a job, an import, a
 * consolidation; their names have a colon.
 */
export const isWork = (by: string): boolean => by.includes(":");

export interface RevisionLog {
  readonly byId: (id: number) => Revision | null;
  /** The node that stood at a URI last; null when none did. Reads every revision. */
  readonly formerly: (uri: string) => number | null;
  /** The last revision of a node; null for directories, which have none. */
  readonly latest: (nodeId: number) => Revision | null;
  /** Revisions of a node behind `afterId` in the given order; null = from the start. */
  readonly page: (
    nodeId: number,
    page: {
      readonly order: "oldest" | "newest";
      readonly afterId: number | null;
      readonly limit: number;
    },
  ) => readonly Revision[];
  /**
   * The last changes of memories, the latest first; not of the archive, not what happens by itself (a use, an
   * expiry), and not what waits for review, which does nothing yet.
   */
  readonly lastChanges: (limit: number) => readonly Revision[];
  /** The last steps, the latest first: what one job, import or consolidation changed, or a person at one time. */
  readonly steps: (limit: number) => readonly ChangeStep[];
  /** All revisions of a step, the oldest first. */
  readonly ofStep: (by: string, atMs: number) => readonly Revision[];
  /** Revisions of any node with these ids, both ends included, the oldest first. */
  readonly between: (first: number, last: number) => readonly Revision[];
  /**
   * Gives a node's state at a time; what was imported is older than its first revision, which then
   * says it. Null when its first words have been forgotten.
   */
  readonly standing: (nodeId: number, atMs: number) => Revision | null;
  /**
   * Compacts `limit` memories behind `afterId`: runs of revisions older than `beforeMs` that say
   * the same become one. `lastId`: the last memory looked at; null = there are no more.
   */
  readonly compact: (slice: {
    readonly afterId: number;
    readonly beforeMs: number;
    readonly limit: number;
  }) => { readonly dropped: number; readonly lastId: number | null };
  /** The revision before one, of the same node. */
  readonly before: (revision: Revision) => Revision | null;
  /**
   * Revisions that a turn of a session brought about, by its orders or what its agent saved, the oldest first; without
   * those of memories that a save of its agent ended.
   */
  readonly ofTurn: (turn: {
    readonly sessionId: string;
    readonly n: number;
    readonly startedAt: number;
    /** When the next turn began; Infinity = it runs. */
    readonly untilMs: number;
  }) => readonly Revision[];
  /** Deletes revisions whose words must not stay. A node keeps at least one. */
  readonly drop: (ids: readonly number[]) => void;
}

export type ActivityKind = (typeof activityKinds)[number];

/** For each kind of activity, an id within it. Ids of a kind count up and are never used again. */
export type ActivityMarks = Readonly<Record<ActivityKind, number>>;

export interface ActivityLog {
  readonly marks: () => ActivityMarks;
  /** Counts the forgets since the database was made. */
  readonly forgets: () => number;
}

/** Kinds of entries of a timeline, in the order in which they stand when they have the same time. */
export type MomentKind = (typeof momentKinds)[number] & (DocumentKind | "answer" | "injection");

/** A place in a timeline: entries are ordered by time, kind and id. */
export interface TimelinePlace {
  readonly atMs: number;
  readonly kind: MomentKind;
  readonly id: number;
}

export interface TimelineEntry extends TimelinePlace {
  readonly sessionId: string | null;
  readonly turn: number | null;
  readonly project: string | null;
  readonly uri: string | null;
  /** Status of a memory; null for other entries. */
  readonly status: NodeStatus | null;
  readonly title: string;
  readonly text: string | null;
}

export interface TimelineFilter {
  /** Project keys; null = all. */
  readonly projects: readonly string[] | null;
  readonly sessionId: string | null;
  readonly kinds: readonly MomentKind[];
}

export interface Timeline {
  /** Entries on one side of a place, the nearest first. */
  readonly beside: (
    place: TimelinePlace,
    side: "earlier" | "later",
    filter: TimelineFilter,
    limit: number,
  ) => readonly TimelineEntry[];
}

/** Leaves of one category and status: how many, and how many of them are what. */
export interface Breakdown {
  readonly category: Category;
  readonly status: NodeStatus;
  readonly count: number;
  readonly pinned: number;
  /** The memories that were used at all, and the sum of their uses. */
  readonly used: number;
  readonly uses: number;
  readonly byOrigin: Readonly<Record<Origin, number>>;
  readonly byMaker: Readonly<Record<Maker, number>>;
}

/** The activity of one project in a span of time; null = in none. */
export interface SpanCount {
  readonly project: string | null;
  readonly what: "learnt" | "replaced" | "given" | "silent" | "tokens" | "waiting";
  readonly count: number;
}

export interface Figures {
  /** Counts of a span by project; `waiting` is what waits for review now, whenever it came. */
  readonly inSpan: (sinceMs: number, untilMs: number) => readonly SpanCount[];
  /** Different memories shown, how often any was, and reminders to save. */
  readonly shown: (sinceMs: number) => {
    readonly memories: number;
    readonly shown: number;
    readonly hints: number;
  };
  /** Leaves of every category and status, with what is counted of them. */
  readonly breakdown: () => readonly Breakdown[];
}
