/**
 * The filters of a query, for nodes that did not come through the lexical index (which applies the same filters in SQL).
 * Pure.
 */
import type { DocumentKind, FindFilters, MemoryNode, NodeStatus } from "#domain";

/** What a query sees unless it asks for more: what holds, and what held (marked as such). */
const defaultStatuses: readonly NodeStatus[] = ["active", "superseded"];

/** Memories and the archive's leaves share one table; the category tells them apart. */
export const kindOfNode = (node: MemoryNode): DocumentKind =>
  node.category === "sessions" ? "moment" : "memory";

/** True when the node is of a wanted kind, alive at `nowMs` and passes every filter. */
export function passesFilters(
  node: MemoryNode,
  query: FindFilters & { readonly kinds: readonly DocumentKind[]; readonly nowMs: number },
): boolean {
  return (
    node.nodeType === "leaf" &&
    query.kinds.includes(kindOfNode(node)) &&
    !isExpired(node, query.nowMs) &&
    (query.statuses ?? defaultStatuses).includes(node.status) &&
    isInProjects(node, query.projects) &&
    hasProperties(node, query) &&
    isInTime(node, query)
  );
}

const isExpired = (node: MemoryNode, nowMs: number): boolean =>
  node.expiresAt !== null && node.expiresAt <= nowMs;

const isInProjects = (node: MemoryNode, projects: readonly string[] | null): boolean =>
  projects === null || node.project === null || projects.includes(node.project);

const hasProperties = (node: MemoryNode, query: FindFilters): boolean =>
  isWanted(
    query.categories,
    (wanted) => node.category !== null && wanted.includes(node.category),
  ) &&
  isWanted(query.tag, (tag) => node.tags.includes(tag)) &&
  isWanted(query.concept, (concept) => node.tags.includes(concept)) &&
  isWanted(query.type, (type) => node.tags.includes(type)) &&
  isWanted(query.file, (file) => node.files.some((path) => isFile(path, file))) &&
  isWanted(query.session, (session) => node.sourceSession === session) &&
  isWanted(query.maker, (maker) => node.maker === maker) &&
  isWanted(query.origin, (origin) => node.origin === origin);

/** A filter that was not given lets everything pass. */
const isWanted = <Wanted>(
  wanted: Wanted | undefined,
  matches: (wanted: Wanted) => boolean,
): boolean => wanted === undefined || matches(wanted);

/** A file is named in full or by its end, from a slash on. */
const isFile = (path: string, wanted: string): boolean =>
  path === wanted || path.endsWith(`/${wanted}`);

const isInTime = (node: MemoryNode, query: FindFilters): boolean =>
  (query.sinceMs === undefined || node.updatedAt >= query.sinceMs) &&
  (query.untilMs === undefined || node.updatedAt <= query.untilMs);
