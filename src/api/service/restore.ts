/**
 * `restore --as-of`: memories are made what they were at a time in the past. Each change is a new revision, all of them
 * one step that `undo` takes back; what was forgotten since stays forgotten.
 */
import { isWork, type MemoryNode, nodeStatuses, type Revision, type Store } from "#domain";
import { err, isoTime, ok, type Result } from "#kit";
import { canonicalUri } from "#memory";
import type { RestoredAsOfJson, StepListJson, UndoneJson } from "../forms-history.ts";
import { differing, save, wordingsOf } from "./edit.ts";
import type { ServiceError } from "./errors.ts";
import { goBack, patchTo, settledWith } from "./history.ts";
import { nodeAt } from "./memories.ts";
import { projectKeyOf } from "./scope.ts";
import type { Context } from "./context.ts";

interface RestoreAsk {
  readonly atMs: number;
  /** One memory by its URI, one project by key or name, or all. */
  readonly of: { readonly uri: string } | { readonly project: string } | { readonly all: true };
  /** Only says what would change. */
  readonly isDry: boolean;
  readonly nowMs: number;
}

/** Named in an answer; all of them are changed. */
const namedMax = 200;

interface Pair {
  readonly node: MemoryNode;
  readonly past: MemoryNode | null;
}

export function restoreAsOf(
  context: Context,
  ask: RestoreAsk,
): Result<RestoredAsOfJson, ServiceError> {
  if (!context.writable && !ask.isDry) return err({ type: "service.read-only" });
  if (ask.atMs > ask.nowMs) return err({ type: "as-of.future" });
  const pairs = pairsOf(context, ask);
  if (!pairs.ok) return pairs;
  const restored = pairs.value.flatMap((pair) => changeOf(context, pair, ask) ?? []);
  const changes = [
    ...restored,
    ...("uri" in ask.of ? endings(context, pairs.value, ask.nowMs) : []),
  ];
  if (!ask.isDry && changes.length > 0)
    context.store.transaction(() => {
      for (const change of changes) change.apply();
    });
  return ok({
    as_of: ask.atMs,
    changed: changes.length,
    is_applied: !ask.isDry && changes.length > 0,
    items: changes.slice(0, namedMax).map(({ item }) => item),
  });
}

function pairsOf(
  context: Context,
  { of, atMs }: RestoreAsk,
): Result<readonly Pair[], ServiceError> {
  const { store } = context;
  if ("uri" in of) {
    const found = nodeThen(context, of.uri, atMs);
    if (!found.ok) return found;
    const node = found.value;
    if (node.nodeType === "dir") return err({ type: "memory.is-directory", uri: of.uri });
    if (node.origin === "team") return err({ type: "as-of.of-team", uri: of.uri });
    const past = standing(store, node, atMs);
    return past === null ? err({ type: "as-of.not-learnt", uri: of.uri }) : ok([{ node, past }]);
  }
  const memories = [...leavesAsOf(store, atMs)].filter(
    ({ node, past }) => (past ?? node).category !== "sessions" && node.origin !== "team",
  );
  if (!("project" in of)) return ok(memories);
  const key = projectKeyOf(context, of.project);
  if (!key.ok) return key;
  return ok(memories.filter(({ node, past }) => [node.project, past?.project].includes(key.value)));
}

const pageSize = 500;

/** Every leaf there is with how it stood then, in the order they were made. */
export function* leavesAsOf(store: Store, atMs: number): Generator<Pair> {
  for (let after = 0; ;) {
    const ids = store.nodes.leafIds(after, pageSize, nodeStatuses);
    for (const node of store.nodes.byIds(ids)) yield { node, past: standing(store, node, atMs) };
    const last = ids.at(-1);
    if (last === undefined || ids.length < pageSize) return;
    after = last;
  }
}

