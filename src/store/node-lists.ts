/** Lists and counts of leaves: whole nodes a page at a time, or outlines of many. */
import type { NodeFilter, NodeSort, NodeStore, Page } from "#domain";
import type { Memo } from "./node-changes.ts";
import type { Sql, SqlValue } from "./sql.ts";
import { leavesWhere, memories, outlines, type Where } from "./node-rows.ts";
import type { Table } from "./tables.ts";

interface Sorting {
  /** Columns to read for sorting, beside the id. */
  readonly keys: string;
  /** Columns that go down, in the order in which they count. */
  readonly by: readonly string[];
}

const sorts: Readonly<Record<Exclude<NodeSort, "uri">, Sorting>> = {
  recent: { keys: "n.updated_at", by: ["updated_at", "id"] },
  created: { keys: "n.created_at", by: ["created_at", "id"] },
  used: { keys: "n.last_access, n.updated_at", by: ["last_access", "updated_at", "id"] },
  "most-used": { keys: "n.access_count, n.updated_at", by: ["access_count", "updated_at", "id"] },
  importance: { keys: "n.importance, n.updated_at", by: ["importance", "updated_at", "id"] },
};

const sortOf = (sort: NodeSort): { readonly keys: string; readonly order: (way: Way) => string } =>
  sort === "uri"
    ? { keys: "n.uri", order: (way) => (way === "forth" ? "uri" : "uri DESC") }
    : {
        keys: sorts[sort].keys,
        order: (way) =>
          sorts[sort].by
            .map((column) => `${column} ${way === "forth" ? "DESC" : "ASC"}`)
            .join(", "),
      };

/** From the front of a list, or from its end. */
type Way = "forth" | "back";

export const createNodeLists = (sql: Sql, memo: Memo) =>
  ({
    list: (filter, sort, page) => pageOf(sql, memo, { filter, sort, page }, memories),
    outlines: (filter, sort, page) => pageOf(sql, memo, { filter, sort, page }, outlines),
    count: (filter) => countLeaves(sql, memo, filter),
    idsAfter: (filter, { id, last }, limit) => {
      const wheres = leavesWhere(filter);
      return sql.column<number>(
        // By id alone: a slice ends after as many rows as it takes, and the next one goes on there.
        `SELECT n.id FROM mem_nodes n NOT INDEXED
          WHERE n.id > ? AND n.id <= ? AND (${wheres.map(({ text }) => `(${text})`).join(" OR ")})
          ORDER BY n.id LIMIT ?`,
        id,
        last,
        ...wheres.flatMap(({ params }) => params),
        limit,
      );
    },
    lastId: () => sql.count("SELECT max(id) FROM mem_nodes"),
    expired: (atMs, limit) =>
      memories.all(
        sql,
        `WHERE n.expires_at IS NOT NULL AND n.expires_at < ? AND n.status <> 'retracted' AND n.node_type = 'leaf'
         ORDER BY n.expires_at, n.id LIMIT ?`,
        atMs,
        limit,
      ),
  }) satisfies Partial<NodeStore>;

interface Wanted {
  readonly filter: NodeFilter;
  readonly sort: NodeSort;
  readonly page: Page;
}

/** Sorts by ids and keys alone, which an index may hold, and reads the texts of one page only. */
function pageOf<Row>(sql: Sql, memo: Memo, asked: Wanted, table: Table<Row>): readonly Row[] {
  const wanted = { ...asked, filter: lasting(sql, memo, asked.filter) };
  return table.byIds(
    sql,
    memo(`page ${JSON.stringify(wanted)}`, () => pageIds(sql, memo, wanted)),
  );
}

/**
 * Without a time where it makes no difference: memories rarely expire, and the same page is asked for again and again.
 */
function lasting(sql: Sql, memo: Memo, filter: NodeFilter): NodeFilter {
  const { nowMs, ...rest } = filter;
  const isOfMemories = filter.archive !== true && filter.categories?.includes("sessions") !== true;
  if (nowMs === undefined || !isOfMemories) return filter;
  const expiring = memo("expiring memories", () =>
    sql.count(
      `SELECT EXISTS (SELECT 1 FROM mem_nodes INDEXED BY idx_nodes_expires
                         WHERE expires_at IS NOT NULL AND category <> 'sessions')`,
    ),
  );
  return expiring === 0 ? rest : filter;
}

function pageIds(sql: Sql, memo: Memo, wanted: Wanted): readonly number[] {
  const { keys, order } = sortOf(wanted.sort);
  const fromEnd = pageFromEnd(sql, memo, wanted);
  const { limit, offset = 0 } = fromEnd ?? wanted.page;
  const way = fromEnd === null ? "forth" : "back";
  const near = fromEnd === null ? newestOfEach(wanted) : null;
  const { text, params } =
    newestOfAll(wanted, order(way)) ?? near ?? idsOf(leavesWhere(wanted.filter), keys);
  const ids = sql.column<number>(
    `SELECT id FROM (${text}) ORDER BY ${order(way)} LIMIT ? OFFSET ?`,
    ...params,
    limit,
    offset,
  );
  return fromEnd === null ? ids : ids.toReversed();
}

