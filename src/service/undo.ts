/** `undo`: takes back the last change of any memory; done again, it brings it back. */
import type { MemoryNode, Revision, StoreDep } from "#domain";
import { err, ok, type Result } from "#kit";
import { save, type EditDeps } from "./edit.ts";
import type { ServiceError } from "./errors.ts";
import { partsComeBack, patchTo } from "./history.ts";
import type { UndoneJson } from "#api";

export interface UndoApi {
  /** Takes back the last change, with whatever was changed in the same step. A change of its own. */
  readonly undo: (nowMs: number) => Result<UndoneJson, ServiceError>;
}

/** A merge changes a handful of memories at once. */
const stepMax = 50;

export const createUndoApi = (deps: EditDeps): UndoApi => ({ undo: (nowMs) => undo(deps, nowMs) });

function undo(deps: EditDeps, nowMs: number): Result<UndoneJson, ServiceError> {
  if (!deps.writable) return err({ type: "service.read-only" });
  const { store } = deps;
  const step = lastStep(deps);
  const [last] = step;
  if (last === undefined) return err({ type: "undo.nothing" });
  const items = store.transaction(() =>
    // Of a memory that changed twice in one step, the first change is the one to go back behind.
    [...new Map(step.map((revision) => [revision.nodeId, revision])).values()].flatMap(
      (revision) => {
        const node = store.nodes.byId(revision.nodeId);
        if (node === null) return [];
        const after = back(deps, { node, revision, nowMs });
        return [{ uri: after.uri, l0: after.l0, status: after.status, action: revision.action }];
      },
    ),
  );
  return ok({ at: last.atMs, by: last.by, reason: last.reason, items });
}

/** The latest first. */
function lastStep({ store }: StoreDep): readonly Revision[] {
  const latest = store.history.lastChanges(stepMax);
  const isSame = ({ atMs, by }: Revision): boolean =>
    atMs === latest[0]?.atMs && by === latest[0].by;
  const end = latest.findIndex((revision) => !isSame(revision));
  return end < 0 ? latest : latest.slice(0, end);
}

/** What was new is put away, where a second undo finds it; everything else is what it was. */
function back(
  deps: EditDeps,
  change: { readonly node: MemoryNode; readonly revision: Revision; readonly nowMs: number },
): ReturnType<typeof save> {
  const { node, revision, nowMs: atMs } = change;
  const reason = "undid the last change";
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