/** Its state at `atMs`; null when it had not been learnt, and when its wording of then has been forgotten since. */
function standing({ history }: Store, node: MemoryNode, atMs: number): MemoryNode | null {
  if (node.createdAt > atMs) return null;
  const revision = history.standing(node.id, atMs);
  if (revision === null) return null;
  const { fields, l0, l1, l2, status } = revision;
  // Use and relevance are of today.
  return {
    ...node,
    ...fields,
    l0,
    l1,
    l2,
    status,
    updatedAt: Math.max(node.createdAt, revision.atMs),
  };
}

/** The memory that stood at a place then, or else the one that stands there now. */
function nodeThen(context: Context, given: string, atMs: number): Result<MemoryNode, ServiceError> {
  const canonical = canonicalUri(given);
  if (canonical !== null && !given.trim().startsWith("#"))
    for (const { node, past } of leavesAsOf(context.store, atMs))
      if (past?.uri === canonical) return ok(node);
  return nodeAt(context, given);
}

interface Change {
  readonly id: number;
  readonly item: RestoredAsOfJson["items"][number];
  readonly apply: () => void;
}

/** Null when it is as it was, and when its words were forgotten since. */
function changeOf(context: Context, { node, past }: Pair, ask: RestoreAsk): Change | null {
  const { atMs, nowMs } = ask;
  const reason = `restored as of ${isoTime(atMs).slice(0, 16)}Z`;
  const cause = { atMs: nowMs, action: "revert", reason } as const;
  const { id, uri } = node;
  const now = { l0: node.l0, status: node.status };
  if (past === null) {
    // It had not been learnt: it is put away, where undo finds it.
    if (node.status === "retracted") return null;
    const item = { uri, now, was: null };
    const apply = (): void =>
      void save(context, node, { status: "retracted" }, { ...cause, action: "retract" });
    return { id, item, apply };
  }
  if (wordingsOf(past).some((text) => context.store.nodes.isForgotten(text))) return null;
  const target = context.store.history.standing(id, atMs);
  if (target === null) return null;
  const patchNow = (of: MemoryNode) => differing(of, patchTo(context, of, target, nowMs));
  if (Object.keys(patchNow(node)).length === 0) return null;
  const item = { uri, now, was: { l0: past.l0, status: past.status } };
  // Looked at again when its turn comes: another one may have taken the place it had.
  const apply = (): void => {
    const latest = context.store.nodes.byId(id);
    if (latest !== null) save(context, latest, patchNow(latest), cause);
  };
  return { id, item, apply };
}

/** One memory that holds again ends what took its place since: its successors, and another value of its slot. */
function endings(context: Context, pairs: readonly Pair[], atMs: number): readonly Change[] {
  const { nodes } = context.store;
  return pairs.flatMap(({ node, past }) => {
    if (past?.status !== "active") return [];
    const inSlot = past.slot === null ? [] : nodes.bySlot(past.project, past.slot);
    const rivals = [...successorsInForce(context, node.id), ...inSlot];
    return [...new Map(rivals.map((rival) => [rival.id, rival])).values()]
      .filter(({ id, status }) => id !== node.id && status === "active")
      .map((rival) => {
        const { id, uri, l0, status } = rival;
        const reason = "an earlier value was restored";
        const cause = { atMs, action: "supersede", reason } as const;
        const apply = (): void => {
          save(context, rival, { status: "superseded", validTo: atMs }, cause);
          nodes.relate(node.id, id, "supersedes", atMs);
        };
        return { id, item: { uri, now: { l0, status }, was: { l0, status: "superseded" } }, apply };
      });
  });
}

/** `successorsInForce` lists the active memories that replaced one, in order. */
function successorsInForce({ store }: Context, nodeId: number): readonly MemoryNode[] {
  const seen = new Set([nodeId]);
  const found: MemoryNode[] = [];
  for (let ids = [nodeId]; ids.length > 0;) {
    const next = [...store.nodes.successors(ids).values()].filter(({ id }) => !seen.has(id));
    for (const one of next) {
      seen.add(one.id);
      if (one.status === "active") found.push(one);
    }
    ids = next.map(({ id }) => id);
  }
  return found;
}

// `undo`: takes back the last change of any memory, or an earlier step as a whole: what a job, an import or a
// consolidation changed, or a person at one time. Done again, it brings it back.

