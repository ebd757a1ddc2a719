/**
 * Combines the statements about one memory, and finds what it asks for by its statements alone: a
 * place in the tree, and to be current in a slot.
 */
import {
  communicationUri,
  type MemoryEntry,
  type MemoryNode,
  type MetaName,
  type NodeStatus,
  type Revision,
  type Stamp,
  type Statement,
  type RevisionCause,
  type Store,
  type SyncSubject,
} from "#domain";
import { type Clock, sha256 } from "#kit";

/** After every change of a subject's statements: notes what it asks for now, and who may be concerned. */
export function claim({ store: { sync }, store }: ExchangeContext, subject: string): void {
  const before = subjectAt(store, subject);
  const folded = fold(sync.statements(subject));
  const after = { ...before, ...(folded === null ? nothing : claimOf(store, folded)) };
  sync.putSubject(after);
  sync.addDue("subject", subject);
  for (const { place, slot, mergedInto } of [before, after]) {
    if (place !== null) sync.addDue("place", place);
    if (slot !== null) sync.addDue("slot", slot);
    if (mergedInto !== null) sync.addDue("subject", mergedInto);
  }
}

type Claim = Pick<
  SyncSubject,
  "place" | "slot" | "isCurrent" | "said" | "createdAt" | "mergedInto"
>;

const nothing: Claim = {
  place: null,
  slot: null,
  isCurrent: false,
  said: "",
  createdAt: 0,
  mergedInto: null,
};

function claimOf(store: Store, folded: Folded): Claim {
  const { fields, said } = folded;
  const { status, into } = standingOf(store, folded);
  return {
    place: fields.place.uri,
    slot: slotKey(fields.project?.key ?? null, fields.slot),
    isCurrent: status === "active",
    said,
    createdAt: fields.made.createdAt,
    mergedInto: into,
  };
}

interface Standing {
  readonly status: NodeStatus;
  readonly validTo: number | null;
  readonly into: string | null;
}

/** A memory is merged into another for what it says. One that says something else by now was not what was meant. */
export function standingOf({ sync }: Store, { fields: { standing, l0 } }: Folded): Standing {
  const { status, validTo, into, line } = standing;
  if (status !== "retracted" || into === undefined) return { status, validTo, into: null };
  if (sync.marksOf(l0)[0] === line) return { status, validTo, into };
  return { status: "active", validTo: null, into: null };
}

/**
 * Two devices that merge the same memories on their own may each keep another one. Of those that went into each other
 * in a circle the oldest stays. True = this one does.
 */
export function staysOf(store: Store, subject: string): boolean {
  const circle = mergedWith(store, subject);
  if (!circle.some(({ mergedInto }) => mergedInto === subject)) return false;
  const [oldest] = circle.toSorted(
    (a, b) => a.createdAt - b.createdAt || (a.subject < b.subject ? -1 : 1),
  );
  return oldest?.subject === subject;
}

/** The memory, the one that it was merged into, and so on. */
export function mergedWith(store: Store, subject: string): readonly SyncSubject[] {
  const found = new Map<string, SyncSubject>();
  for (let next: string | null = subject; next !== null && !found.has(next);) {
    const row = subjectAt(store, next);
    found.set(next, row);
    next = row.mergedInto;
  }
  return [...found.values()];
}

/** Store, clock and helpers that the log of revisions and the team share. */
export interface ExchangeContext {
  readonly clock: Clock;
  readonly store: Store;
  /** Brings what is found by meaning in step with a memory that came or changed. */
  readonly index: (node: MemoryNode) => void;
  /** Forgets leaves by URI as a person would: texts, files and vectors. Not inside a transaction. */
  readonly forget: (uris: readonly string[]) => void;
}

export interface SyncContext extends ExchangeContext {
  /** Removes memories for good, and leaves what else tells the same. */
  readonly withdraw: (ids: readonly number[]) => void;
}

export const numberAt = ({ store }: ExchangeContext, name: MetaName): number =>
  Number(store.admin.getMeta(name) ?? 0);

// `emptySubject` names a memory on all devices by what it first said, so that the same statement is the same memory.

const emptySubject = (subject: string): SyncSubject => ({
  subject,
  nodeId: null,
  latest: "",
  forgotten: null,
  forgetAt: null,
  ...nothing,
  uses: {},
  usedAt: null,
});

export const subjectAt = ({ sync }: Store, subject: string): SyncSubject =>
  sync.subject(subject) ?? emptySubject(subject);

export const slotKey = (project: string | null, slot: string | null): string | null =>
  slot === null ? null : `${project ?? ""}\n${slot}`;

/** The subject of a memory that is told for the first time: the first of its name that is no other memory here. */
export function newSubject(store: Store, revision: Revision): SyncSubject {
  const [mark] = store.sync.marksOf(revision.l0);
  const about = revision.fields.uri === communicationUri ? communicationUri : (mark ?? revision.l0);
  for (let n = 0; ; n += 1) {
    const subject = sha256(JSON.stringify([about, revision.fields.project, n]));
    const row = subjectAt(store, subject);
    if (row.nodeId === null || row.nodeId === revision.nodeId) return row;
  }
}

