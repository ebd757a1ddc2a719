/**
 * The log of revisions that devices exchange (docs/adr/0044): what an entry says, and the tables that keep what is
 * known of the others. What entries mean together is decided in `src/exchange/sync/`.
 */
import type { Json } from "#kit";
import type { Category } from "./category.ts";
import type {
  Maker,
  MemoryNode,
  NodePatch,
  NodeStatus,
  Relation,
  Revision,
  RevisionCause,
} from "./node.ts";

/**
 * The time and the device of an entry: `<ms>.<counter>.<device>`, each of a fixed width, so that
 * they sort as texts.
 */
export type Stamp = string;

/** Fields that hold together: of each the later statement is current. */
export interface Statement extends Omit<
  NodePatch,
  "category" | "mergedFrom" | "pinned" | "project" | "status" | "uri" | "validTo"
> {
  readonly made?: {
    readonly branch: string | null;
    readonly maker: Maker;
    readonly sourceSession: string | null;
    readonly createdAt: number;
  };
  readonly project?: { readonly key: string; readonly name: string } | null;
  readonly place?: { readonly category: Category; readonly uri: string };
  readonly standing?: {
    readonly status: NodeStatus;
    readonly validTo: number | null;
    /** The memory that it was merged into, and the fingerprint of the line that said the same. */
    readonly into?: string;
    readonly line?: string;
  };
}

interface EntryBase {
  /** Version of the entry's form. */
  readonly v: 1;
  readonly stamp: Stamp;
}

export interface MemoryEntry extends EntryBase {
  readonly kind: "memory";
  readonly subject: string;
  /** The explicit remembering that it builds on; empty = none was needed so far. */
  readonly token: Stamp;
  readonly set: Statement;
  /** Fingerprints of its line, which outlive the line. */
  readonly lineMarks?: readonly string[];
  /** The remembering by name that allows this line; absent = none was needed so far. A forgetting after it wins. */
  readonly licence?: Stamp;
  /** The number of times that it was pinned and unpinned so far: odd = it is pinned. */
  readonly pin?: number;
  /** The user said it by name: it outranks an earlier forget. */
  readonly isByName?: true;
  readonly cause: RevisionCause;
}

/** A device's count of a memory's uses by now. */
export interface UseEntry extends EntryBase {
  readonly kind: "use";
  readonly subject: string;
  readonly device: string;
  readonly count: number;
  readonly atMs: number;
}

export interface LinkEntry extends EntryBase {
  readonly kind: "link";
  readonly subject: string;
  readonly to: string;
  readonly relation: Relation;
  readonly weight: number;
  readonly atMs: number;
}

/** Gone for good: these memories, and every memory that ever had a line with one of these fingerprints. */
export interface ForgetEntry extends EntryBase {
  readonly kind: "forget";
  /** The memories go with a turn that left no record: whatever else tells the same stays. */
  readonly withdrawn?: true;
  readonly gone: readonly string[];
  readonly marks: readonly string[];
  /** Fingerprints of what is not to be learnt, though a memory says it. */
  readonly refused: readonly string[];
  /** Salts of the fingerprints. */
  readonly salts: readonly string[];
}

export interface SessionDigest {
  readonly session: {
    readonly id: string;
    readonly project: string | null;
    readonly projectName: string | null;
    readonly branch: string | null;
    readonly startedAt: number;
    readonly lastEventAt: number;
  };
  readonly atMs: number;
  readonly l0: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface DigestEntry extends EntryBase, SessionDigest {
  readonly kind: "digest";
}

export type SyncEntry = MemoryEntry | UseEntry | LinkEntry | ForgetEntry | DigestEntry;

/** Short names of an entry's fields, as it is carried and stored; other fields keep theirs. */
const wireNames = new Map<string, string>([
  ["kind", "k"],
  ["stamp", "t"],
  ["subject", "s"],
  ["token", "o"],
  ["lineMarks", "w"],
  ["licence", "r"],
  ["isByName", "x"],
  ["cause", "a"],
  ["device", "d"],
  ["count", "n"],
  ["atMs", "at"],
]);
const namesByWire = new Map([...wireNames].map(([name, short]) => [short, name]));

const renamed = (fields: object, names: ReadonlyMap<string, string>): Json =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [names.get(name) ?? name, value]),
  );

