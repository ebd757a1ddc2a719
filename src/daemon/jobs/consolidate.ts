/**
 * Consolidation: memories that say the same become one (docs/design/memory.md, "Consolidation").
 *
 * Goes over leaves in order of id, a slice at a time, so that hooks are served in between. Every change is a revision,
 * and what is put away can be taken back. Nothing is removed.
 */
import type { Consolidated, ConsolidationAsk, ConsolidationSlice, MemoryNode } from "#domain";
import { isoDate } from "#kit";
import { nearDuplicatesOf, type NearDuplicates } from "#memory";
import type { WorkerContext } from "../context.ts";
import { withSameWords } from "./remember.ts";

const idsPerRead = 32;

/** One slice. A change is one transaction; a crash between two leaves the rest for the next time. */
export function consolidateSlice(deps: WorkerContext, ask: ConsolidationAsk): ConsolidationSlice {
  const startedMs = performance.now();
  const changes: Consolidated[] = [];
  const taken = new Set<number>();
  let afterId = ask.afterId;
  let looked = 0;
  for (;;) {
    const ids = deps.store.nodes.leafIds(afterId, idsPerRead);
    if (ids.length === 0) return { changes, looked, nextId: null };
    for (const id of ids) {
      const change = taken.has(id) ? null : consolidateOne(deps, id, { ...ask, taken });
      if (change !== null) {
        changes.push(change);
        for (const part of change.parts) taken.add(part.id);
      }
      afterId = id;
      looked += 1;
      if (performance.now() - startedMs >= ask.sliceMs) return { changes, looked, nextId: afterId };
    }
  }
}

function consolidateOne(
  deps: WorkerContext,
  id: number,
  ask: ConsolidationAsk & { readonly taken: ReadonlySet<number> },
): Consolidated | null {
  // Read anew: an earlier change of the same slice may have put it away.
  const node = deps.store.nodes.byId(id);
  if (node?.status !== "active" || node.category === "sessions") return null;
  const duplicates = findNearDuplicates(deps, node);
  if (duplicates === null || duplicates.absorbed.some((one) => ask.taken.has(one.id))) return null;
  if (ask.apply) deps.store.transaction(() => merge(deps, duplicates));
  return { type: "merge", keep: duplicates.keep, parts: duplicates.absorbed };
}

/** Asked again for the one that should stay: it may be of another branch or day. */
function findNearDuplicates(deps: WorkerContext, node: MemoryNode): NearDuplicates | null {
  const found = nearDuplicatesOf(node, alikeOf(deps, node));
  if (found === null || "keep" in found) return found;
  const again = nearDuplicatesOf(found.ratherKeep, alikeOf(deps, found.ratherKeep));
  return again !== null && "keep" in again ? again : null;
}

const wordsFirst = 6;

/** Other memories in force that have the same telling words. */
const alikeOf = ({ store }: WorkerContext, node: MemoryNode): readonly MemoryNode[] =>
  withSameWords(store, node, ["active"], wordsFirst).filter(({ id }) => id !== node.id);

function merge(deps: WorkerContext, { keep, absorbed, patch }: NearDuplicates): void {
  const { store, vectors, clock } = deps;
  const atMs = clock.nowMs();
  // All that is made one on a day is one step, which `undo` takes back as a whole.
  const by = `consolidation:${isoDate(atMs)}`;
  const cause = { atMs, action: "merge", by } as const;
  store.nodes.update(keep.id, patch, { ...cause, reason: `merged ${absorbed.length} duplicates` });
  for (const part of absorbed) {
    store.nodes.retract(part.id, { ...cause, reason: `duplicate of ${keep.uri}` });
    vectors.remove(part.id);
  }
}
