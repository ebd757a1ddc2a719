/**
 * `restore --as-of`: memories are made what they were at a time in the past. Each change is a new revision, all of them
 * one step that `undo` takes back; what was forgotten since stays forgotten.
 */
import type { MemoryNode, StoreDep } from "#domain";
import { err, isoTime, ok, type Result } from "#kit";
import { standing } from "#memory";
import type { RestoredAsOfJson } from "#api";
import { differing, save, wordingsOf, type EditDeps } from "./edit.ts";
import type { ServiceError } from "./errors.ts";
import { patchTo } from "./history.ts";
import { exactNodeAt } from "./memories.ts";
import { leavesAsOf } from "./past.ts";
import { projectKeyOf } from "./scope.ts";

interface RestoreAsk {
  readonly atMs: number;
  /** One memory by its URI, one project by key or name, or all. */
  readonly of: { readonly uri: string } | { readonly project: string } | { readonly all: true };
  /** Only says what would change. */
  readonly isDry: boolean;
  readonly nowMs: number;
}

export interface RestoreApi {
  readonly restoreAsOf: (ask: RestoreAsk) => Result<RestoredAsOfJson, ServiceError>;
}

export const createRestoreApi = (deps: EditDeps): RestoreApi => ({
  restoreAsOf: (ask) => restoreAsOf(deps, ask),
});

/** Named in an answer; all of them are changed. */
const namedMax = 200;

interface Pair {
  readonly node: MemoryNode;
  readonly past: MemoryNode | null;
}

type Item = RestoredAsOfJson["items"][number];

function restoreAsOf(deps: EditDeps, ask: RestoreAsk): Result<RestoredAsOfJson, ServiceError> {
  if (!deps.writable && !ask.isDry) return err({ type: "service.read-only" });
  if (ask.atMs > ask.nowMs) return err({ type: "as-of.future" });
  const pairs = pairsOf(deps, ask);
  if (!pairs.ok) return pairs;
  const changes = pairs.value.flatMap((pair) => changeOf(deps, pair, ask) ?? []);
  if (!ask.isDry && changes.length > 0)
    deps.store.transaction(() => {
      for (const change of changes) change.apply();
      for (const { id } of changes) settleSlot(deps, id, ask.nowMs);
    });
  return ok({
    as_of: ask.atMs,
    changed: changes.length,
    is_applied: !ask.isDry && changes.length > 0,
    items: changes.slice(0, namedMax).map(({ item }) => item),
  });
}

function pairsOf(
  { store }: StoreDep,
  { of, atMs }: RestoreAsk,
): Result<readonly Pair[], ServiceError> {
  if ("uri" in of) {
    const found = exactNodeAt({ store }, of.uri);
    if (!found.ok) return found;
    const past = standing(store, found.value, atMs);
    return past === null
      ? err({ type: "as-of.not-learnt", uri: of.uri })
      : ok([{ node: found.value, past }]);
  }
  const memories = [...leavesAsOf(store, atMs)].filter(
    ({ node, past }) => (past ?? node).category !== "sessions" && node.origin !== "team",
  );
  if (!("project" in of)) return ok(memories);
  const key = projectKeyOf({ store }, of.project);
  if (!key.ok) return key;
  return ok(memories.filter(({ node, past }) => [node.project, past?.project].includes(key.value)));
}

interface Change {
  readonly id: number;
  readonly item: Item;
  readonly apply: () => void;
}

/** Null when it is as it was, and when its words were forgotten since. */
function changeOf(deps: EditDeps, { node, past }: Pair, ask: RestoreAsk): Change | null {
  const { atMs, nowMs } = ask;
  const cause = {
    atMs: nowMs,
    action: "revert",
    by: "user",
    reason: `restored as of ${isoTime(atMs).slice(0, 16)}Z`,
  } as const;
  const { id, uri } = node;
  const now = { l0: node.l0, status: node.status };
  if (past === null) {
    // It had not been learnt: it is put away, where undo finds it.
    if (node.status === "retracted") return null;
    const item = { uri, now, was: null };
    const apply = (): void =>
      void save(deps, node, { status: "retracted" }, { ...cause, action: "retract" });
    return { id, item, apply };
  }
  if (wordingsOf(past).some((text) => deps.store.nodes.isForgotten(text))) return null;
  const target = deps.store.history.standing(id, atMs);
  if (target === null) return null;
  const patch = differing(node, patchTo(deps, node, target, nowMs));
  if (Object.keys(patch).length === 0) return null;
  const item = { uri, now, was: { l0: past.l0, status: past.status } };
  return { id, item, apply: () => void save(deps, node, patch, cause) };
}

/** A value that holds again ends the one that took its place, where that was not restored too. */
function settleSlot(deps: EditDeps, id: number, atMs: number): void {
  const { nodes } = deps.store;
  const node = nodes.byId(id);
  if (node === null || node.slot === null || node.status !== "active") return;
  for (const other of nodes.bySlot(node.project, node.slot)) {
    if (other.id === id) continue;
    const reason = "an earlier value was restored";
    const cause = { atMs, action: "supersede", by: "user", reason } as const;
    save(deps, other, { status: "superseded", validTo: atMs }, cause);
    nodes.link({ fromId: id, toId: other.id, relation: "supersedes", weight: 1, createdAt: atMs });
  }
}