/** A merge changes a handful of memories at once; a restore of a whole project many. */
const stepFirst = 50;
const stepMax = 200_000;

export const steps = ({ store: { history } }: Context, limit: number): StepListJson => ({
  items: history.steps(limit).flatMap(({ lastId, nodes }) => {
    const last = history.byId(lastId);
    if (last === null) return [];
    const { id, atMs, action, by, reason, l0 } = last;
    return [{ id, at: atMs, action, by, reason, memories: nodes, l0 }];
  }),
});

/**
 * Takes back the last change, or the step that the revision `chosen` belongs to, with whatever was changed in the same
 * step. A change of its own. Memories that were changed after an earlier step stay as they are.
 */
export function undo(
  context: Context,
  nowMs: number,
  chosen: number | null = null,
): Result<UndoneJson, ServiceError> {
  const { store } = context;
  const named = chosen === null ? null : store.history.byId(chosen);
  if (chosen !== null && named === null) return err({ type: "undo.no-step", id: chosen });
  const step =
    named === null ? lastStep(context) : store.history.ofStep(named.by, named.atMs).toReversed();
  const [last] = step;
  if (last === undefined) return err({ type: "undo.nothing" });
  // When a memory changed twice in one step, the first change is the one to go back behind.
  const firsts = [...new Map(step.map((revision) => [revision.nodeId, revision])).values()];
  const ids = new Set(step.map(({ id }) => id));
  let kept = 0;
  const items = store.transaction(() =>
    firsts.flatMap((revision) => {
      const node = store.nodes.byId(revision.nodeId);
      if (node === null) return [];
      if (isKept(context, node, revision, ids)) {
        kept += 1;
        return [];
      }
      const after = back(context, node, revision, nowMs);
      return [{ uri: after.uri, l0: after.l0, status: after.status, action: revision.action }];
    }),
  );
  const { atMs: at, by, reason } = last;
  return ok({ at, by, reason, undone: items.length, kept, items: items.slice(0, namedMax) });
}

/**
 * True when somebody changed it after its first change in the step, when what was there before was forgotten, and when
 * another value has taken its place meanwhile. A use or an expiry is no change that anybody made.
 */
function isKept(
  context: Context,
  node: MemoryNode,
  first: Revision,
  step: ReadonlySet<number>,
): boolean {
  const { store } = context;
  const { history } = store;
  for (let at = history.latest(node.id); at !== null && at.id > first.id; at = history.before(at))
    if (!step.has(at.id) && !["reinforce", "expire"].includes(at.action)) return true;
  const before = history.before(first);
  if (before === null) return first.action !== "create";
  return (
    before.status === "active" &&
    node.status !== "active" &&
    successorsInForce(context, node.id).some(
      ({ id }) => !step.has(history.latest(id)?.id ?? -1) && id !== settledWith(store, first),
    )
  );
}

/** The latest first. What a job did is one step, however long it took. */
function lastStep({ store }: Context): readonly Revision[] {
  for (let most = stepFirst; ; most = Math.min(stepMax, most * 20)) {
    const latest = store.history.lastChanges(most);
    const [last] = latest;
    if (last === undefined) return [];
    if (isWork(last.by)) return store.history.ofStep(last.by, last.atMs).toReversed();
    const end = latest.findIndex(({ atMs, by }) => atMs !== last.atMs || by !== last.by);
    if (end >= 0) return latest.slice(0, end);
    if (latest.length < most || most === stepMax) return latest;
  }
}

/** A new memory is put away, where a second undo finds it; everything else is what it was. */
function back(
  context: Context,
  node: MemoryNode,
  revision: Revision,
  atMs: number,
): ReturnType<typeof save> {
  const reason = isWork(revision.by) ? `undid ${revision.by}` : "undid the last change";
  const target = context.store.history.before(revision);
  return target === null
    ? save(context, node, { status: "retracted" }, { atMs, action: "retract", reason })
    : goBack(context, node, target, { atMs, reason });
}
