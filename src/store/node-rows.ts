/**
 * Rows of mem_nodes, and filters over them. The only file where the names of its columns meet the words of the domain.
 */
import {
  type FindFilters,
  memoryCategories,
  type MemoryNode,
  type NodeFilter,
  type NodeHead,
  type NodeOutline,
  type NodePatch,
  shownStatuses,
} from "#domain";
import type { SqlParam, SqlValue } from "./sql.ts";
import { tableOf } from "./tables.ts";

/** A team's memory is told apart by its scope; the column of old databases knows four words. */
const selects = { origin: "CASE n.scope WHEN 'team' THEN 'team' ELSE n.origin END" };

const memoryColumns =
  `id uri parentUri nodeType category:category project branch scope status origin author:opt maker sourceSession
   createdAt updatedAt validFrom validTo expiresAt relevance lastAccess accessCount importance evidenceCount pinned:bool
   l0=l0_abstract tags:strings files:strings aliases:strings anchors:strings mergedFrom:numbers evidence:evidence slot
   l1=l1_overview l2=l2_content` as const;

export const memories = tableOf<MemoryNode>()("mem_nodes n", memoryColumns, selects);

/**
 * With a column that repeats the category's rules. Exports carry it, nothing reads it; the next migration that rebuilds
 * `mem_nodes` drops it.
 */
export const newMemories = tableOf<MemoryNode & { readonly mergeable: boolean }>()(
  "mem_nodes n",
  `${memoryColumns} mergeable:bool`,
);

/** Columns that a patch may change, but for those of the place. */
export const patchedMemories = tableOf<
  Omit<NodePatch, "uri" | "category" | "project"> & Pick<MemoryNode, "scope" | "updatedAt">
>()(
  "mem_nodes n",
  `scope status origin updatedAt validFrom validTo expiresAt importance evidenceCount pinned:bool l0=l0_abstract
   tags:strings files:strings aliases:strings anchors:strings mergedFrom:numbers evidence:evidence slot
   l1=l1_overview l2=l2_content`,
);

/** For sweeps over every leaf: L1 and L2 stay on disk and read as null. */
export const leanColumns = memories.columns.replace(/n\.l[12]_\w+/g, "NULL");

export const outlines = tableOf<NodeOutline>()(
  "mem_nodes n",
  `id uri category project status origin author:opt importance updatedAt expiresAt pinned:bool l0=l0_abstract
   tags:strings anchors:strings files:strings slot accessCount`,
  selects,
);

export const heads = tableOf<NodeHead>()(
  "mem_nodes n",
  "id uri nodeType category project status relevance importance updatedAt validFrom expiresAt",
);

/** As `embeddedText` says it; the signs of a list in JSON are no words. */
export const lineColumn = `CASE WHEN n.maker = 'extract' AND n.aliases <> '[]' THEN n.l0_abstract || ' ' || n.aliases
  ELSE n.l0_abstract END AS line`;

// The filters of domain/find.ts as SQL over `mem_nodes n`. Values are always bound; only fixed text is put together.

export interface Where {
  /** Conditions to be joined with AND; never empty. */
  readonly text: string;
  readonly params: readonly SqlParam[];
}

export type Condition = readonly [text: string, ...params: SqlParam[]];

export const joinWhere = (conditions: readonly Condition[]): Where => ({
  text: conditions.map(([text]) => text).join(" AND ") || "TRUE",
  params: conditions.flatMap(([, ...params]) => params),
});

/** Bound as one JSON list, so that a statement's text does not depend on how many there are. */
export const isIn = (column: string, values: readonly (string | number)[]): Condition => [
  `${column} IN (SELECT value FROM json_each(?))`,
  values,
];

/**
 * Leaves that a filter of `list` and `count` lets through: memories, unless the archive or a category is asked for. One
 * condition for all projects; else one for what is global and one for the projects, which share no leaf: an index can
 * be sought for either, but not for both at once.
 */
export function leavesWhere(filter: NodeFilter): readonly Where[] {
  const { projects = null, pinned, used, expiredMs, containing } = filter;
  const categories =
    filter.categories ?? (filter.archive === true ? ["sessions"] : memoryCategories);
  const common: readonly Condition[] = [
    ["n.node_type = 'leaf'"],
    isIn("n.category", categories),
    ...nodeConditions({ ...filter, projects: null }),
    ...(expiredMs === undefined ? [] : [["n.expires_at <= ?", expiredMs] as const]),
    ...(pinned === undefined ? [] : [["n.pinned = ?", pinned ? 1 : 0] as const]),
    ...(containing === undefined ? [] : [contains(containing)]),
    ...(used === undefined ? [] : [[used ? "n.access_count > 0" : "n.access_count = 0"] as const]),
  ];
  if (projects === null) return [joinWhere(common)];
  return [
    joinWhere([...common, ["n.project IS NULL"]]),
    joinWhere([...common, isIn("n.project", projects)]),
  ];
}

/** In lower case as SQLite makes it, which is that of ASCII. */
function contains(text: string): Condition {
  const lower = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return [
    "(instr(lower(n.l0_abstract), ?) > 0 OR instr(lower(coalesce(n.l1_overview, '')), ?) > 0)",
    lower,
    lower,
  ];
}

/** Everything but the category. */
export function nodeConditions(filter: Partial<FindFilters>): readonly Condition[] {
  const conditions: Condition[] = [isIn("n.status", filter.statuses ?? shownStatuses)];
  const add = (text: string, ...params: readonly SqlParam[]): void =>
    void conditions.push([text, ...params]);
  const { projects, tags = [], file } = filter;
  if (projects !== undefined && projects !== null)
    add("(n.project IS NULL OR n.project IN (SELECT value FROM json_each(?)))", projects);
  for (const tag of tags) add("EXISTS (SELECT 1 FROM json_each(n.tags) WHERE value = ?)", tag);
  if (file !== undefined) conditions.push(touches("n.files", file));
  const bound: readonly (readonly [text: string, value: SqlValue | undefined])[] = [
    ["n.source_session = ?", filter.session],
    ["n.maker = ?", filter.maker],
    ["CASE n.scope WHEN 'team' THEN 'team' ELSE n.origin END = ?", filter.origin],
    ["n.updated_at >= ?", filter.sinceMs],
    ["n.updated_at <= ?", filter.untilMs],
    ["(n.expires_at IS NULL OR n.expires_at > ?)", filter.nowMs],
  ];
  for (const [text, value] of bound) if (value !== undefined) add(text, value);
  return conditions;
}

/** A JSON list of paths contains a file, by its whole path or its last segments. */
export const touches = (column: string, file: string): Condition => [
  `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ? OR substr(value, -length(?)) = ?)`,
  file,
  `/${file}`,
  `/${file}`,
];
