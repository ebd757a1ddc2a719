/**
 * Collects the changes in this store since the last look, as entries of the log. Reads what the
 * store keeps anyway (revisions, fingerprints, counters), so that nothing that writes memories
 * knows of sync.
 */
import {
  orderedAgain,
  type MemoryEntry,
  type MemoryNode,
  type Revision,
  type RevisionCause,
  type Stamp,
  type Statement,
  type Store,
  type SyncSubject,
} from "#domain";
import {
  claim,
  type ExchangeContext,
  later,
  newSubject,
  nextStamp,
  numberAt,
  slotKey,
  subjectAt,
} from "./claim.ts";
import { collectDigests } from "./digests.ts";
import { collectForgets, deadAt, noteWordings, retire } from "./forgetting.ts";

/** Revisions looked at in one step. */
const perStepMax = 200;
/** Links, and memories for their uses, looked at in one step. */
const rowsPerStep = 2_000;

/** One step, inside the caller's transaction. True = there may be more. */
export function collect(deps: ExchangeContext): boolean {
  const device = deps.store.sync.device();
  if (device === null) return false;
  const step = { ...deps, device };
  // First: what was forgotten and said again since holds.
  const forgets = collectForgets(step, device);
  const revisions = collectRevisions(step);
  const uses = collectUses(step);
  const links = collectLinks(step);
  const digests = collectDigests(step, device);
  return forgets || revisions || uses || links || digests;
}

interface Step extends ExchangeContext {
  readonly device: string;
}

function collectRevisions(step: Step): boolean {
  const { store } = step;
  const revisions = store.sync.revisionsAfter(numberAt(step, "sync.revision"), perStepMax);
  for (const revision of revisions) tellRevision(step, revision);
  const more = revisions.length === perStepMax;
  const last = more ? (revisions.at(-1)?.id ?? 0) : store.sync.lastRevision();
  store.admin.setMeta("sync.revision", `${last}`);
  return more;
}

function tellRevision(step: Step, revision: Revision): void {
  const { store } = step;
  const node = store.nodes.byId(revision.nodeId);
  const known = store.sync.subjectOf(revision.nodeId);
  // A node in the archive that was told to nobody stays there.
  if (node === null || (known === null && node.category === "sessions")) return;
  // Each device hears from the team itself; what the user adopted is told from then on.
  if (revision.fields.origin === "team") return;
  const row = known ?? newSubject(store, revision);
  const said = statementIn(step, node, known, revision);
  const pin = pinOf(step, row, revision);
  if (Object.keys(said.set).length === 0 && pin === null) return;
  const entry = entryOf(step, row, { revision, pin, ...said });
  store.sync.putSubject({ ...row, nodeId: node.id, latest: entry.stamp });
  store.sync.add(entry, false);
  noteWordings(step, entry);
  claim(step, row.subject);
  retire(step, row.subject);
  // It was used as a new memory; those before it may have been used too.
  if (known === null && node.accessCount > 0)
    tellUses(step, row.subject, { fresh: node.accessCount, atMs: node.lastAccess ?? 0 });
}

interface Saying {
  readonly revision: Revision;
  readonly set: Statement;
  readonly isByName: boolean;
  readonly isAnew: boolean;
  readonly pin: number | null;
}

function entryOf(step: Step, row: SyncSubject, saying: Saying): MemoryEntry {
  const { sync } = step.store;
  const { revision, set, isByName, isAnew, pin } = saying;
  const lineMarks = set.l0 === undefined ? null : sync.marksOf(set.l0);
  const marks = (lineMarks ?? []).map((mark) => sync.mark(mark));
  const clocks = marks.flatMap(({ killed, forgotten }) => [killed ?? "", forgotten ?? ""]);
  const known = [row.latest, slotClock(step, revision), ...clocks];
  const stamp = nextStamp(revision.atMs, known, step.device);
  const isBegun = isAnew && (isByName || isOver(step, row));
  const licence = isByName ? stamp : latestOf(marks.map(({ remembered }) => remembered ?? ""));
  return {
    v: 1,
    kind: "memory",
    stamp,
    subject: row.subject,
    token: isBegun ? stamp : tokenOf(step, row),
    set,
    ...(lineMarks === null ? {} : { lineMarks }),
    ...(lineMarks === null || licence === "" ? {} : { licence }),
    ...(pin === null ? {} : { pin }),
    ...(isByName ? { isByName } : {}),
    cause: causeOf(revision),
  };
}

const causeOf = ({ action, by, reason, atMs, about }: Revision): RevisionCause => ({
  action,
  by,
  reason,
  atMs,
  ...(about && { about }),
});

function slotClock({ store }: ExchangeContext, { fields }: Revision): Stamp {
  const slot = slotKey(fields.project, fields.slot);
  return slot === null ? "" : store.sync.slotClock(slot);
}

const latestOf = (stamps: readonly Stamp[]): Stamp => stamps.reduce(later, "");

/** Everything that was said of it before is forgotten. */
const isOver = (step: Step, row: SyncSubject): boolean =>
  step.store.sync.statements(row.subject).length === 0 && deadAt(step, row, "") !== null;

/** `statementIn` gives a revision's statement, and whether it is by name and from the beginning. */
function statementIn(
  { store }: Step,
  node: MemoryNode,
  known: SyncSubject | null,
  revision: Revision,
): Omit<Saying, "pin" | "revision"> {
  const before = known === null ? null : store.history.before(revision);
  const set = before === null ? wholeOf(store, node, revision) : differing(store, before, revision);
  const as = { isByName: isSaidByName(revision, set.l0), isAnew: before === null };
  const into = mergedInto(store, revision);
  if (set.standing !== undefined && into !== null) {
    const [line] = store.sync.marksOf(revision.l0);
    const merged = { ...set.standing, ...(line === undefined ? {} : { line }), into };
    return { ...as, set: { ...set, standing: merged } };
  }
  const isEmpty = Object.keys(set).length === 0 && known !== null;
  return { ...as, set: isEmpty ? dated(revision) : set };
}

