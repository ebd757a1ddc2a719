/**
 * What happened in this store since it was last looked at, as entries of the log. Reads what the store keeps anyway
 * (revisions, fingerprints, counters), so that nothing that writes memories knows of sync.
 */
import type {
  MemoryEntry,
  MemoryNode,
  Revision,
  Stamp,
  Statement,
  SyncEntry,
  SyncSubject,
} from "#domain";
import { metaNames, type LogDeps } from "./deps.ts";
import { entryId } from "./entry-id.ts";
import { collectForgets, forgetKilled } from "./forgetting.ts";
import { nextStamp } from "./stamp.ts";
import { newSubject, slotKey } from "./subject.ts";

/** Revisions, uses, fingerprints and digests looked at in one step. */
const perStepMax = 200;
/** Links looked at in one step. */
const linksPerStep = 2_000;

/**
 * One step, inside the caller's transaction. Gives the subjects that it said something of, and whether there may be
 * more.
 */
export function collect(deps: LogDeps): {
  readonly touched: readonly string[];
  readonly more: boolean;
} {
  const device = deps.store.sync.device();
  if (device === null) return { touched: [], more: false };
  const step = { ...deps, device };
  // First: what was forgotten and said again since holds.
  const forgets = collectForgets(step, device);
  const revisions = collectRevisions(step);
  collectUses(step);
  const links = collectLinks(step);
  const digests = collectDigests(step);
  return {
    touched: [...new Set([...forgets.touched, ...revisions.touched])],
    more: revisions.more || forgets.more || links || digests,
  };
}

interface Step extends LogDeps {
  readonly device: string;
}

const numberAt = ({ store }: LogDeps, name: string): number =>
  Number(store.admin.getMeta(name) ?? 0);

function collectRevisions(step: Step): {
  readonly touched: readonly string[];
  readonly more: boolean;
} {
  const { store } = step;
  const revisions = store.sync.revisionsAfter(numberAt(step, metaNames.revision), perStepMax);
  const touched = new Set<string>();
  for (const revision of revisions) {
    const subject = tellRevision(step, revision);
    if (subject !== null) touched.add(subject);
  }
  const more = revisions.length === perStepMax;
  const last = more ? (revisions.at(-1)?.id ?? 0) : store.sync.lastRevision();
  store.admin.setMeta(metaNames.revision, `${last}`);
  return { touched: [...touched], more };
}

/** Null when it says nothing that the others should know. */
function tellRevision(step: Step, revision: Revision): string | null {
  const { store, device } = step;
  const node = store.nodes.byId(revision.nodeId);
  const known = store.sync.subjectOf(revision.nodeId);
  // What is in the archive, and was told to nobody, stays there.
  if (node === null || (known === null && node.category === "sessions")) return null;
  const row = known ?? newSubject(store, revision, node.project);
  const { set, isExplicit, isAnew } = statementIn(step, { node, known, revision });
  const pin = pinOf(step, row, revision);
  if (Object.keys(set).length === 0 && pin === null) return null;
  const slot = slotKey(node.project, revision.fields.slot);
  const t = nextStamp(revision.atMs, [row.latest, slotClock(step, slot)], device);
  const { action, by, reason, atMs } = revision;
  const entry: MemoryEntry = {
    v: 1,
    k: "memory",
    t,
    s: row.subject,
    o: isExplicit && isAnew ? t : tokenOf(step, row),
    set,
    ...(pin === null ? {} : { pin }),
    ...(isExplicit ? { x: true } : {}),
    a: { action, by, reason, atMs },
  };
  store.sync.add(entryId(entry), entry, false);
  noteWordings(step, entry);
  store.sync.putSubject({ ...row, nodeId: node.id, latest: t, slot });
  forgetKilled(step, row.subject);
  if (known === null)
    tellUses(step, { nodeId: node.id, count: node.accessCount, atMs: node.lastAccess ?? 0 });
  return row.subject;
}

const slotClock = ({ store }: LogDeps, slot: string | null): Stamp =>
  slot === null ? "" : store.sync.slotClock(slot);

interface Telling {
  readonly node: MemoryNode;
  readonly known: SyncSubject | null;
  readonly revision: Revision;
}

/** What a revision states, and whether by name and from the beginning. */
function statementIn(
  step: Step,
  { node, known, revision }: Telling,
): { readonly set: Statement; readonly isExplicit: boolean; readonly isAnew: boolean } {
  const before = known === null ? null : step.store.history.before(revision);
  const changed = before === null ? {} : differing(before, revision);
  const isExplicit = isByName(revision, before === null ? revision.l0 : changed.l0);
  // What was forgotten and is said again by name begins anew.
  const isAnew = before === null || (isExplicit && isKilled(step, revision.l0));
  const said = isAnew ? wholeOf(step, node, revision) : changed;
  const set = Object.keys(said).length === 0 && known !== null ? dated(revision) : said;
  return { set, isExplicit, isAnew };
}

/** A change that changes nothing still says that it holds now. */
const dated = ({ action, fields }: Revision): Statement =>
  action === "pin" || action === "archive" ? {} : { evidenceCount: fields.evidenceCount };

