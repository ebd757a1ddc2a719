/** A memory that was proposed below the bar: it waits for another session to say something of the same slot. */
export interface Sighting {
  readonly slot: string;
  readonly project: string | null;
  readonly sessionId: string;
  /** The proposal, as its maker wrote it. */
  readonly json: string;
  readonly atMs: number;
}

/** Kept for 90 days (see StoreAdmin.housekeep). */
export interface SightingStore {
  /** Once a session and slot of a project: a later one takes the earlier one's place. */
  readonly add: (sighting: Sighting) => void;
  /** Of other sessions, the latest first. */
  readonly of: (place: Pick<Sighting, "project" | "sessionId" | "slot">) => readonly Sighting[];
  /** The slot is a memory now. */
  readonly drop: (place: Pick<Sighting, "project" | "slot">) => void;
  readonly count: () => number;
}