/** Changes that are made together stand side by side. */
const mergedTogetherMax = 64;

/** The memory that took this one over; its revision stands before. Null = it was not merged away. */
function mergedInto(
  { history, sync }: Store,
  { id, nodeId, action, status }: Revision,
): string | null {
  if (action !== "merge" || status !== "retracted") return null;
  const keep = history
    .between(Math.max(1, id - mergedTogetherMax), id)
    .findLast((other) => other.action === "merge" && other.fields.mergedFrom.includes(nodeId));
  return keep === undefined ? null : (sync.subjectOf(keep.nodeId)?.subject ?? null);
}

/** A change that changes nothing still says that it holds now. */
const dated = ({ action, fields }: Revision): Statement =>
  action === "pin" || action === "archive" ? {} : { evidenceCount: fields.evidenceCount };

/** The user wrote this very text, and asked for it: what was forgotten before is lifted. */
const isSaidByName = ({ by, action, reason }: Revision, l0: string | undefined): boolean =>
  (by === "user" || reason === orderedAgain) &&
  l0 !== undefined &&
  ["create", "edit", "revert"].includes(action);

/** The latest explicit remembering that is known of it. */
const tokenOf = ({ store }: ExchangeContext, { subject }: SyncSubject): Stamp =>
  latestOf(store.sync.statements(subject).map(({ token }) => token));

/** A pin counts up whenever it changes; null = it is as it was. */
function pinOf({ store }: ExchangeContext, row: SyncSubject, { fields }: Revision): number | null {
  const pins = store.sync.statements(row.subject).map(({ pin = 0 }) => pin);
  const pin = Math.max(0, ...pins);
  return (pin % 2 === 1) === fields.pinned ? null : pin + 1;
}

function wholeOf(store: Store, node: MemoryNode, revision: Revision): Statement {
  // A node that was never a memory is none of the others' business.
  if (revision.fields.category === "sessions") return {};
  return {
    ...statementOf(store, revision),
    made: {
      branch: node.branch,
      maker: node.maker,
      sourceSession: node.sourceSession,
      createdAt: node.createdAt,
    },
  };
}

/** `statementOf` gives a revision's fields, but for those that it never changes. */
function statementOf({ sync }: Store, { l0, l1, l2, status, fields }: Revision): Statement {
  const { project } = fields;
  const isArchived = fields.category === "sessions" || fields.category === null;
  return {
    // A memory that went to the archive of this device is put away on the others.
    ...(fields.category === null || fields.category === "sessions"
      ? {}
      : { place: { category: fields.category, uri: fields.uri } }),
    project: project === null ? null : { key: project, name: sync.projectName(project) ?? project },
    standing: { status: isArchived ? "retracted" : status, validTo: fields.validTo },
    l0,
    l1,
    l2,
    aliases: fields.aliases,
    importance: fields.importance,
    evidenceCount: fields.evidenceCount,
    tags: fields.tags,
    files: fields.files,
    anchors: fields.anchors,
    origin: fields.origin,
    validFrom: fields.validFrom,
    expiresAt: fields.expiresAt,
    evidence: fields.evidence,
    slot: fields.slot,
  };
}

function differing(store: Store, before: Revision, after: Revision): Statement {
  const old = statementOf(store, before);
  return Object.fromEntries(
    Object.entries(statementOf(store, after)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof Statement]),
    ),
  );
}

/**
 * `collectUses` tells this device's own count: all that the memory has, less what the others told.
 * All memories are looked at, some in each step, since the time of a use may be that of another
 * device's clock. True = there are more.
 */
function collectUses(step: Step): boolean {
  const { store } = step;
  const { uses, next } = store.sync.untoldUses(numberAt(step, "sync.used"), rowsPerStep);
  for (const { nodeId, count, atMs } of uses) {
    const row = store.sync.subjectOf(nodeId);
    const known = Object.values(row?.uses ?? {}).reduce((sum, n) => sum + n, 0);
    if (row !== null) tellUses(step, row.subject, { fresh: count - known, atMs });
  }
  store.admin.setMeta("sync.used", next === null ? null : `${next}`);
  return next !== null;
}

function tellUses(
  { store, device }: Step,
  subject: string,
  { fresh, atMs }: { readonly fresh: number; readonly atMs: number },
): void {
  const row = subjectAt(store, subject);
  const count = (row.uses[device] ?? 0) + fresh;
  const stamp = nextStamp(atMs, [row.latest], device);
  store.sync.add({ v: 1, kind: "use", stamp, subject, device, count, atMs }, false);
  store.sync.putSubject({
    ...row,
    uses: { ...row.uses, [device]: count },
    usedAt: Math.max(row.usedAt ?? 0, atMs),
  });
  store.sync.addDue("subject", subject);
}

/** Links have no history: all of them are looked at, some in each step, from the first again after the last. */
function collectLinks(step: Step): boolean {
  const { store, device } = step;
  const { links, next } = store.sync.untoldLinks(
    store.admin.getMeta("sync.links") ?? "",
    rowsPerStep,
  );
  for (const link of links) {
    const { from: subject, createdAt: atMs, to, relation, weight } = link;
    const stamp = nextStamp(atMs, [], device);
    store.sync.add({ v: 1, kind: "link", stamp, subject, to, relation, weight, atMs }, false);
    store.sync.putLink(link);
    store.sync.addDue("subject", subject);
  }
  store.admin.setMeta("sync.links", next);
  return next !== null;
}