/** The user wrote this very text, and asked for it: what was forgotten before is lifted. */
const isByName = ({ by, action }: Revision, l0: string | undefined): boolean =>
  by === "user" && l0 !== undefined && ["create", "edit", "revert"].includes(action);

/** The latest explicit remembering that is known of it. */
const tokenOf = ({ store }: LogDeps, { subject }: SyncSubject): Stamp =>
  store.sync.statements(subject).reduce((latest, { o }) => (o > latest ? o : latest), "");

const isKilled = ({ store }: LogDeps, l0: string): boolean =>
  store.sync.marksOf(l0).some((mark) => store.sync.mark(mark).killed !== null);

/** What a line is known by, for a forget that comes from elsewhere. */
export function noteWordings({ store }: LogDeps, { s, set, t, x }: MemoryEntry): void {
  if (set.l0 === undefined) return;
  for (const mark of store.sync.marksOf(set.l0)) {
    store.sync.addWording(s, mark);
    if (x !== true) continue;
    const known = store.sync.mark(mark);
    if ((known.remembered ?? "") < t) store.sync.putMark({ ...known, remembered: t });
  }
}

/** A pin counts up whenever it changes; null = it is as it was. */
function pinOf({ store }: LogDeps, row: SyncSubject, { fields }: Revision): number | null {
  const pins = store.sync.statements(row.subject).map(({ pin = 0 }) => pin);
  const pin = Math.max(0, ...pins);
  return (pin % 2 === 1) === fields.pinned ? null : pin + 1;
}

function wholeOf({ store }: LogDeps, node: MemoryNode, revision: Revision): Statement {
  // What was never a memory is none of the others' business.
  if (revision.fields.category === "sessions") return {};
  const { project } = node;
  return {
    ...statementOf(revision),
    made: {
      project,
      projectName: project === null ? null : store.sync.projectName(project),
      branch: node.branch,
      maker: node.maker,
      sourceSession: node.sourceSession,
      createdAt: node.createdAt,
    },
  };
}

/** What a revision says, but for what it never changes. */
export function statementOf({ l0, l1, l2, status, fields }: Revision): Statement {
  const isArchived = fields.category === "sessions" || fields.category === null;
  return {
    // A memory that went to the archive of this device is put away on the others.
    ...(fields.category === null || fields.category === "sessions"
      ? {}
      : { place: { category: fields.category, uri: fields.uri } }),
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

function differing(before: Revision, after: Revision): Statement {
  const old = statementOf(before);
  return Object.fromEntries(
    Object.entries(statementOf(after)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof Statement]),
    ),
  );
}

/** What this device has counted: all that the memory has, less what the others told. */
function collectUses(step: Step): void {
  const used = step.store.sync.usedSince(numberAt(step, metaNames.used));
  for (const use of used) tellUses(step, use);
  const last = used.at(-1);
  // Those of the last millisecond are looked at again, and found to be told.
  if (last !== undefined) step.store.admin.setMeta(metaNames.used, `${last.atMs}`);
}

function tellUses(
  { store, device }: Step,
  use: { readonly nodeId: number; readonly count: number; readonly atMs: number },
): void {
  const row = store.sync.subjectOf(use.nodeId);
  if (row === null) return;
  const others = Object.entries(row.uses)
    .filter(([name]) => name !== device)
    .reduce((sum, [, n]) => sum + n, 0);
  const n = use.count - others;
  if (n <= (row.uses[device] ?? 0)) return;
  const t = nextStamp(use.atMs, [row.latest], device);
  const entry: SyncEntry = { v: 1, k: "use", t, s: row.subject, d: device, n, at: use.atMs };
  store.sync.add(entryId(entry), entry, false);
  store.sync.putSubject({
    ...row,
    uses: { ...row.uses, [device]: n },
    usedAt: Math.max(row.usedAt ?? 0, use.atMs),
  });
}

/** Links have no history: all of them are looked at, some in each step, from the first again after the last. */
function collectLinks(step: Step): boolean {
  const { store, device } = step;
  const { links, next } = store.sync.untoldLinks(
    store.admin.getMeta(metaNames.links) ?? "",
    linksPerStep,
  );
  for (const link of links) {
    const { from, to, relation, weight, createdAt } = link;
    const t = nextStamp(createdAt, [], device);
    const entry: SyncEntry = { v: 1, k: "link", t, s: from, to, relation, weight, at: createdAt };
    store.sync.add(entryId(entry), entry, false);
    store.sync.putLink(link);
  }
  store.admin.setMeta(metaNames.links, next);
  return next !== null;
}

function collectDigests(step: Step): boolean {
  const { store, device } = step;
  const found = store.sync.digestsAfter(numberAt(step, metaNames.digest), perStepMax);
  for (const { digest } of found) {
    if (store.admin.getMeta(`sync.digest.${digest.session.id}`) !== null) continue;
    const entry: SyncEntry = { v: 1, k: "digest", t: nextStamp(digest.at, [], device), ...digest };
    store.sync.add(entryId(entry), entry, false);
  }
  const last = found.at(-1)?.id ?? store.sync.lastDigest();
  store.admin.setMeta(metaNames.digest, `${last}`);
  return found.length === perStepMax;
}