/** An entry, or a part of one, as it is carried and stored. */
export const wireOf = (entry: Partial<SyncEntry>): Json => renamed(entry, wireNames);

/** The fields of an entry by their names in this program; that they are sound is not checked. */
export const fieldsOfWire = (wire: object): Json => renamed(wire, namesByWire);

/** A memory as all devices know it. */
export interface SyncSubject {
  readonly subject: string;
  readonly nodeId: number | null;
  readonly latest: Stamp;
  /** The latest forget; the memories that build on no later remembering are gone. */
  readonly forgotten: Stamp | null;
  /** When it was forgotten here, while the others are to be told; negative = withdrawn then. */
  readonly forgetAt: number | null;
  readonly place: string | null;
  readonly slot: string | null;
  readonly isCurrent: boolean;
  readonly said: Stamp;
  readonly createdAt: number;
  /** The subject that it was merged into. */
  readonly mergedInto: string | null;
  readonly uses: Readonly<Record<string, number>>;
  readonly usedAt: number | null;
}

export type Due = "subject" | "place" | "slot";

/** A line that a statement of a memory gave it. */
export interface Wording {
  readonly subject: string;
  /** The remembering that the statement builds on. */
  readonly token: Stamp;
  readonly mark: string;
  /** The remembering by name that allows the line; empty = none was needed. */
  readonly licence: Stamp;
}

export interface SyncMark {
  readonly mark: string;
  /** Since when memories that say it are gone. */
  readonly killed: Stamp | null;
  /** Since when it is not learnt. */
  readonly forgotten: Stamp | null;
  readonly remembered: Stamp | null;
}

export interface SyncHead {
  readonly device: string;
  readonly seq: number;
  /** SHA-256 of the segment as it is carried. */
  readonly hash: string;
}

export interface SyncReport {
  /** Entries taken in, and written. */
  readonly received: number;
  readonly sent: number;
  /** Segments that could not be used, each in a line for a person. */
  readonly problems: readonly string[];
}

/** The outcome of reading everything that a carrier holds. */
export interface SyncVerified {
  readonly segments: number;
  readonly bytes: number;
  /** Each in a line for a person. */
  readonly problems: readonly string[];
}

export interface SyncLink {
  readonly from: string;
  readonly to: string;
  readonly relation: Relation;
  readonly weight: number;
  readonly createdAt: number;
}

