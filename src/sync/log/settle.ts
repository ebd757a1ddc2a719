/**
 * Brings memories in step with what is known of them: the text and state that all statements together leave, one
 * current value in a slot, and a place of its own in the tree for each.
 */
import type { MemoryNode, NodePatch, SyncSubject } from "#domain";
import type { LogDeps } from "./deps.ts";
import { isUnwanted } from "./forgetting.ts";
import { fold, inOrder, shadowed, type Folded, type Kept } from "./fold.ts";
import { msOf } from "./stamp.ts";
import { slotKey, subjectAt } from "./subject.ts";

/** A statement that came from another device just now. */
export type Arrived = Kept;

/** Inside the caller's transaction. */
export function settle(deps: LogDeps, touched: ReadonlyMap<string, readonly Arrived[]>): void {
  const places = new Set<string>();
  const slots = new Set<string>();
  const due = new Set<string>();
  for (const subject of touched.keys()) {
    const before = subjectAt(deps.store, subject);
    const after = claim(deps, before);
    due.add(subject);
    for (const { place, slot } of [before, after]) {
      if (place !== null) places.add(place);
      if (slot !== null) slots.add(slot);
    }
  }
  // Who else wants the same place or slot may have to give way, or may have it back.
  for (const place of places)
    for (const { subject } of deps.store.sync.asking("place", place)) due.add(subject);
  for (const slot of slots)
    for (const { subject } of deps.store.sync.asking("slot", slot)) due.add(subject);
  makeRoom(deps, due);
  for (const subject of due) write(deps, subject, touched.get(subject) ?? []);
}

/** What the subject asks for by its statements alone. */
function claim({ store }: LogDeps, row: SyncSubject): SyncSubject {
  const folded = fold(store.sync.statements(row.subject), row.forgotten);
  const after: SyncSubject = {
    ...row,
    place: folded?.fields.place.uri ?? null,
    slot: folded === null ? null : slotKey(folded.fields.made.project, folded.fields.slot),
    isCurrent: folded?.fields.standing.status === "active",
    said: folded?.said ?? "",
    createdAt: folded?.fields.made.createdAt ?? 0,
  };
  store.sync.putSubject(after);
  return after;
}

/** URIs have at most 200 characters. */
const uriCharsMax = 200;

/** The first that was made keeps the place; others get a name of their own beside it. */
function placeOf({ store }: LogDeps, { subject, place }: SyncSubject): string {
  const uri = place ?? "";
  const [first] = store.sync.asking("place", uri);
  if (first === undefined || first.subject === subject) return uri;
  const end = `-${subject.slice(0, 8)}`;
  return `${uri.slice(0, uriCharsMax - end.length)}${end}`;
}

/** Of several current values of a slot, the one that was stated last. */
function winnerOf(
  { store }: LogDeps,
  { slot, subject, isCurrent }: SyncSubject,
): SyncSubject | null {
  if (slot === null || !isCurrent) return null;
  const current = store.sync.asking("slot", slot).find((row) => row.isCurrent);
  return current === undefined || current.subject === subject ? null : current;
}

/**
 * Takes memories away from places that are no longer theirs, before others move in. The name in between is nobody's.
 */
function makeRoom(deps: LogDeps, due: ReadonlySet<string>): void {
  const { store } = deps;
  for (const subject of due) {
    const row = subjectAt(store, subject);
    if (row.place === null) continue;
    const wanted = placeOf(deps, row);
    const holder = store.nodes.byUri(wanted);
    if (holder === null || holder.id === row.nodeId) continue;
    const other = store.sync.subjectOf(holder.id);
    const uri = `${holder.parentUri ?? ""}/${subject.slice(0, 12)}-${holder.id}`.slice(
      -uriCharsMax,
    );
    store.nodes.update(
      holder.id,
      { uri },
      { atMs: holder.updatedAt, action: "edit", by: "sync", reason: "another memory has its name" },
    );
    // One that is in the archive or forgotten elsewhere stays where it was put.
    if (other !== null && !due.has(other.subject)) write(deps, other.subject, []);
  }
}

