/**
 * The filters of a query, for nodes that did not come through the lexical index (which applies the same filters in
 * SQL). Pure.
 */
import {
  type DocumentKind,
  type FindFilters,
  isExchange,
  type MemoryNode,
  type NodeHead,
  shownStatuses,
} from "#domain";

const narrowing = [
  "categories",
  "tag",
  "file",
  "concept",
  "type",
  "session",
  "maker",
  "origin",
  "statuses",
  "sinceMs",
  "untilMs",
] as const satisfies (keyof FindFilters)[];

/** More is asked for than a head tells: whole nodes have to be read. */
export const asksForProperties = (query: FindFilters): boolean =>
  narrowing.some((name) => name !== "statuses" && query[name] !== undefined);

/** Filters that can leave little of a large store. */
export const isNarrow = (query: FindFilters): boolean =>
  query.projects !== null || narrowing.some((name) => query[name] !== undefined);

/** Nothing is asked for but what nearly every indexed document is: cheaper to check when it is read. */
export const isPlain = (query: FindFilters): boolean => !isNarrow(query);

/** Memories and the archive's leaves share one table; the category tells them apart. */
export const kindOfNode = (node: Pick<NodeHead, "category" | "uri">): DocumentKind => {
  if (node.category !== "sessions") return "memory";
  return isExchange(node.uri) ? "exchange" : "moment";
};

/** What a node has to pass: see `passesFilters`. */
export type FilterQuery = FindFilters & {
  readonly kinds: readonly DocumentKind[];
  readonly nowMs: number;
};

/** True when the node is of a wanted kind, alive at `nowMs` and passes every filter. */
export const passesFilters = (node: MemoryNode, query: FilterQuery): boolean =>
  passesPlainFilters(node, query) && hasProperties(node, query) && isInTime(node, query);

/** The same as far as a head tells: all there is to pass when no property is asked for. */
export const passesPlainFilters = (node: NodeHead, query: FilterQuery): boolean =>
  node.nodeType === "leaf" &&
  query.kinds.includes(kindOfNode(node)) &&
  !isExpired(node, query.nowMs) &&
  (query.statuses ?? shownStatuses).includes(node.status) &&
  isInProjects(node, query.projects);

const isExpired = (node: NodeHead, nowMs: number): boolean =>
  node.expiresAt !== null && node.expiresAt <= nowMs;

const isInProjects = (node: NodeHead, projects: readonly string[] | null): boolean =>
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
