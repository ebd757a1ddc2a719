/**
 * Consolidation: near-identical memories become one, moments that keep coming back become a memory
 * (docs/design/memory.md, "Consolidation").
 *
 * Goes over leaves in order of id, a slice at a time, so that hooks are served in between. Every change is a revision,
 * and what is put away can be taken back. Nothing is removed.
 */
import { isSentence, type MemoryNode } from "#domain";
import { isoDate, type ClockDep } from "#kit";
import {
  mergeThresholds,
  recurringOf,
  nearDuplicatesOf,
  type Recurring,
  type NearDuplicates,
} from "#memory";
import { nearestTo, remember, type RememberDeps } from "./remember.ts";

export type ConsolidateDeps = RememberDeps & ClockDep;

/** Something that consolidation changed, or would. */
type Consolidated =
  | { readonly type: "merge"; readonly keep: MemoryNode; readonly parts: readonly MemoryNode[] }
  | {
      readonly type: "recurring";
      /** The memory that was made; null when nothing was to be changed, or the text was forgotten. */
      readonly made: MemoryNode | null;
      readonly l0: string;
      readonly parts: readonly MemoryNode[];
    };

export interface ConsolidationAsk {
  /** Goes on after this id; 0 = from the beginning. */
  readonly afterId: number;
  /** Stops when this much time has gone by, in ms. */
  readonly sliceMs: number;
  /** False = only says what would be done. */
  readonly apply: boolean;
}

export interface ConsolidationSlice {
  readonly changes: readonly Consolidated[];
  readonly looked: number;
  /** Null = that was the last. */
  readonly nextId: number | null;
}

/** All that is made one on a day is one step, which `undo` takes back as a whole. */
const makerOf = ({ clock }: ConsolidateDeps): string => `consolidation:${isoDate(clock.nowMs())}`;

const idsPerRead = 32;
const nearMax = 32;

/** One slice. A change is one transaction; a crash between two leaves the rest for the next time. */
export function consolidateSlice(deps: ConsolidateDeps, ask: ConsolidationAsk): ConsolidationSlice {
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

type OneAsk = ConsolidationAsk & { readonly taken: ReadonlySet<number> };

function consolidateOne(deps: ConsolidateDeps, id: number, ask: OneAsk): Consolidated | null {
  // Read anew: an earlier change of the same slice may have put it away.
  const node = deps.store.nodes.byId(id);
  // What was a memory once comes back by hand only.
  if (node === null || node.status !== "active" || isSentence(node.uri)) return null;
  return node.category === "sessions" ? gather(deps, node, ask) : unite(deps, node, ask);
}

function unite(deps: ConsolidateDeps, node: MemoryNode, ask: OneAsk): Consolidated | null {
  const duplicates = findNearDuplicates(deps, node);
  if (duplicates === null || duplicates.absorbed.some(({ id }) => ask.taken.has(id))) return null;
  if (ask.apply) deps.store.transaction(() => merge(deps, duplicates));
  return { type: "merge", keep: duplicates.keep, parts: duplicates.absorbed };
}

/** Asked again for the one that should stay: likeness to the one looked at is none to that. */
function findNearDuplicates(deps: ConsolidateDeps, node: MemoryNode): NearDuplicates | null {
  const thresholds = mergeThresholds(deps.embedder.identity);
  const near = (of: MemoryNode) => nearestTo(deps.finder, { ...of, atMs: deps.clock.nowMs() });
  const found = nearDuplicatesOf(node, near(node), thresholds);
  if (found === null || "keep" in found) return found;
  const again = nearDuplicatesOf(found.ratherKeep, near(found.ratherKeep), thresholds);
  return again !== null && "keep" in again ? again : null;
}

function merge(deps: ConsolidateDeps, { keep, absorbed, patch }: NearDuplicates): void {
  const { store, vectors, clock } = deps;
  const by = makerOf(deps);
  const atMs = clock.nowMs();
  store.nodes.update(keep.id, patch, {
    atMs,
    action: "merge",
    by,
    reason: `merged ${absorbed.length} duplicates`,
  });
  for (const part of absorbed) {
    store.nodes.retract(part.id, {
      atMs,
      action: "merge",
      by,
      reason: `duplicate of ${keep.uri}`,
    });
    vectors.remove(part.id);
  }
}

function gather(deps: ConsolidateDeps, anchor: MemoryNode, ask: OneAsk): Consolidated | null {
  const found = findRecurring(deps, anchor, ask.taken);
  if (found === null) return null;
  const { candidate, moments } = found;
  if (!ask.apply) return { type: "recurring", made: null, l0: candidate.l0, parts: moments };
  const made = deps.store.transaction(() => {
    const { node } = remember(deps, candidate, makerOf(deps));
    if (node === null) return null;
    for (const { id } of moments)
      deps.store.nodes.relate(node.id, id, "elaborates", candidate.atMs);
    return node;
  });
  return { type: "recurring", made, l0: candidate.l0, parts: moments };
}

function findRecurring(
  deps: ConsolidateDeps,
  anchor: MemoryNode,
  taken: ReadonlySet<number>,
): Recurring | null {
  const { embedder, vectors, store, clock } = deps;
  const vector = embedder.embed(anchor.l0);
  if (vector === null) return null;
  const similarities = new Map(
    vectors.nearest(vector, nearMax, null).map((one) => [one.nodeId, one.similarity]),
  );
  const near = store.nodes
    .byIds([...similarities.keys()])
    .filter(({ category, uri }) => category === "sessions" && !isSentence(uri))
    .map((node) => ({ node, similarity: similarities.get(node.id) ?? null }));
  const ids = near.map(({ node }) => node.id);
  const told = store.nodes
    .linksOf([anchor.id, ...ids], nearMax * nearMax)
    .flatMap(({ relation, toId }) => (relation === "elaborates" ? [toId] : []));
  return recurringOf(anchor, near, {
    thresholds: mergeThresholds(embedder.identity),
    taken: new Set([...taken, ...told]),
    nowMs: clock.nowMs(),
  });
}
