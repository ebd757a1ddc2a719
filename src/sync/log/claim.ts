/** What a memory asks for by its statements alone: a place in the tree, and to be current in a slot. */
import type { NodeStatus, Store, SyncSubject } from "#domain";
import type { LogDeps } from "./deps.ts";
import { type Folded, fold } from "./fold.ts";
import { slotKey, subjectAt } from "./subject.ts";

/** After every change of a subject's statements: notes what it asks for now, and who may be concerned. */
export function claim({ store: { sync }, store }: LogDeps, subject: string): void {
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
