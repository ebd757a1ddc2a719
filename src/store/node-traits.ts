/**
 * What plain filters ask of nodes, kept in memory: kind, status, project and when it expires. Of a thousand nearest
 * vectors nine in ten are of another project, and reading each row to see that costs more than finding it.
 *
 * Triggers of this connection note which nodes changed, whatever wrote them; other processes show in data_version.
 */
import { type DocumentKind, type NodeStatus, type PlainFilter, shownStatuses } from "#domain";
import type { Sql } from "./sql.ts";

export interface NodeTraits {
  /** Those of the ids that the filter lets through, in their order; null where nothing is kept. */
  readonly passing: (ids: readonly number[], filter: PlainFilter) => readonly number[] | null;
}

/** Ids of one page. Nodes count up, so pages fill. */
const pageIds = 4_096;
/** More changes than this at once, and everything is read anew. */
const changedMax = 2_000;

/** One entry packed: known, status, kind, and above them the number of the project. */
const knownBit = 1;
const statuses: readonly NodeStatus[] = ["active", "pending", "superseded", "retracted"];
const statusShift = 1;
const kinds: readonly (DocumentKind | null)[] = [null, "memory", "moment", "exchange"];
const kindShift = 3;
const projectStep = 32;

interface Page {
  readonly packed: Uint32Array;
  /** Infinity = never. */
  readonly expires: Float64Array;
  /** Read as a whole. */
  isFull: boolean;
}

interface TraitRow {
  readonly id: number;
  readonly kind: number;
  readonly status: NodeStatus;
  readonly project: string | null;
  readonly expiresAt: number | null;
}

const columns = `n.id, n.status, n.project, n.expires_at AS expiresAt,
  CASE WHEN n.node_type <> 'leaf' THEN 0 WHEN n.category IS NOT 'sessions' THEN 1
       WHEN instr(n.uri, '/exchanges/') = 0 THEN 2 ELSE 3 END AS kind`;

const script = `
  CREATE TEMP TABLE IF NOT EXISTS touched_nodes (id INTEGER PRIMARY KEY);
  CREATE TEMP TRIGGER IF NOT EXISTS touched_new AFTER INSERT ON main.mem_nodes
    BEGIN INSERT OR IGNORE INTO touched_nodes VALUES (new.id); END;
  CREATE TEMP TRIGGER IF NOT EXISTS touched_changed
    AFTER UPDATE OF uri, node_type, category, project, status, expires_at ON main.mem_nodes
    BEGIN INSERT OR IGNORE INTO touched_nodes VALUES (new.id); END;
  CREATE TEMP TRIGGER IF NOT EXISTS touched_gone AFTER DELETE ON main.mem_nodes
    BEGIN INSERT OR IGNORE INTO touched_nodes VALUES (old.id); END;`;

/** A connection that only reads answers one question or two: what it would keep, it would read for nothing. */
export function createNodeTraits(sql: Sql): NodeTraits {
  if (sql.isReadonly) return { passing: () => null };
  sql.script(script);
  const kept = createPages(sql);
  const watch = createWatch(sql, kept);
  return {
    passing: (ids, filter) => {
      watch();
      kept.learn(ids);
      return ids.filter(kept.testOf(filter));
    },
  };
}

interface Pages {
  /** Reads what is not known of these, and one page as a whole, so that all are read before long. */
  readonly learn: (ids: readonly number[]) => void;
  readonly forget: (ids: readonly number[] | "all") => void;
  readonly testOf: (filter: PlainFilter) => (id: number) => boolean;
}