/** Keeps what is known of the other devices, and what they were told. */
export interface SyncTables {
  /** This device's id; null while nothing is synced. */
  readonly device: () => string | null;
  /**
   * Begins anew as this device, knowing nothing; fingerprints are made with this salt from now on. Null: no sync.
   */
  readonly reset: (as: { readonly device: string; readonly salt: string } | null) => void;
  /** Revisions of memories and of what became of them, after this one. */
  readonly revisionsAfter: (id: number, limit: number) => readonly Revision[];
  readonly lastRevision: () => number;
  readonly subject: (subject: string) => SyncSubject | null;
  readonly subjectOf: (nodeId: number) => SyncSubject | null;
  readonly putSubject: (subject: SyncSubject) => void;
  /** Lists the subjects that ask for the same place, or for the same slot. */
  readonly asking: (what: "place" | "slot", value: string) => readonly SyncSubject[];
  /** The latest stamp of any subject of a slot; empty = none. */
  readonly slotClock: (slot: string) => Stamp;
  readonly forgetsDue: (limit: number) => readonly SyncSubject[];
  /** Notes a memory that was forgotten elsewhere and is still here; without a stamp it was withdrawn. */
  readonly addGone: (nodeId: number, stamp: Stamp | null) => void;
  readonly gone: (
    limit: number,
  ) => readonly { readonly nodeId: number; readonly stamp: Stamp | null }[];
  /**
   * Notes the subjects that are to be brought in step with what is known of them: kept, so that a
   * crash in between loses nothing.
   */
  readonly addDue: (what: Due, value: string) => void;
  readonly due: () => readonly { readonly what: Due; readonly value: string }[];
  readonly dropDue: () => void;
  /** They are forgotten here too; what was remembered again since may be learnt. */
  readonly dropGone: (nodeIds: readonly number[]) => void;
  /** Statements that hold, by stamp. */
  readonly statements: (
    subject: string,
  ) => readonly (MemoryEntry & { readonly id: string; readonly isSent: boolean })[];
  /** False when it was there: the same entry has the same id everywhere. */
  readonly add: (entry: SyncEntry, isSent: boolean) => boolean;
  readonly drop: (ids: readonly string[]) => void;
  readonly unsent: (limit: number) => readonly { readonly id: string; readonly json: string }[];
  /** Statements stay, everything else was only waiting. */
  readonly sent: (ids: readonly string[]) => void;
  /** Fingerprints of a text under every known salt; the shared one's first. Empty for a text without a letter. */
  readonly marksOf: (text: string) => readonly string[];
  readonly addWording: (wording: Wording) => void;
  readonly withWording: (mark: string) => readonly string[];
  readonly wordings: (subject: string) => readonly string[];
  /**
   * Gives the stamp at which a line of these statements was forgotten, and no remembering after
   * that allows it; null = it was not.
   */
  readonly killedAt: (subject: string, token: Stamp) => Stamp | null;
  readonly mark: (mark: string) => SyncMark;
  /** Also puts the fingerprint among the forgotten ones, or takes it away. */
  readonly putMark: (mark: SyncMark) => void;
  /** Fingerprints of this store that no entry has told. */
  readonly untoldMarks: (
    limit: number,
  ) => readonly { readonly mark: string; readonly atMs: number }[];
  readonly salts: () => readonly string[];
  /** Returns those that were not known. */
  readonly keepSalts: (salts: readonly string[]) => readonly string[];
  /** Takes lines that were forgotten out of what a memory said before. */
  readonly scrub: (subject: string, isForgotten: (l0: string) => boolean) => void;
  /** Every line that is stated, for new salts. */
  readonly lines: () => Iterable<Omit<Wording, "mark"> & { readonly l0: string }>;
  /** Memories that were used more often than is told, behind a place; null = all were looked at. */
  readonly untoldUses: (
    after: number,
    limit: number,
  ) => {
    readonly uses: readonly {
      readonly nodeId: number;
      readonly count: number;
      readonly atMs: number;
    }[];
    readonly next: number | null;
  };
  /** Links of this store that are stronger than what is told of them, behind a place; null = all were looked at. */
  readonly untoldLinks: (
    after: string,
    limit: number,
  ) => { readonly links: readonly SyncLink[]; readonly next: string | null };
  readonly putLink: (link: SyncLink) => void;
  readonly linksOf: (subject: string) => readonly SyncLink[];
  readonly heads: () => readonly SyncHead[];
  readonly putHead: (head: SyncHead) => void;
  /** Sets the fields that no patch may change, as all devices have them. */
  readonly settle: (
    nodeId: number,
    as: {
      readonly branch: string | null;
      readonly maker: Maker;
      readonly sourceSession: string | null;
      readonly createdAt: number;
      readonly updatedAt: number;
      readonly accessCount: number;
      readonly lastAccess: number | null;
    },
  ) => void;
  readonly nameProject: (key: string, name: string, atMs: number) => void;
  readonly projectName: (key: string) => string | null;
  /** Adds what was said to a memory's history; not twice. */
  readonly addHistory: (node: MemoryNode, cause: RevisionCause) => boolean;
  /** Adds what holds now, so that the history ends with it. */
  readonly restate: (node: MemoryNode, cause: RevisionCause) => void;
  readonly digestsAfter: (
    checkpointId: number,
    limit: number,
  ) => readonly { readonly id: number; readonly digest: SessionDigest }[];
  readonly putDigest: (digest: DigestEntry) => void;
  readonly lastDigest: () => number;
}
