/**
 * `restore --as-of`: memories are made what they were at a time in the past. Each change is a new revision, all of them
 * one step that `undo` takes back; what was forgotten since stays forgotten.
 */
import { nodeStatuses, type MemoryNode, type Store, type StoreDep } from "#domain";
import { err, isoTime, ok, type Result } from "#kit";
import { canonicalUri, standing } from "#memory";
import type { RestoredAsOfJson } from "#api";
import { differing, save, wordingsOf, type EditDeps } from "./edit.ts";
import type { ServiceError } from "./errors.ts";
import { patchTo } from "./history.ts";
import { nodeAt } from "./memories.ts";
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
  const restored = pairs.value.flatMap((pair) => changeOf(deps, pair, ask) ?? []);
  const changes = [...restored, ...("uri" in ask.of ? endings(deps, pairs.value, ask.nowMs) : [])];
  if (!ask.isDry && changes.length > 0)
    deps.store.transaction(() => {
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
  { store }: StoreDep,
  { of, atMs }: RestoreAsk,
): Result<readonly Pair[], ServiceError> {
  if ("uri" in of) {
    const found = nodeThen({ store }, of.uri, atMs);
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
  const key = projectKeyOf({ store }, of.project);
  if (!key.ok) return key;
  return ok(memories.filter(({ node, past }) => [node.project, past?.project].includes(key.value)));
}

/** Nodes read in one go. */
const pageSize = 500;

/** Every leaf there is with how it stood then, in the order they were made. */
export function* leavesAsOf(
  store: Pick<Store, "history" | "nodes">,
  atMs: number,
): Generator<Pair> {
  for (let after = 0; ;) {
    const ids = store.nodes.leafIds(after, pageSize, nodeStatuses);
    for (const node of store.nodes.byIds(ids)) yield { node, past: standing(store, node, atMs) };
    const last = ids.at(-1);
    if (last === undefined || ids.length < pageSize) return;
    after = last;
  }
}

/** The memory that stood at a place then, or else the one that stands there now. */
function nodeThen(deps: StoreDep, given: string, atMs: number): Result<MemoryNode, ServiceError> {
  const canonical = canonicalUri(given);
  if (canonical.ok && !given.trim().startsWith("#"))
    for (const { node, past } of leavesAsOf(deps.store, atMs))
      if (past?.uri === canonical.value) return ok(node);
  return nodeAt(deps, given);
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
  const patchNow = (of: MemoryNode) => differing(of, patchTo(deps, of, target, nowMs));
  if (Object.keys(patchNow(node)).length === 0) return null;
  const item = { uri, now, was: { l0: past.l0, status: past.status } };
  // Looked at again when its turn comes: another one may have taken the place it had.
  const apply = (): void => {
    const latest = deps.store.nodes.byId(id);
    if (latest !== null) save(deps, latest, patchNow(latest), cause);
  };
  return { id, item, apply };
}

/** One memory that holds again ends what took its place since: its successors, and another value of its slot. */
function endings(deps: EditDeps, pairs: readonly Pair[], atMs: number): readonly Change[] {
  const { nodes } = deps.store;
  return pairs.flatMap(({ node, past }) => {
    if (past?.status !== "active") return [];
    const inSlot = past.slot === null ? [] : nodes.bySlot(past.project, past.slot);
    const rivals = [...successorsInForce(deps, node.id), ...inSlot];
    return [...new Map(rivals.map((rival) => [rival.id, rival])).values()]
      .filter(({ id, status }) => id !== node.id && status === "active")
      .map((rival) => {
        const { id, uri, l0, status } = rival;
        const reason = "an earlier value was restored";
        const cause = { atMs, action: "supersede", by: "user", reason } as const;
        const apply = (): void => {
          save(deps, rival, { status: "superseded", validTo: atMs }, cause);
          const link = { relation: "supersedes", weight: 1, createdAt: atMs } as const;
          nodes.link({ fromId: node.id, toId: id, ...link });
        };
        return { id, item: { uri, now: { l0, status }, was: { l0, status: "superseded" } }, apply };
      });
  });
}

/** What took the place of a memory, one after the other, as far as it is active. */
export function successorsInForce({ store }: StoreDep, nodeId: number): readonly MemoryNode[] {
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
