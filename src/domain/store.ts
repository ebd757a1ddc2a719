/** Storage ports, implemented by store/ on SQLite. Synchronous: a transaction must not wait for anything else. */
import type { Job, JobDraft, JobKind, JobLane } from "./job.ts";
import type { ActivityLog, Figures, RevisionLog, Timeline } from "./activity.ts";
import type { DocumentKind, FindFilters, PlainFilter } from "./find.ts";
import type { NodeNames, NodeSort, SessionNames } from "./find.ts";
import type { GuardStore } from "./guard.ts";
import type { ImportLedger, PortableStore } from "./portable.ts";
import type { NamedProject, PlaceStore } from "./event.ts";
import type { EventLog, ExposureJournal } from "./journal.ts";
import type { LlmLedger } from "./llm.ts";
import type { SmallFacts } from "./meta.ts";
import type { Forgotten, ForgottenTexts } from "./forgotten.ts";
import type { TurnPrivacy } from "./privacy.ts";
import type { FollowedStores } from "./notes.ts";
import type { ProjectStore } from "./projects.ts";
import type { VectorStore } from "./embedder.ts";
import type {
  HeadWithLine,
  Link,
  MemoryNode,
  NodeDraft,
  NodeHead,
  NodeOutline,
  NodePatch,
  Relation,
  Revision,
  RevisionCause,
} from "./node.ts";
import type { SyncTables } from "./sync.ts";
import type { TeamTables } from "./team.ts";
import type {
  Checkpoint,
  CheckpointFields,
  CheckpointTrigger,
  FormerObservation,
  Session,
  SessionStatus,
  ToolUse,
  Turn,
} from "./session.ts";

/** `used`: last used first; `most-used`: most often used first. */
export interface NodeFilter extends Partial<FindFilters> {
  /** Leaves of the archive (exchanges) instead of memories. */
  readonly archive?: boolean;
  readonly pinned?: boolean;
  /** Only what had expired by then. */
  readonly expiredMs?: number;
  readonly used?: boolean;
  /** Its line or overview contains this, in either case. A search's `text` is another thing. */
  readonly containing?: string;
}

export interface Page {
  readonly limit: number;
  /** Rows to leave out; absent = none. */
  readonly offset?: number;
}