function write(deps: LogDeps, subject: string, arrived: readonly Arrived[]): void {
  const { store } = deps;
  const row = subjectAt(store, subject);
  const entries = store.sync.statements(subject);
  const folded = fold(entries, row.forgotten);
  if (folded === null) return; // Forgotten, or not here as a whole: `forgetHere` takes it away.
  const node = row.nodeId === null ? null : store.nodes.byId(row.nodeId);
  if (node?.category === "sessions") return;
  const target = targetOf(deps, row, folded);
  const steps = inOrder(arrived);
  const written =
    node === null
      ? insert(deps, { row, entries, target, folded })
      : change(deps, { node, entries, steps, target, folded });
  finish(deps, subject, written, folded);
  if (node === null || written.l0 !== node.l0 || written.status !== node.status)
    deps.index(written);
  const gone = shadowed(entries).filter(({ id }) => store.sync.isSent(id));
  store.sync.drop(gone.map(({ id }) => id));
}

/** Everything that a patch may say. */
type Target = Required<Omit<NodePatch, "mergedFrom">>;

function targetOf(deps: LogDeps, row: SyncSubject, folded: Folded): Target {
  const winner = winnerOf(deps, row);
  const { fields } = folded;
  const isOvertaken = winner !== null;
  return {
    ...textsOf(folded),
    uri: placeOf(deps, row),
    status: isOvertaken ? "superseded" : fields.standing.status,
    validTo: isOvertaken ? msOf(winner.said) : fields.standing.validTo,
  };
}

const textsOf = ({ fields, pinned }: Folded): Target => ({
  uri: fields.place.uri,
  category: fields.place.category,
  l0: fields.l0,
  l1: fields.l1,
  l2: fields.l2,
  aliases: fields.aliases,
  importance: fields.importance,
  evidenceCount: fields.evidenceCount,
  tags: fields.tags,
  files: fields.files,
  anchors: fields.anchors,
  pinned,
  origin: fields.origin,
  status: fields.standing.status,
  validFrom: fields.validFrom,
  validTo: fields.standing.validTo,
  expiresAt: fields.expiresAt,
  evidence: fields.evidence,
  slot: fields.slot,
});

function insert(
  deps: LogDeps,
  work: {
    readonly row: SyncSubject;
    readonly entries: readonly Kept[];
    readonly target: Target;
    readonly folded: Folded;
  },
): MemoryNode {
  const { store } = deps;
  const { row, entries, target, folded } = work;
  const { made } = folded.fields;
  if (made.project !== null)
    store.sync.nameProject(made.project, made.projectName ?? made.project, made.createdAt);
  const ordered = inOrder(entries);
  const first = ordered.findIndex(
    (_, at) => fold(ordered.slice(0, at + 1), row.forgotten) !== null,
  );
  const began = fold(ordered.slice(0, first + 1), row.forgotten) ?? folded;
  const { evidenceCount: _, validTo: _to, ...draft } = { ...textsOf(began), uri: target.uri };
  const node = store.nodes.insert(
    {
      ...draft,
      category: began.fields.place.category,
      project: made.project,
      branch: made.branch,
      maker: made.maker,
      sourceSession: made.sourceSession,
    },
    {
      atMs: made.createdAt,
      action: "create",
      by: began.last.by,
      reason: began.last.reason,
    },
  );
  store.sync.putSubject({ ...subjectAt(store, row.subject), nodeId: node.id });
  const isTold = tellHistory(deps, node, { entries, told: ordered.slice(first + 1) });
  joinLinks(store, row.subject);
  return patched(deps, node, { target, folded, isTold });
}

function change(
  deps: LogDeps,
  work: {
    readonly node: MemoryNode;
    readonly entries: readonly Kept[];
    readonly steps: readonly Arrived[];
    readonly target: Target;
    readonly folded: Folded;
  },
): MemoryNode {
  const isTold = tellHistory(deps, work.node, { entries: work.entries, told: work.steps });
  return patched(deps, work.node, { ...work, isTold });
}