// Hybrid logical clock: the wall clock where it moves on, a counter where it does not. Pure.

const msChars = 9;
const countChars = 4;
/** Epoch ms with nine digits of base 36: the year 5188. */
const msMax = 36 ** msChars - 1;
const countMax = 36 ** countChars - 1;

const stampPattern = /^[0-9a-z]{9}\.[0-9a-z]{4}\.[0-9a-f]{8}$/;

export const isStamp = (text: string): boolean => stampPattern.test(text);

const stampAt = (ms: number, count: number, device: string): Stamp =>
  `${ms.toString(36).padStart(msChars, "0")}.${count.toString(36).padStart(countChars, "0")}.${device}`;

export const later = (a: Stamp, b: Stamp): Stamp => (a > b ? a : b);

export const msOf = (stamp: Stamp): number => Number.parseInt(stamp.slice(0, msChars), 36);

/**
 * A stamp of this device, after everything that is known of the matter (`known`: the latest stamps; empty = none). The
 * time is the statement's own unless something known is later, as it is when another device's clock runs ahead.
 */
export function nextStamp(atMs: number, known: readonly Stamp[], device: string): Stamp {
  const at = Math.min(Math.max(0, Math.floor(atMs)), msMax);
  const latest = known.reduce(later, "");
  if (latest === "") return stampAt(at, 0, device);
  const ms = msOf(latest);
  if (at > ms) return stampAt(at, 0, device);
  const count = Number.parseInt(latest.slice(msChars + 1, msChars + 1 + countChars), 36) + 1;
  return count > countMax ? stampAt(ms + 1, 0, device) : stampAt(ms, count, device);
}

// Combines the statements about one memory. A pure function of the set: their order, and how often
// each arrived, make no difference (docs/adr/0044).

export type Kept = MemoryEntry & { readonly id: string };

/** A memory as all its statements together leave it. */
export interface Folded {
  readonly fields: Required<Statement>;
  readonly pinned: boolean;
  readonly pin: number;
  /** The stamp of the last statement of its text or state. */
  readonly said: Stamp;
  /** The time of the statement that was made last, a pin aside. */
  readonly updatedAt: number;
  readonly last: RevisionCause;
}

/** In the order in which they were made. */
export const inOrder = <One extends Kept>(entries: readonly One[]): readonly One[] =>
  entries.toSorted((a, b) => compare(a.stamp, b.stamp) || compare(a.id, b.id));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const names = [
  "made",
  "project",
  "place",
  "standing",
  "l0",
  "l1",
  "l2",
  "aliases",
  "importance",
  "evidenceCount",
  "tags",
  "files",
  "anchors",
  "origin",
  "validFrom",
  "expiresAt",
  "evidence",
  "slot",
] as const satisfies readonly (keyof Statement)[];

/** Null while something of it has not arrived yet, and when nothing of it is left. */
export function fold(entries: readonly Kept[]): Folded | null {
  const alive = inOrder(entries);
  const fields: Statement = Object.assign({}, ...alive.map(({ set }) => set));
  if (!isWhole(fields)) return null;
  const pin = Math.max(0, ...alive.map((entry) => entry.pin ?? 0));
  const telling = alive.filter(({ set }) => Object.keys(set).length > 0);
  const last = telling.at(-1);
  if (last === undefined) return null;
  const stating = telling.findLast(({ set }) => set.l0 !== undefined || set.standing !== undefined);
  return {
    fields,
    pin,
    pinned: pin % 2 === 1,
    said: stating?.stamp ?? last.stamp,
    updatedAt: last.cause.atMs,
    last: last.cause,
  };
}

const isWhole = (fields: Statement): fields is Required<Statement> =>
  names.every((name) => fields[name] !== undefined);

/**
 * Statements that later ones of the same token say anew as a whole: nothing they say can become current again. Texts
 * and states stay, for the history.
 */
export function shadowed(entries: readonly Kept[]): readonly Kept[] {
  const ordered = inOrder(entries);
  return ordered.filter((entry, at) => {
    const later = ordered.slice(at + 1).filter(({ token }) => token === entry.token);
    const saidLater = (name: string): boolean =>
      later.some(({ set }) => set[name as keyof Statement] !== undefined);
    // When two count the same, one has to stay.
    const isPinKnown =
      entry.pin === undefined ||
      ordered.some(
        ({ token, pin = 0 }, place) =>
          token === entry.token && (pin > (entry.pin ?? 0) || (pin === entry.pin && place > at)),
      );
    const { l0, l1, l2, standing } = entry.set;
    const isHistory = [l0, l1, l2, standing].some((value) => value !== undefined);
    return (
      !isHistory &&
      later.length > 0 &&
      isPinKnown &&
      Object.keys(entry.set).every((name) => saidLater(name))
    );
  });
}