export interface NodeStore extends NodeNames, ForgottenTexts {
  /** Inserts a leaf with its directories, its create revision and its index rows. Throws on an existing URI. */
  readonly insert: (draft: NodeDraft, cause: RevisionCause) => MemoryNode;
  /** Applies a patch, appends a revision, keeps the indexes in step. */
  readonly update: (id: number, patch: NodePatch, cause: RevisionCause) => MemoryNode;
  readonly byId: (id: number) => MemoryNode | null;
  readonly byIds: (ids: readonly number[]) => readonly MemoryNode[];
  /** As `byIds` in any order, for ranking: a third of the cost. */
  readonly headsByIds: (ids: readonly number[]) => readonly NodeHead[];
  readonly headsWithLines: (ids: readonly number[]) => readonly HeadWithLine[];
  /** And with the text in which common words are looked for: line, lists, beginning of the overview. */
  readonly headsWithTexts: (ids: readonly number[]) => readonly (HeadWithLine & { text: string })[];
  /** Ids that a plain filter lets through, in their order, without reading rows; all on a read-only connection. */
  readonly passing: (ids: readonly number[], filter: PlainFilter) => readonly number[];
  /** Every id that a plain filter lets through, ascending; null on a connection that only reads. */
  readonly allPassing: (filter: PlainFilter) => Uint32Array | null;
  readonly byUri: (uri: string) => MemoryNode | null;
  /** Current memories of a slot in a project (null = everywhere), the latest first. */
  readonly bySlot: (project: string | null, slot: string) => readonly MemoryNode[];
  /** Current memories of a project whose anchors hold this path, whole or in part, the latest first. */
  readonly anchored: (project: string, path: string, limit: number) => readonly MemoryNode[];
  readonly children: (uri: string, page: Page) => readonly MemoryNode[];
  readonly countChildren: (uri: string) => number;
  readonly countBelow: (uri: string) => number;
  readonly list: (filter: NodeFilter, sort: NodeSort, page: Page) => readonly MemoryNode[];
  /** Sets the anchors of a node as they were seen: no change of what it says, so no revision. */
  readonly anchor: (id: number, anchors: readonly string[]) => void;
  readonly outlines: (filter: NodeFilter, sort: NodeSort, page: Page) => readonly NodeOutline[];
  /** Ids of leaves (memories and the archive) after this one, in the order they were made; `of`: default active. */
  readonly leafIds: (id: number, limit: number, of?: NodeFilter["statuses"]) => readonly number[];
  readonly count: (filter: NodeFilter) => number;
  /** Ids of the leaves of `list` that follow this one, in the order they were made; `last`: the last id to look at. */
  readonly idsAfter: (
    filter: NodeFilter,
    after: { readonly id: number; readonly last: number },
    limit: number,
  ) => readonly number[];
  readonly lastId: () => number;
  readonly revisions: (id: number) => readonly Revision[];
  readonly link: (link: Link) => void;
  readonly links: (id: number) => readonly Link[];
  /** Links from or to any of these nodes, the strongest first. */
  readonly linksOf: (ids: readonly number[], limit: number) => readonly Link[];
  /** Open pairs (`contradicts`): the newer may replace the older. The latest first. */
  readonly doubts: (limit: number) => readonly Link[];
  /** Lists the links in which one of these nodes is the older, the strongest first. */
  readonly doubtsAbout: (olderIds: readonly number[]) => readonly Link[];
  /** For each id, the node that supersedes it (relation `supersedes`), if any. */
  readonly successors: (ids: readonly number[]) => ReadonlyMap<number, MemoryNode>;
  readonly relate: (fromId: number, toId: number, relation: Relation, atMs: number) => void;
  /** A deliberate fetch: sets last access, adds to the count, relevance 1. */
  readonly use: (id: number, atMs: number) => void;
  /**
   * Rewrites the relevance cache with `relevanceAt` for at most `limit` leaves after this id, in order of id. `changed`
   * = how many had another value; `lastId` null = there was none left.
   */
  readonly refreshRelevanceAfter: (
    afterId: number,
    limit: number,
    relevanceAt: (node: MemoryNode) => number,
  ) => { readonly changed: number; readonly lastId: number | null };
  readonly expired: (atMs: number, limit: number) => readonly MemoryNode[];
  /** Takes a node out of every index and retracts it; the revision stays (undoable). */
  readonly retract: (id: number, cause: RevisionCause) => void;
  /**
   * Removes nodes for good: rows, revisions, links, vectors, index rows, and every recorded text that contains one of
   * `texts` or `words`, memories included; then leaves salted fingerprints of the texts. That something was given stays
   * on record, without the text. The caller vacuums afterwards (see StoreAdmin.purge).
   */
  readonly forget: (
    ids: readonly number[],
    texts: readonly string[],
    atMs: number,
    words?: readonly string[],
  ) => Forgotten;
  /**
   * Removes nodes for good and what names them. Records and memories that tell the same stay, and it may be learnt
   * anew. The caller vacuums afterwards.
   */
  readonly withdraw: (ids: readonly number[], atMs: number) => void;
  /** True if a record that no search index covers holds it: an answer, a tool use, a guard, an old wording. */
  readonly isSaid: (word: string) => boolean;
}

