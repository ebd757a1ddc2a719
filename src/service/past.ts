/**
 * Memories as they stood at a time in the past: what had not been learnt is not there, what was replaced since holds
 * again, and each says what it said then, by its revisions. What was forgotten since is gone from then too. Read-only.
 */
import {
  memoryCategories,
  nodeStatuses,
  shownStatuses,
  type MemoryNode,
  type NodeFilter,
  type NodeSort,
  type Store,
} from "#domain";
import { standing } from "#memory";

type Reading = Pick<Store, "history" | "nodes">;

/** Nodes read in one go. */
const pageSize = 500;

/** Every leaf there is with how it stood then, in the order they were made. */
export function* leavesAsOf(
  store: Reading,
  atMs: number,
): Generator<{ readonly node: MemoryNode; readonly past: MemoryNode | null }> {
  for (let after = 0; ;) {
    const ids = store.nodes.leafIds(after, pageSize, nodeStatuses);
    for (const node of store.nodes.byIds(ids)) yield { node, past: standing(store, node, atMs) };
    const last = ids.at(-1);
    if (last === undefined || ids.length < pageSize) return;
    after = last;
  }
}

/** All memories that a filter lets through as they stood, in order. */
export function pastNodes(
  store: Reading,
  asked: { readonly filter: NodeFilter; readonly sort: NodeSort; readonly atMs: number },
): readonly MemoryNode[] {
  const passes = passing(asked.filter, asked.atMs);
  return [...leavesAsOf(store, asked.atMs)]
    .flatMap(({ past }) => (past !== null && passes(past) ? [past] : []))
    .toSorted((a, b) => orders[asked.sort](a, b) || b.id - a.id);
}

const orders: Readonly<Record<NodeSort, (a: MemoryNode, b: MemoryNode) => number>> = {
  recent: (a, b) => b.updatedAt - a.updatedAt,
  created: (a, b) => b.createdAt - a.createdAt,
  used: (a, b) => (b.lastAccess ?? 0) - (a.lastAccess ?? 0),
  "most-used": (a, b) => b.accessCount - a.accessCount,
  importance: (a, b) => b.importance - a.importance || b.updatedAt - a.updatedAt,
  relevance: (a, b) => b.relevance - a.relevance,
  uri: (a, b) => (a.uri < b.uri ? -1 : 1),
};

/** The filter of `list`, asked of how a memory stood. */
function passing(filter: NodeFilter, atMs: number): (node: MemoryNode) => boolean {
  const categories =
    filter.categories ?? (filter.archive === true ? ["sessions"] : memoryCategories);
  const statuses = filter.statuses ?? shownStatuses;
  const containing = filter.containing?.toLowerCase();
  const is = <Value>(wanted: Value | undefined, value: Value): boolean =>
    wanted === undefined || wanted === value;
  const tests: readonly ((node: MemoryNode) => boolean)[] = [
    ({ category }) => category !== null && categories.some((one) => one === category),
    ({ status }) => statuses.some((one) => one === status),
    ({ expiresAt }) => expiresAt === null || expiresAt > atMs,
    ({ project }) =>
      filter.projects === undefined ||
      filter.projects === null ||
      project === null ||
      filter.projects.includes(project),
    ({ tags }) => filter.tag === undefined || tags.includes(filter.tag),
    ({ files }) => isOfFile(files, filter.file),
    (node) => is(filter.session, node.sourceSession ?? undefined),
    (node) => is(filter.maker, node.maker) && is(filter.origin, node.origin),
    (node) => is(filter.pinned, node.pinned) && is(filter.used, node.accessCount > 0),
    ({ updatedAt }) =>
      updatedAt >= (filter.sinceMs ?? 0) && updatedAt <= (filter.untilMs ?? Infinity),
    ({ l0, l1 }) =>
      containing === undefined || `${l0}\n${l1 ?? ""}`.toLowerCase().includes(containing),
  ];
  return (node) => tests.every((test) => test(node));
}

const isOfFile = (files: readonly string[], file: string | undefined): boolean =>
  file === undefined || files.some((one) => one === file || one.endsWith(`/${file}`));
