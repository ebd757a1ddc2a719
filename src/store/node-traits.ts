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
  /** Every id that the filter lets through, ascending; null where nothing is kept. */
  readonly allPassing: (filter: PlainFilter) => Uint32Array | null;
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
const statusMask = 3;
const kindShift = 3;
const bitsMask = 31;
const projectShift = 5;

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
  if (sql.isReadonly) return { passing: () => null, allPassing: () => null };
  sql.script(script);
  const kept = createPages(sql);
  const watch = createWatch(sql, kept);
  return {
    passing: (ids, filter) => {
      watch();
      kept.learn(ids);
      return ids.filter(kept.testOf(filter));
    },
    allPassing: (filter) => {
      watch();
      return kept.all(filter);
    },
  };
}

interface Pages {
  /** Reads what is not known of these, and one page as a whole, so that all are read before long. */
  readonly learn: (ids: readonly number[]) => void;
  readonly forget: (ids: readonly number[] | "all") => void;
  readonly testOf: (filter: PlainFilter) => (id: number) => boolean;
  readonly all: (filter: PlainFilter) => Uint32Array;
}

/** Lists of ids that were asked for, by filter; of a prompt, its project's memories and its exchanges. */
const listsMax = 64;

function createPages(sql: Sql): Pages {
  const pages = new Map<number, Page>();
  const projects = new Map<string, number>();
  const pageOf = (id: number): Page => {
    const key = Math.floor(id / pageIds);
    const known = pages.get(key);
    if (known !== undefined) return known;
    const page = emptyPage();
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
      knownBit |
      (statuses.indexOf(status) << statusShift) |
      (kind << kindShift) |
      (numberOf(project) << projectShift);
    expires[id % pageIds] = expiresAt ?? Infinity;
  };
  /** What has no row is known to be none: an entry of no kind. */
  const keepAll = (ids: Iterable<number>, rows: readonly TraitRow[]): void => {
    for (const id of ids) pageOf(id).packed[id % pageIds] = knownBit;
    rows.forEach(keep);
  };
  const learnPage = (key: number): void => {
    const first = key * pageIds;
    const rows = sql.all<TraitRow>(
      `SELECT ${columns} FROM mem_nodes n WHERE n.id >= ? AND n.id < ?`,
      first,
      first + pageIds,
    );
    const page = pageOf(first);
    page.packed.fill(knownBit);
    page.isFull = true;
    rows.forEach(keep);
  };
  const learn: Pages["learn"] = (ids) => {
    const unknown = ids.filter((id) => packedOf(id) === 0);
    const whole = unknown.find((id) => !pageOf(id).isFull);
    if (whole !== undefined) learnPage(Math.floor(whole / pageIds));
    const left = whole === undefined ? unknown : unknown.filter((id) => packedOf(id) === 0);
    if (left.length === 0) return;
    const text = `SELECT ${columns} FROM json_each(?) j CROSS JOIN mem_nodes n ON n.id = j.value`;
    keepAll(left, sql.all<TraitRow>(text, JSON.stringify(left)));
  };
  let isComplete = false;
  let owed = new Set<number>();
  const lists = new Map<string, Uint32Array>();
  /** From one page with rows to the next: ids may leave gaps. */
  const learnAll = (): void => {
    for (let id = isComplete ? null : idFrom(sql, 0); id !== null;) {
      const key = Math.floor(id / pageIds);
      if (pages.get(key)?.isFull !== true) learnPage(key);
      id = idFrom(sql, (key + 1) * pageIds);
    }
    isComplete = true;
    if (owed.size > 0) learn([...owed]);
    owed = new Set();
  };
  const list = (filter: PlainFilter): Uint32Array => {
    const sieve = sieveOf(filter, projects);
    let ids = new Uint32Array(pageIds);
    let count = 0;
    for (const key of [...pages.keys()].toSorted((a, b) => a - b)) {
      const { packed } = pages.get(key) ?? emptyPage();
      if (count + pageIds > ids.length) ids = widened(ids);
      for (let at = 0; at < pageIds; at += 1) {
        const entry = packed[at] ?? 0;
        if (sieve.bits[entry & bitsMask] === 0 || sieve.projects[entry >>> projectShift] === 0)
          continue;
        ids[count] = key * pageIds + at;
        count += 1;
      }
    }
    return ids.slice(0, count);
  };
  return {
    learn,
    forget: (ids) => {
      lists.clear();
      if (ids === "all") {
        pages.clear();
        isComplete = false;
        return;
      }
      for (const id of ids) {
        owed.add(id);
        if (packedOf(id) !== 0) pageOf(id).packed[id % pageIds] = 0;
      }
    },
    testOf: (filter) => {
      const sieve = sieveOf(filter, projects);
      const { nowMs = -Infinity } = filter;
      return (id) => {
        const page = pages.get(Math.floor(id / pageIds));
        const entry = page?.packed[id % pageIds] ?? 0;
        return (
          sieve.bits[entry & bitsMask] === 1 &&
          sieve.projects[entry >>> projectShift] === 1 &&
          (page?.expires[id % pageIds] ?? 0) > nowMs
        );
      };
    },
    all: ({ nowMs, ...filter }) => {
      const key = JSON.stringify([filter.projects, filter.statuses, filter.kinds]);
      const known = lists.get(key);
      if (known === undefined) learnAll();
      const ids = known ?? list(filter);
      // The one that was asked for longest ago goes first.
      lists.delete(key);
      lists.set(key, ids);
      if (lists.size > listsMax) lists.delete(lists.keys().next().value ?? "");
      if (nowMs === undefined) return ids;
      return unexpired(ids, pages, nowMs);
    },
  };
}

const idFrom = (sql: Sql, from: number): number | null =>
  sql.get<{ readonly id: number | null }>("SELECT min(id) AS id FROM mem_nodes WHERE id >= ?", from)
    ?.id ?? null;

/** The list itself when nothing has expired, which is the usual case. */
function unexpired(ids: Uint32Array, pages: ReadonlyMap<number, Page>, nowMs: number): Uint32Array {
  const holds = (id: number): boolean =>
    (pages.get(Math.floor(id / pageIds))?.expires[id % pageIds] ?? 0) > nowMs;
  for (let at = 0; at < ids.length; at += 1) if (!holds(ids[at] ?? 0)) return ids.filter(holds);
  return ids;
}

/** What passes by its bits, and by the number of its project: as `passesPlainFilters` does with a head. */
interface Sieve {
  readonly bits: Uint8Array;
  readonly projects: Uint8Array;
}

function sieveOf(
  { projects: asked, kinds: wanted, statuses: shown = shownStatuses }: PlainFilter,
  numbers: ReadonlyMap<string, number>,
): Sieve {
  const bits = Uint8Array.from({ length: bitsMask + 1 }, (_, entry) =>
    Number(
      (entry & knownBit) !== 0 &&
        isWanted(kinds[entry >> kindShift] ?? null, wanted) &&
        shown.includes(statuses[(entry >> statusShift) & statusMask] ?? "retracted"),
    ),
  );
  const projects = new Uint8Array(numbers.size + 1).fill(asked === null ? 1 : 0);
  projects[0] = 1;
  for (const key of asked ?? []) {
    const number = numbers.get(key);
    if (number !== undefined) projects[number] = 1;
  }
  return { bits, projects };
}

const emptyPage = (): Page => ({
  packed: new Uint32Array(pageIds),
  expires: new Float64Array(pageIds),
  isFull: false,
});

/** Grows by what is there, so that a long list is copied a few times only. */
function widened(ids: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(ids.length * 2);
  wider.set(ids);
  return wider;
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
