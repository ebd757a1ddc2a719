/** The documented JSON forms of what happened when: timeline, live feed, fed turns (see json.ts for the conventions). */
import type { ActivityKind, Category, MomentKind, RevisionAction } from "#domain";

export type TimelineKind = MomentKind;

export interface TimelineItemJson {
  readonly kind: TimelineKind;
  readonly at: number;
  readonly session_id: string | null;
  readonly turn: number | null;
  readonly project: string | null;
  /** Of memories and moments. */
  readonly uri: string | null;
  /** One line. */
  readonly title: string;
  /** At most 2,000 characters. */
  readonly text: string | null;
}

export interface TimelineJson {
  /** The moment in the middle. */
  readonly around: number;
  /** Oldest first. */
  readonly items: readonly TimelineItemJson[];
  readonly earlier: string | null;
  readonly later: string | null;
}

export type FeedKind = ActivityKind;

/** Something that happened just now. Fields that its kind has no use for are null. */
export interface FeedJson {
  /** Names the entry: the same in the stream and on every page, and no other's. */
  readonly key: string;
  /** Opaque, and not the entry's own: as `Last-Event-ID` it continues behind this entry. */
  readonly id: string;
  readonly at: number;
  readonly kind: FeedKind;
  readonly session_id: string | null;
  readonly project: string | null;
  readonly uri: string | null;
  /** One line. */
  readonly title: string;
  readonly detail: string | null;
  readonly tokens: number | null;
  /** What became of a memory. */
  readonly action: RevisionAction | null;
  readonly category: Category | null;
}

export interface FeedPageJson {
  /** The latest first. */
  readonly items: readonly FeedJson[];
  readonly next_cursor: string | null;
  /** Where the live feed goes on from here. */
  readonly last_id: string;
}

/** What became of a turn that was fed by hand or by another agent. */
export interface FedTurnJson {
  readonly session_id: string;
  /** Its number in the session; null when nothing was kept: paused, excluded, or private as a whole. */
  readonly turn: number | null;
  /** False when it was known already. */
  readonly fresh: boolean;
}
