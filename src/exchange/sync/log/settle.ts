/**
 * Brings memories in step with what is known of them: the text and state that all statements together leave, one
 * current value in a slot, and a place of its own in the tree for each.
 */
import type { MemoryNode, NodePatch, SyncSubject } from "#domain";
import {
  fold,
  type Folded,
  inOrder,
  type Kept,
  type ExchangeContext,
  mergedWith,
  msOf,
  shadowed,
  standingOf,
  staysOf,
  subjectAt,
} from "./claim.ts";
import { isUnwanted } from "./forgetting.ts";

/** Everything that is due, inside the caller's transaction. */
export function settle(deps: ExchangeContext): void {
  const { sync } = deps.store;
  const due = new Set<string>();
  for (const { what, value } of sync.due()) {
    if (what === "subject") due.add(value);
    // Other subjects that want the same place or slot may have to give way, or may have it back.
    else for (const { subject } of sync.asking(what, value)) due.add(subject);
  }
  for (const subject of due)
    for (const { subject: other } of mergedWith(deps.store, subject)) due.add(other);
  makeRoom(deps, due);
  for (const subject of due) write(deps, subject);
  sync.dropDue();
}

/** URIs have at most 200 characters. */
const uriCharsMax = 200;

/** The first that was made keeps the place; others get a name of their own beside it. */
function placeOf({ store }: ExchangeContext, { subject, place }: SyncSubject): string {
  const uri = place ?? "";
  const [first] = store.sync.asking("place", uri);
  if (first === undefined || first.subject === subject) return uri;
  const end = `-${subject.slice(0, 8)}`;
  return `${uri.slice(0, uriCharsMax - end.length)}${end}`;
}

/** `winnerOf` gives, among several current values of a slot, the one that was stated last. */
function winnerOf(
  { store }: ExchangeContext,
  { slot, subject, isCurrent }: SyncSubject,
): SyncSubject | null {
  if (slot === null || !isCurrent) return null;
  const current = store.sync.asking("slot", slot).find((row) => row.isCurrent);
  return current === undefined || current.subject === subject ? null : current;
}

/**
 * Takes memories away from places that are no longer theirs, before others move in. The name in between is nobody's.
 */
function makeRoom(deps: ExchangeContext, due: ReadonlySet<string>): void {
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
    if (other !== null && !due.has(other.subject)) write(deps, other.subject);
  }
}

function write(deps: ExchangeContext, subject: string): void {
  const { store } = deps;
  const row = subjectAt(store, subject);
  const entries = store.sync.statements(subject);
  const folded = fold(entries);
  if (folded === null) return; // Forgotten, or not here as a whole.
  const node = row.nodeId === null ? null : store.nodes.byId(row.nodeId);
  if (node?.category === "sessions") return;
  const target = targetOf(deps, row, folded);
  nameProject(deps, folded);
  const there = node ?? insert(deps, { row, entries, target });
  const isTold = tellHistory(deps, there, entries);
  const written = patched(deps, there, { target, folded, isTold });
  finish(deps, subject, written, folded);
  joinLinks(store, subject);
  if (node === null || written.l0 !== node.l0 || written.status !== node.status)
    deps.index(written);
  store.sync.drop(shadowed(entries.filter(({ isSent }) => isSent)).map(({ id }) => id));
}

function nameProject({ store }: ExchangeContext, { fields: { project, made } }: Folded): void {
  if (project !== null) store.sync.nameProject(project.key, project.name, made.createdAt);
}

/** Everything that a patch may say. */
type Target = Required<Omit<NodePatch, "mergedFrom">>;

function targetOf(deps: ExchangeContext, row: SyncSubject, folded: Folded): Target {
  const winner = winnerOf(deps, row);
  return {
    ...textsOf(folded),
    ...(winner === null
      ? stateOf(deps, row, folded)
      : { status: "superseded", validTo: msOf(winner.said) }),
    uri: placeOf(deps, row),
  };
}

function stateOf(
  { store }: ExchangeContext,
  { subject }: SyncSubject,
  folded: Folded,
): Pick<Target, "status" | "validTo"> {
  const { status, validTo, into } = standingOf(store, folded);
  return into !== null && staysOf(store, subject)
    ? { status: "active", validTo: null }
    : { status, validTo };
}

function textsOf({ fields, pinned }: Folded): Target {
  const { made: _, place, project, standing, ...texts } = fields;
  const { status, validTo } = standing;
  return { ...texts, ...place, project: project?.key ?? null, pinned, status, validTo };
}

/** As it was first said. */
function insert(
  { store }: ExchangeContext,
  work: {
    readonly row: SyncSubject;
    readonly entries: readonly Kept[];
    readonly target: Target;
  },
): MemoryNode {
  const { row, entries, target } = work;
  const ordered = inOrder(entries);
  const [began] = ordered.flatMap((_, at) => fold(ordered.slice(0, at + 1)) ?? []);
  if (began === undefined) throw new Error("a memory is written before it is whole");
  const { made } = began.fields;
  const { evidenceCount: _, validTo: _to, ...draft } = { ...textsOf(began), uri: target.uri };
  const node = store.nodes.insert(
    {
      ...draft,
      category: began.fields.place.category,
      branch: made.branch,
      maker: made.maker,
      sourceSession: made.sourceSession,
    },
    { atMs: made.createdAt, action: "create", by: began.last.by, reason: began.last.reason },
  );
  store.sync.putSubject({ ...row, nodeId: node.id });
  return node;
}

/**
 * `tellHistory` adds statements that are not current to the history, as they were said. True when
 * something was added.
 */
function tellHistory(deps: ExchangeContext, node: MemoryNode, entries: readonly Kept[]): boolean {
  const { store } = deps;
  let isTold = false;
  const ordered = inOrder(entries);
  // The last statement is the memory's text now.
  for (const [at, entry] of ordered.slice(0, -1).entries()) {
    const { set } = entry;
    if (set.l0 !== undefined && isUnwanted(deps, set.l0)) continue;
    const isText = set.l0 !== undefined || set.l1 !== undefined || set.l2 !== undefined;
    if (!isText && set.standing === undefined) continue;
    const until = fold(ordered.slice(0, at + 1));
    const said = until === null ? {} : textsOf(until);
    if (store.sync.addHistory({ ...node, ...said, uri: node.uri, ...flat(entry) }, entry.cause))
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
  { store }: ExchangeContext,
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
function joinLinks(store: ExchangeContext["store"], subject: string): void {
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

/** `finish` sets what no patch may say. */
function finish(
  { store }: ExchangeContext,
  subject: string,
  node: MemoryNode,
  folded: Folded,
): void {
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