/** Before this, counting would cost more than it saves. */
const offsetNear = 5_000;

/** `pageFromEnd` reads a page from the end, when that is nearer: what comes before it has to be sorted. */
function pageFromEnd(
  sql: Sql,
  memo: Memo,
  { filter, page: { limit, offset = 0 } }: Wanted,
): Page | null {
  if (offset < offsetNear) return null;
  const total = countLeaves(sql, memo, filter);
  if (offset <= total / 2) return null;
  return {
    limit: Math.max(0, Math.min(limit, total - offset)),
    offset: Math.max(0, total - offset - limit),
  };
}

/** All that pass the filter, less those that have expired by then: the first number is kept, the second is small. */
function countLeaves(sql: Sql, memo: Memo, { nowMs, ...filter }: NodeFilter): number {
  const count = (from: string, where: Where): number =>
    sql.count(`SELECT count(*) FROM ${from} WHERE ${where.text}`, ...where.params);
  const wheres = leavesWhere(filter);
  const all = memo(`count ${JSON.stringify(filter)}`, () =>
    wheres.reduce((sum, where) => sum + count("mem_nodes n", where), 0),
  );
  if (nowMs === undefined) return all;
  return wheres.reduce(
    (left, { text, params }) =>
      left -
      count("mem_nodes n INDEXED BY idx_nodes_expires", {
        text: `n.expires_at <= ? AND ${text}`,
        params: [nowMs, ...params],
      }),
    all,
  );
}

const idsOf = (wheres: readonly Where[], keys: string): Where => ({
  text: wheres
    .map((where) => `SELECT n.id, ${keys} FROM mem_nodes n WHERE ${where.text}`)
    .join(" UNION ALL "),
  params: wheres.flatMap(({ params }) => params),
});

/**
 * The newest of all, or of all that hold, where nothing else narrows them: the index of times is walked from its end,
 * and a page is found after as many rows as it holds. Null where a filter leaves few, which would be a long walk.
 */
function newestOfAll({ filter, sort }: Wanted, order: string): Where | null {
  const { projects = null, categories, nowMs, statuses, archive, ...rest } = filter;
  const isNarrow = Object.values(rest).some((value) => value !== undefined);
  if (sort !== "recent" || isNarrow || archive === true) return null;
  const areFew = statuses !== undefined && !statuses.includes("active");
  if (projects !== null || categories !== undefined || areFew) return null;
  const [where] = leavesWhere({
    projects,
    ...(nowMs === undefined ? {} : { nowMs }),
    ...(statuses === undefined ? {} : { statuses }),
  });
  return where === undefined
    ? null
    : {
        text:
          "SELECT n.id, n.updated_at FROM mem_nodes n INDEXED BY idx_nodes_recent WHERE " +
          `${where.text} ORDER BY ${order}`,
        params: where.params,
      };
}

/** More stretches of the index than this are not worth seeking one by one. */
const stretchesMax = 32;

/**
 * The newest of everything are among the newest of each category, status and project, which stand in a row in the
 * index: of a hundred thousand memories a few hundred are read. Null when more is asked for than those three.
 */
function newestOfEach({ filter, sort, page: { limit, offset = 0 } }: Wanted): Where | null {
  const { categories, statuses, projects, ...rest } = filter;
  const isPlain = Object.values(rest).every((value) => value === undefined);
  if (sort !== "recent" || !isPlain) return null;
  if (categories === undefined || statuses === undefined) return null;
  if (projects === undefined || projects === null) return null;
  const stretches = categories.flatMap((category) =>
    statuses.flatMap((status) =>
      [null, ...new Set(projects)].map((project) => ({ category, status, project })),
    ),
  );
  if (stretches.length === 0 || stretches.length > stretchesMax) return null;
  return {
    text: stretches.map(({ project }) => stretch(project)).join(" UNION ALL "),
    params: stretches.flatMap(({ category, status, project }): readonly SqlValue[] =>
      project === null
        ? [category, status, limit + offset]
        : [category, status, project, limit + offset],
    ),
  };
}

const stretch = (project: string | null): string =>
  `SELECT * FROM (SELECT n.id, n.updated_at FROM mem_nodes n
     WHERE n.node_type = 'leaf' AND n.category = ? AND n.status = ?
       AND n.project ${project === null ? "IS NULL" : "= ?"}
     ORDER BY n.updated_at DESC, n.id DESC LIMIT ?)`;