export interface SessionFilter {
  readonly projects: readonly string[] | null;
  readonly status?: SessionStatus;
  /** By the last event. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

/** As much of a turn as a search shows. */
export interface FoundPrompt {
  readonly id: number;
  readonly sessionId: string;
  readonly n: number;
  readonly prompt: string | null;
  readonly startedAt: number;
  readonly project: string | null;
}

export interface SessionStore extends SessionNames, TurnPrivacy {
  /** Creates or updates; null fields leave what is there. Returns the session as it is now. */
  readonly upsert: (session: SessionUpdate) => Session;
  readonly byId: (sessionId: string) => Session | null;
  /** The latest first. */
  readonly list: (filter: SessionFilter, page: Page) => readonly Session[];
  /** Counts the sessions that pass the filter; all without one. */
  readonly count: (filter?: SessionFilter) => number;
  readonly turnCounts: (sessionIds: readonly string[]) => ReadonlyMap<string, number>;
  /** Counts the records of all sessions together, for `status`. */
  readonly recordCounts: () => Readonly<Record<"checkpoints" | "turns", number>>;
  readonly openTurn: (turn: {
    readonly sessionId: string;
    readonly promptId: string | null;
    readonly prompt: string | null;
    readonly isPrivate?: boolean;
    readonly isHeadless?: boolean;
    readonly atMs: number;
  }) => Turn;
  /**
   * Adds a turn that is over, as it was recorded elsewhere. `there`: the session has one with this number; `gap`: not
   * yet the one before.
   */
  readonly addTurn: (turn: Omit<Turn, "id">) => "added" | "there" | "gap";
  /** Changes fields of a turn; arrays are united with what is there. */
  readonly updateTurn: (turnId: number, patch: Partial<Turn>) => Turn;
  /** The latest turn of the session, open or not. */
  readonly currentTurn: (sessionId: string) => Turn | null;
  readonly turnByPromptId: (sessionId: string, promptId: string) => Turn | null;
  readonly turn: (sessionId: string, n: number) => Turn | null;
  readonly turns: (sessionId: string) => readonly Turn[];
  /** The last `limit` turns of a session before turn `n`, newest first. */
  readonly turnsBefore: (sessionId: string, n: number, limit: number) => readonly Turn[];
  /** Stores a tool use once per tool_use_id. False when it was there. */
  readonly addToolUse: (use: Omit<ToolUse, "id">) => boolean;
  readonly toolUses: (sessionId: string, turn: number | null) => readonly ToolUse[];
  /** Returns observations of earlier versions that no leaf tells yet, in the order of ids. */
  readonly formerObservations: (limit: number) => readonly FormerObservation[];
  readonly dropObservation: (id: number) => void;
  readonly addCheckpoint: (checkpoint: {
    readonly sessionId: string;
    readonly project: string | null;
    readonly atMs: number;
    readonly trigger: CheckpointTrigger;
    readonly l0: string;
    readonly fields: CheckpointFields;
  }) => Checkpoint;
  readonly currentCheckpoint: (sessionId: string) => Checkpoint | null;
  readonly checkpoints: (sessionId: string) => readonly Checkpoint[];
  /** Current checkpoints of a project, newest first; none of a session in which only programs spoke. */
  readonly recentCheckpoints: (project: string, limit: number) => readonly Checkpoint[];
  /** The next steps of the same ones. */
  readonly recentNextSteps: (
    project: string,
    limit: number,
  ) => readonly { readonly sessionId: string; readonly atMs: number; readonly nextSteps: string }[];
  readonly checkpointsByIds: (ids: readonly number[]) => readonly Checkpoint[];
  /** Prompts of turns, each with its first 4,000 characters. */
  readonly promptsByIds: (ids: readonly number[]) => readonly FoundPrompt[];
  /** Sessions with an open turn or status `active` whose last event is older than `beforeMs`, the newest first. */
  readonly quietSince: (beforeMs: number, limit: number) => readonly Session[];
  readonly saveCompactSummary: (sessionId: string, summary: string, atMs: number) => void;
  readonly compactSummary: (sessionId: string) => string | null;
  readonly transcriptOffset: (path: string) => { readonly bytes: number; readonly lines: number };
  readonly saveTranscriptOffset: (
    path: string,
    sessionId: string,
    offset: { readonly bytes: number; readonly lines: number },
    atMs: number,
  ) => void;
}

/** `endedAt` null clears it (a completed session that goes on); `atMs` is used when the session is new. */
export interface SessionUpdate extends Partial<Omit<Session, "startedAt" | "lastEventAt">> {
  readonly sessionId: string;
  readonly atMs: number;
}

export interface JobQueue {
  /** Adds a job once per key. An existing queued job with the key gets the later `runAfterMs`. */
  readonly enqueue: (job: JobDraft) => "added" | "already-there";
  /**
   * Leases the next runnable job of a lane (default `local`): per session in order of creation (a session with a leased
   * job of the lane waits), sessions side by side. Null when nothing is due.
   */
  readonly lease: (nowMs: number, leaseMs: number, lane?: JobLane) => Job | null;
  /** Puts off the end of a lease that is still held. */
  readonly renew: (id: number, leaseEndsAtMs: number) => void;
  /** Stores what a model said so far. Progress: earlier failures no longer count. */
  readonly saveReply: (id: number, reply: string) => void;
  readonly complete: (id: number) => void;
  /** After the third failure the job is parked as `skipped` with its reason. */
  readonly fail: (id: number, reason: string, nowMs: number) => void;
  /** Gives a leased job back for later, which is no failure of its own. */
  readonly postpone: (id: number, reason: string, runAfterMs: number) => void;
  /** Makes queued jobs of a kind that are set for later due now. Returns how many. */
  readonly expedite: (kind: JobKind, nowMs: number) => number;
  /** Jobs that are due or leased now. */
  readonly pending: (nowMs: number) => number;
  readonly counts: () => Readonly<Record<Job["state"], number>>;
  /** Parked jobs, the latest first, for people. */
  readonly parked: (limit: number) => readonly Job[];
  /** Jobs that wait or run, the oldest first, for people. */
  readonly open: (limit: number) => readonly Job[];
  /** Queues a parked job again, with three attempts, and makes one that was put off due now. False for any other. */
  readonly retry: (id: number, nowMs: number) => boolean;
  /** Gives a parked job up: it counts as done and is not shown any more. False when it is not parked. */
  readonly drop: (id: number) => boolean;
  /** Questions about imported sessions that wait or run. */
  readonly backfillLeft: () => number;
  /** Takes them back, but for sessions that were read in part. The others count as unread again. Their number. */
  readonly dropBackfill: () => number;
  /** Puts leased jobs back (after a crash). */
  readonly releaseAll: () => number;
  /**
   * Gives the time at which the next job that cannot run at `nowMs` may: set for later, or leased.
   * Null when there is none.
   */
  readonly nextDueMs: (nowMs: number) => number | null;
}

/** Lexical candidates. Queries are built from tokens inside the adapter; any string is a safe term. */
export interface LexicalIndex {
  /**
   * Documents that contain any of the terms, best BM25 first. `score` is positive, higher is better. `filters` null =
   * all that are indexed (retracted ones never are), which costs least.
   */
  readonly match: (
    kind: DocumentKind,
    terms: readonly string[],
    filters: FindFilters | null,
    limit: number,
  ) => readonly LexicalHit[];
  /** Documents that contain a term of each group, the latest written first, unranked. */
  readonly newest: (
    kind: DocumentKind,
    groups: readonly (readonly string[])[],
    filters: FindFilters | null,
    limit: number,
  ) => readonly number[];
  /** In how many documents of the kind (of these projects, null = all) each term occurs, and how many there are. */
  readonly frequencies: (
    kind: DocumentKind,
    terms: readonly string[],
    projects: readonly string[] | null,
  ) => { readonly documents: number; readonly byTerm: ReadonlyMap<string, number> };
}

export interface LexicalHit {
  /** Node id for a leaf; prompt (turn) or checkpoint id otherwise. */
  readonly id: number;
  readonly score: number;
}

export interface StoreAdmin extends SmallFacts {
  readonly schemaVersion: () => number;
  readonly sizeBytes: () => number;
  /** After forget: overwrites free pages, merges FTS segments and truncates the WAL. */
  readonly purge: () => void;
  /** Notes that a purge is due: within a transaction there can be none. */
  readonly purgeLater: () => void;
  readonly isPurgeDue: () => boolean;
  /** Does a purge that is due, or empties the log if a reader kept one from it. False when a reader still does. */
  readonly finishPurge: () => boolean;
  /**
   * Drops what is kept for 90 days only: raw tool use, event keys, finished jobs, exposures and injections. By both
   * clocks: `nowMs` and the store's own. At most about `rowsMax` rows of each kind. Returns how many rows went.
   */
  readonly housekeep: (nowMs: number, rowsMax?: number) => number;
  /** Gives at most so many free pages back to the disk. Returns how many are left. */
  readonly shrink: (pagesMax: number) => number;
  /** Lets SQLite look at its tables where its plans may have grown stale; a few milliseconds. */
  readonly optimize: () => void;
  readonly projects: () => readonly (NamedProject & { readonly sessions: number })[];
  /** The same without counting sessions: asked at every prompt. */
  readonly projectNames: () => readonly NamedProject[];
}

export interface Store extends Disposable, FollowedStores {
  readonly nodes: NodeStore;
  readonly sessions: SessionStore;
  readonly events: EventLog;
  readonly jobs: JobQueue;
  readonly ledger: LlmLedger;
  readonly exposure: ExposureJournal;
  readonly imports: ImportLedger;
  readonly lexical: LexicalIndex;
  readonly vectors: VectorStore;
  readonly places: PlaceStore;
  readonly projects: ProjectStore;
  readonly admin: StoreAdmin;
  readonly history: RevisionLog;
  readonly activity: ActivityLog;
  readonly timeline: Timeline;
  readonly figures: Figures;
  readonly portable: PortableStore;
  readonly sync: SyncTables;
  readonly team: TeamTables;
  readonly guards: GuardStore;
  /** Everything inside commits together or not at all. Nested calls join the outer one. */
  readonly transaction: <T>(work: () => T) => T;
  /** As `transaction`, but a power cut may undo it until the next one commits: for jobs, which then run again. */
  readonly repeatable: <T>(work: () => T) => T;
  /** Lets go of caches: `statements` too when nobody is expected soon. */
  readonly release: (of: "pages" | "statements") => void;
}

/** The reason why a database could not be opened; the file is left untouched in each case. */
export type OpenError =
  | { readonly type: "store.corrupt"; readonly path: string; readonly detail: string }
  | {
      readonly type: "store.newer";
      readonly path: string;
      readonly found: number;
      readonly known: number;
    }
  /** A backup with tables, triggers or views that are not ours. */
  | { readonly type: "store.foreign"; readonly path: string; readonly detail: string }
  | { readonly type: "store.missing"; readonly path: string }
  /** Opened for reading, and the daemon has yet to upgrade it. */
  | { readonly type: "store.outdated"; readonly path: string }
  | { readonly type: "store.network-file-system"; readonly path: string; readonly detail: string }
  | { readonly type: "store.unavailable"; readonly path: string; readonly detail: string };
