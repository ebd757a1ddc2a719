/**
 * `undo`: takes back the last change of any memory, or an earlier step as a whole: what a job, an import or a
 * consolidation changed, or a person at one time. Done again, it brings it back.
 */
import { isWork, type MemoryNode, type Revision, type StoreDep } from "#domain";
import { err, ok, type Result } from "#kit";
import { save, type EditDeps } from "./edit.ts";
import type { ServiceError } from "./errors.ts";
import { partsComeBack, patchTo } from "./history.ts";
import { successorsInForce } from "./restore.ts";
import type { StepListJson, UndoneJson } from "#api";

export interface UndoApi {
  /**
   * Takes back the last change, or the step that `revision` belongs to, with whatever was changed in the same step. A
   * change of its own. Memories that were changed after an earlier step stay as they are.
   */
  readonly undo: (nowMs: number, revision?: number | null) => Result<UndoneJson, ServiceError>;
  /** The last steps, the latest first. */
  readonly steps: (limit: number) => StepListJson;
}

/** A merge changes a handful of memories at once; a restore of a whole project many. */
const stepFirst = 50;
const stepMax = 200_000;
/** Named in an answer; all of them are taken back. */
const namedMax = 200;

export const createUndoApi = (deps: EditDeps): UndoApi => ({
  undo: (nowMs, revision = null) => undo(deps, nowMs, revision),
  steps: (limit) => ({
    items: deps.store.history.steps(limit).flatMap(({ lastId, nodes }) => {
      const last = deps.store.history.byId(lastId);
      if (last === null) return [];
      const { id, atMs, action, by, reason, l0 } = last;
      return [{ id, at: atMs, action, by, reason, memories: nodes, l0 }];
    }),
  }),
});

function undo(
  deps: EditDeps,
  nowMs: number,
  chosen: number | null,
): Result<UndoneJson, ServiceError> {
  if (!deps.writable) return err({ type: "service.read-only" });
  const { store } = deps;
  const named = chosen === null ? null : store.history.byId(chosen);
  if (chosen !== null && named === null) return err({ type: "undo.no-step", id: chosen });
  const step = named === null ? lastStep(deps) : store.history.ofStep(named).toReversed();
  const [last] = step;
  if (last === undefined) return err({ type: "undo.nothing" });
  // Of a memory that changed twice in one step, the first change is the one to go back behind.
  const firsts = [...new Map(step.map((revision) => [revision.nodeId, revision])).values()];
  const ids = new Set(step.map(({ id }) => id));
  let kept = 0;
  const items = store.transaction(() =>
    firsts.flatMap((revision) => {
      const node = store.nodes.byId(revision.nodeId);
      if (node === null) return [];
      if (isKept(deps, node, revision, ids)) {
        kept += 1;
        return [];
      }
      const after = back(deps, { node, revision, nowMs });
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
  deps: EditDeps,
  node: MemoryNode,
  first: Revision,
  step: ReadonlySet<number>,
): boolean {
  const { history } = deps.store;
  for (let at = history.latest(node.id); at !== null && at.id > first.id; at = history.before(at))
    if (!step.has(at.id) && !["reinforce", "expire"].includes(at.action)) return true;
  const before = history.before(first);
  if (before === null) return first.action !== "create";
  return (
    before.status === "active" &&
    node.status !== "active" &&
    successorsInForce(deps, node.id).some(({ id }) => !isOfStep(deps, id, step))
  );
}

const isOfStep = ({ store }: StoreDep, nodeId: number, step: ReadonlySet<number>): boolean =>
  step.has(store.history.latest(nodeId)?.id ?? -1);

/** The latest first. What a job did is one step, however long it took. */
function lastStep({ store }: StoreDep): readonly Revision[] {
  for (let most = stepFirst; ; most = Math.min(stepMax, most * 20)) {
    const latest = store.history.lastChanges(most);
    const [last] = latest;
    if (last === undefined) return [];
    if (isWork(last.by)) return store.history.ofStep(last).toReversed();
    const end = latest.findIndex(({ atMs, by }) => atMs !== last.atMs || by !== last.by);
    if (end >= 0) return latest.slice(0, end);
    if (latest.length < most || most === stepMax) return latest;
  }
}

/** What was new is put away, where a second undo finds it; everything else is what it was. */
function back(
  deps: EditDeps,
  change: { readonly node: MemoryNode; readonly revision: Revision; readonly nowMs: number },
): ReturnType<typeof save> {
  const { node, revision, nowMs: atMs } = change;
  const reason = isWork(revision.by) ? `undid ${revision.by}` : "undid the last change";
  const target = deps.store.history.before(revision);
  if (target === null)
    return save(
      deps,
      node,
      { status: "retracted" },
      { atMs, action: "retract", by: "user", reason },
    );
  partsComeBack(deps, node, target, atMs);
  const patch = patchTo(deps, node, target, atMs);
  return save(deps, node, patch, { atMs, action: "revert", by: "user", reason });
}