/** What was said and is not current stays in the history, as it was said. True when something was added. */
function tellHistory(
  deps: LogDeps,
  node: MemoryNode,
  { entries, told }: { readonly entries: readonly Kept[]; readonly told: readonly Kept[] },
): boolean {
  const { store } = deps;
  let isTold = false;
  const last = inOrder(entries).at(-1);
  for (const entry of told) {
    const { set } = entry;
    // What was said last is what the memory says now.
    if (entry.id === last?.id) continue;
    if (set.l0 !== undefined && isUnwanted(deps, set.l0)) continue;
    const isText = set.l0 !== undefined || set.l1 !== undefined || set.l2 !== undefined;
    if (!isText && set.standing === undefined) continue;
    const until = fold(
      inOrder(entries).filter(({ t, id }) => t < entry.t || (t === entry.t && id <= entry.id)),
      null,
    );
    const said = until === null ? {} : textsOf(until);
    if (store.sync.addHistory({ ...node, ...said, uri: node.uri, ...flat(entry) }, entry.a))
      isTold = true;
  }
  return isTold;
}

const flat = ({ set }: Kept): Partial<MemoryNode> => ({
  ...(set.l0 === undefined ? {} : { l0: set.l0 }),
  ...(set.l1 === undefined ? {} : { l1: set.l1 }),
  ...(set.l2 === undefined ? {} : { l2: set.l2 }),
  ...(set.standing === undefined ? {} : { status: set.standing.status }),
});

function patched(
  { store }: LogDeps,
  node: MemoryNode,
  work: { readonly target: Target; readonly folded: Folded; readonly isTold: boolean },
): MemoryNode {
  const { target, folded, isTold } = work;
  const now = store.nodes.byId(node.id) ?? node;
  const patch: NodePatch = Object.fromEntries(
    Object.entries(target).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name as keyof Target]),
    ),
  );
  const { last } = folded;
  if (Object.keys(patch).length === 0) {
    if (isTold) store.sync.restate(now, last);
    return now;
  }
  const isOvertaken = target.status === "superseded" && folded.fields.standing.status === "active";
  return store.nodes.update(
    node.id,
    patch,
    isOvertaken
      ? {
          atMs: target.validTo ?? last.atMs,
          action: "supersede",
          by: "sync",
          reason: "said later elsewhere",
        }
      : {
          atMs: last.atMs,
          action: last.action === "create" ? "edit" : last.action,
          by: last.by,
          reason: last.reason,
        },
  );
}

/** Puts the links of a memory in place whose other end is here too. */
export function joinLinks(store: LogDeps["store"], subject: string): void {
  for (const link of store.sync.linksOf(subject)) {
    const fromId = store.sync.subject(link.from)?.nodeId ?? null;
    const toId = store.sync.subject(link.to)?.nodeId ?? null;
    if (fromId === null || toId === null) continue;
    const { relation, createdAt } = link;
    const there = store.nodes
      .links(fromId)
      .find((one) => one.fromId === fromId && one.toId === toId && one.relation === relation);
    if (there === undefined || there.weight < link.weight)
      store.nodes.link({ fromId, toId, relation, weight: link.weight, createdAt });
  }
}

/** What no patch may say. */
function finish({ store }: LogDeps, subject: string, node: MemoryNode, folded: Folded): void {
  const { made } = folded.fields;
  const { uses, usedAt } = subjectAt(store, subject);
  const accessCount = Object.values(uses).reduce((sum, n) => sum + n, 0);
  store.sync.settle(node.id, {
    branch: made.branch,
    maker: made.maker,
    sourceSession: made.sourceSession,
    createdAt: made.createdAt,
    updatedAt: Math.max(made.createdAt, folded.updatedAt),
    accessCount,
    lastAccess: usedAt,
  });
}
