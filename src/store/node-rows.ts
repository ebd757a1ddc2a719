/**
 * Rows of mem_nodes, and filters over them. The only file where the names of its columns meet the words of the domain.
 */
import {
  type Evidence,
  type FindFilters,
  isCategory,
  type Maker,
  memoryCategories,
  type MemoryNode,
  type NodeFilter,
  type NodeStatus,
  type NodeType,
  type Origin,
  shownStatuses,
} from "#domain";
import { type SqlValue, stringsOf } from "./sql.ts";

export interface NodeRow {
  readonly id: number;
  readonly uri: string;
  readonly parent_uri: string | null;
  readonly node_type: NodeType;
  readonly category: string | null;
  readonly project: string | null;
  readonly branch: string | null;
  readonly scope: "user" | "team";
  readonly status: NodeStatus;
  readonly origin: Origin;
  readonly maker: Maker;
  readonly source_session: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly valid_from: number | null;
  readonly valid_to: number | null;
  readonly expires_at: number | null;
  readonly relevance: number;
  readonly last_access: number | null;
  readonly access_count: number;
  readonly importance: number;
  readonly evidence_count: number;
  readonly pinned: number;
  readonly l0_abstract: string;
  readonly tags: string;
  readonly files: string;
  readonly aliases: string;
  readonly anchors: string;
  readonly merged_from: string;
  readonly evidence: string;
  readonly slot: string | null;
  readonly l1_overview: string | null;
  readonly l2_content: string | null;
  readonly author: string | null;
}

/** What came from a team is told apart by its scope; the column of old databases knows four words. */
const originColumn = "CASE n.scope WHEN 'team' THEN 'team' ELSE n.origin END AS origin";

/** Columns of a node without its long texts, of the table or its alias `n`. */
const smallColumns = `n.id, n.uri, n.parent_uri, n.node_type, n.category, n.project, n.branch, n.scope, n.status,
  ${originColumn}, n.author,
  n.maker, n.source_session, n.created_at, n.updated_at, n.valid_from, n.valid_to, n.expires_at,
  n.relevance, n.last_access, n.access_count, n.importance, n.evidence_count, n.pinned,
  n.l0_abstract, n.tags, n.files, n.aliases, n.anchors, n.merged_from, n.evidence, n.slot`;

export const nodeColumns = `${smallColumns}, n.l1_overview, n.l2_content`;

/** See NodeHead. */
export const headColumns = `n.id, n.uri, n.node_type AS nodeType, n.category, n.project, n.status, n.relevance,
  n.importance, n.updated_at AS updatedAt, n.valid_from AS validFrom, n.expires_at AS expiresAt`;

/** As `embeddedText` says it; the signs of a list in JSON are no words. */
export const lineColumn = `CASE WHEN n.maker = 'extract' AND n.aliases <> '[]' THEN n.l0_abstract || ' ' || n.aliases
  ELSE n.l0_abstract END AS line`;

/** See NodeOutline. */
export const outlineColumns = `n.id, n.uri, n.category, n.project, n.status, ${originColumn}, n.author, n.importance,
  n.updated_at AS updatedAt, n.expires_at AS expiresAt, n.pinned, n.l0_abstract AS l0, n.tags,
  n.anchors, n.files, n.slot, n.access_count AS accessCount`;

/** For sweeps over every leaf: L1 and L2 stay on disk and read as null. */
export const leanNodeColumns = `${smallColumns}, NULL AS l1_overview, NULL AS l2_content`;

export const nodeFromRow = (row: NodeRow): MemoryNode => ({
  id: row.id,
  uri: row.uri,
  parentUri: row.parent_uri,
  nodeType: row.node_type,
  category: row.category !== null && isCategory(row.category) ? row.category : null,
  project: row.project,
  branch: row.branch,
  scope: row.scope,
  ...(row.author === null ? {} : { author: row.author }),
  l0: row.l0_abstract,
  l1: row.l1_overview,
  l2: row.l2_content,
  aliases: stringsOf(row.aliases),
  mergedFrom: numbersOf(row.merged_from),
  relevance: row.relevance,
  lastAccess: row.last_access,
  accessCount: row.access_count,
  importance: row.importance,
  evidenceCount: row.evidence_count,
  tags: stringsOf(row.tags),
  files: stringsOf(row.files),
  anchors: stringsOf(row.anchors),
  pinned: row.pinned === 1,
  origin: row.origin,
  maker: row.maker,
  status: row.status,
  validFrom: row.valid_from,
  validTo: row.valid_to,
  expiresAt: row.expires_at,
  sourceSession: row.source_session,
  evidence: evidenceOf(row.evidence),
  slot: row.slot,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

function numbersOf(text: string): readonly number[] {
  if (text === "[]") return [];
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "number") : [];
}

function evidenceOf(text: string): readonly Evidence[] {
  if (text === "[]") return [];
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter(isEvidence) : [];
}

const isEvidence = (value: unknown): value is Evidence =>
  typeof value === "object" &&
  value !== null &&
  "sessionId" in value &&
  typeof value.sessionId === "string" &&
  "quote" in value &&
  typeof value.quote === "string" &&
  "turn" in value &&
  "line" in value;

// The filters of domain/find.ts as SQL over `mem_nodes n`. Values are always bound; only fixed text is put together.

export interface Where {
  /** Conditions to be joined with AND; never empty. */
  readonly text: string;
  readonly params: readonly SqlValue[];
}

export type Condition = readonly [text: string, ...params: SqlValue[]];

export const joinWhere = (conditions: readonly Condition[]): Where => ({
  text: conditions.map(([text]) => text).join(" AND ") || "TRUE",
  params: conditions.flatMap(([, ...params]) => params),
});

/** Bound as one JSON list, so that a statement's text does not depend on how many there are. */
export const isIn = (column: string, values: readonly (string | number)[]): Condition => [
  `${column} IN (SELECT value FROM json_each(?))`,
  JSON.stringify(values),
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

/** Everything but the category. A concept or the type of a moment is one of its tags. */
export function nodeConditions(filter: Partial<FindFilters>): readonly Condition[] {
  const conditions: Condition[] = [isIn("n.status", filter.statuses ?? shownStatuses)];
  const add = (text: string, ...params: readonly SqlValue[]): void =>
    void conditions.push([text, ...params]);
  const { projects, tag, concept, type, file } = filter;
  if (projects !== undefined && projects !== null)
    add(
      "(n.project IS NULL OR n.project IN (SELECT value FROM json_each(?)))",
      JSON.stringify(projects),
    );
  if (file !== undefined) conditions.push(touches("n.files", file));
  const bound: readonly (readonly [text: string, value: SqlValue | undefined])[] = [
    [holds("n.tags"), tag],
    [holds("n.tags"), concept],
    [holds("n.tags"), type],
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

/** A JSON list column contains one value. */
const holds = (column: string): string =>
  `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ?)`;

/** A JSON list of paths contains a file, by its whole path or its last segments. */
export const touches = (column: string, file: string): Condition => [
  `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ? OR substr(value, -length(?)) = ?)`,
  file,
  `/${file}`,
  `/${file}`,
];
