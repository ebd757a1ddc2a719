/**
 * Names of the small facts in the table `meta`, all of them: a name that does not stand here does not compile. Behind
 * a colon stands the session, project or folder that the fact is about.
 */

/**
 * Notices that the user is told once. What is noted is the occasion, and a notice is told again at another one. Offers
 * of guards and open ends note it with themselves (`Guard.isTold`, `OpenEndsState.told`), hints by the injections of
 * their session.
 */
export type Notice =
  /** Told once a fault, as long as it stands: its id (src/daemon/intake/announce.ts, as all that begin so). */
  | "announce.fault"
  /** Told once a local day: rules and last session. */
  | "announce.day"
  /** Told once in seven days: what was kept and given. Epoch ms; none before the first notice, that memory is on. */
  | "announce.week"
  /** Told once ever, after the first archived run: `due`, then `told`. */
  | "announce.headless"
  /** Told once a recovery of the database: its time (src/keep/damage.ts). */
  | "recovery.said"
  /** Logged once a day and scope, and read by `status`: what the budget stopped (src/daemon/model/refiner.ts). */
  | "model.budget-said";

/** Texts and answers under way to a session: each is taken when it is told (src/daemon/intake/). */
type Due =
  | `notice.due:${string}`
  | `start.due:${string}`
  /** Lines about orders that came too late for their prompt: sessions and ids of injections. */
  | "hints.due"
  /** Answers that hooks have not confirmed yet. */
  | "answers.awaited";

/** Places and states of work that goes on later. */
type Progress =
  | `model.progress:${string}`
  | "model.backfill"
  | "upkeep.first"
  | "upkeep.state"
  | "upkeep.consolidated"
  | "agent-notes"
  | "agent-notes.quiet"
  | "recovery.last"
  | "purge.due"
  | `hints.turns:${string}`
  | `open-ends:${string}`
  | `notes:${string}`;

/** Decisions of people, a count and a salt. */
type Lasting = "projects.rules" | "projects.merges" | "forgets" | "forgotten.salt";

/** Marks of how far this device and others have told each other; all go with `sync off`. */
type Sync =
  | "sync.device"
  | "sync.revision"
  | "sync.used"
  | "sync.links"
  | "sync.digest"
  /** The number of forgets when digests were last looked at from the first. */
  | "sync.forgets"
  /** Rows of the log that held forgotten words went, and the file was not cleaned since. */
  | "sync.purge"
  | `sync.digest.${string}`
  | `sync.told.${string}`;

export type MetaName = Notice | Due | Progress | Lasting | Sync;

/** The part of the store that keeps small facts. */
export interface SmallFacts {
  readonly getMeta: (name: MetaName) => string | null;
  /** Null removes it. */
  readonly setMeta: (name: MetaName, value: string | null) => void;
}

/** True when a notice was not told of this occasion yet; it is noted as told. Null = its cause is gone. */
export function isNews(facts: SmallFacts, notice: Notice, occasion: string | null): boolean {
  if (facts.getMeta(notice) === occasion) return false;
  facts.setMeta(notice, occasion);
  return occasion !== null;
}