function createPages(sql: Sql): Pages {
  const pages = new Map<number, Page>();
  const projects = new Map<string, number>();
  const pageOf = (id: number): Page => {
    const key = Math.floor(id / pageIds);
    const known = pages.get(key);
    if (known !== undefined) return known;
    const page = {
      packed: new Uint32Array(pageIds),
      expires: new Float64Array(pageIds),
      isFull: false,
    };
    pages.set(key, page);
    return page;
  };
  const packedOf = (id: number): number =>
    pages.get(Math.floor(id / pageIds))?.packed[id % pageIds] ?? 0;
  const numberOf = (project: string | null): number => {
    if (project === null) return 0;
    const number = projects.get(project) ?? projects.size + 1;
    projects.set(project, number);
    return number;
  };
  const keep = ({ id, kind, status, project, expiresAt }: TraitRow): void => {
    const { packed, expires } = pageOf(id);
    packed[id % pageIds] =
      knownBit +
      (statuses.indexOf(status) << statusShift) +
      (kind << kindShift) +
      numberOf(project) * projectStep;
    expires[id % pageIds] = expiresAt ?? Infinity;
  };
  /** What has no row is known to be none: an entry of no kind. */
  const keepAll = (ids: Iterable<number>, rows: readonly TraitRow[]): void => {
    for (const id of ids) pageOf(id).packed[id % pageIds] = knownBit;
    rows.forEach(keep);
  };
  const learnPage = (id: number): void => {
    const first = Math.floor(id / pageIds) * pageIds;
    const rows = sql.all<TraitRow>(
      `SELECT ${columns} FROM mem_nodes n WHERE n.id >= ? AND n.id < ?`,
      first,
      first + pageIds,
    );
    const page = pageOf(id);
    page.packed.fill(knownBit);
    page.isFull = true;
    rows.forEach(keep);
  };
  return {
    learn: (ids) => {
      const unknown = ids.filter((id) => packedOf(id) === 0);
      const whole = unknown.find((id) => !pageOf(id).isFull);
      if (whole !== undefined) learnPage(whole);
      const left = whole === undefined ? unknown : unknown.filter((id) => packedOf(id) === 0);
      if (left.length === 0) return;
      const text = `SELECT ${columns} FROM json_each(?) j CROSS JOIN mem_nodes n ON n.id = j.value`;
      keepAll(left, sql.all<TraitRow>(text, JSON.stringify(left)));
    },
    forget: (ids) => {
      if (ids === "all") pages.clear();
      else for (const id of ids) if (packedOf(id) !== 0) pageOf(id).packed[id % pageIds] = 0;
    },
    testOf: (filter) => testOf(filter, { pages, packedOf, projects }),
  };
}

/** As `passesPlainFilters` does with a head (src/memory/retrieval/filters.ts). */
function testOf(
  { projects, kinds: wanted, statuses: shown = shownStatuses, nowMs }: PlainFilter,
  known: {
    readonly pages: ReadonlyMap<number, Page>;
    readonly packedOf: (id: number) => number;
    readonly projects: ReadonlyMap<string, number>;
  },
): (id: number) => boolean {
  const passes = Array.from(
    { length: projectStep },
    (_, bits) =>
      (bits & knownBit) !== 0 &&
      isWanted(kinds[bits >> kindShift] ?? null, wanted) &&
      shown.includes(statuses[(bits >> statusShift) & 3] ?? "retracted"),
  );
  const numbers =
    projects === null ? null : new Set([0, ...projects.map((key) => known.projects.get(key) ?? 0)]);
  return (id) => {
    const packed = known.packedOf(id);
    if (passes[packed % projectStep] !== true) return false;
    if (numbers !== null && !numbers.has(Math.floor(packed / projectStep))) return false;
    if (nowMs === undefined) return true;
    return (known.pages.get(Math.floor(id / pageIds))?.expires[id % pageIds] ?? 0) > nowMs;
  };
}

const isWanted = (kind: DocumentKind | null, wanted: PlainFilter["kinds"]): boolean =>
  kind !== null && (wanted === undefined || wanted.includes(kind));

/** Forgets what changed since it was asked before. */
function createWatch(sql: Sql, kept: Pages): () => void {
  let dataVersion = 0;
  let undone = sql.undone();
  /** Noted by a transaction that is still open: if it is undone, so is the note. */
  let uncommitted: number[] = [];
  return () => {
    const now = sql.get<{ readonly data_version: number }>("PRAGMA data_version")?.data_version;
    if (now !== dataVersion) kept.forget("all");
    dataVersion = now ?? 0;
    if (sql.undone() !== undone) kept.forget(uncommitted);
    if (!sql.isInTransaction()) uncommitted = [];
    undone = sql.undone();
    const touched = sql
      .all<{ readonly id: number }>("SELECT id FROM touched_nodes")
      .map(({ id }) => id);
    if (touched.length === 0) return;
    sql.run("DELETE FROM touched_nodes");
    if (sql.isInTransaction()) uncommitted.push(...touched);
    kept.forget(touched.length > changedMax || uncommitted.length > changedMax ? "all" : touched);
  };
}
