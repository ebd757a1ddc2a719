/**
 * Kind, status, project and end of each node, packed into twelve bytes, and which of them a plain filter lets through.
 * Knows nothing of SQL.
 */
import {
  type DocumentKind,
  leafKinds,
  type NodeStatus,
  nodeStatuses,
  type PlainFilter,
  shownStatuses,
} from "#domain";
import type { NodeChanges } from "./node-changes.ts";
import type { Sql } from "./sql.ts";

interface NodeEntry {
  readonly id: number;
  /** A place in `entryKinds`. */
  readonly kind: number;
  readonly status: NodeStatus;
  readonly project: string | null;
  readonly expiresAt: number | null;
}

/** Ids of one page. Nodes count up, so pages fill. */
const pageIds = 4_096;
/** A directory is of no kind. */
const entryKinds: readonly (DocumentKind | null)[] = [null, ...leafKinds];

/** One entry packed: known, status, kind, and above them the number of the project. */
const knownBit = 1;
const statusShift = 1;
const statusMask = 3;
const kindShift = 3;
const bitsMask = 31;
const projectShift = 5;

interface Page {
  readonly packed: Uint32Array;
  /** Infinity = never. */
  readonly expires: Float64Array;
  isFull: boolean;
}

const emptyPage = (): Page => ({
  packed: new Uint32Array(pageIds),
  expires: new Float64Array(pageIds),
  isFull: false,
});

const keyOf = (id: number): number => Math.floor(id / pageIds);

function createNodeEntries() {
  const pages = new Map<number, Page>();
  const projects = new Map<string, number>();
  const pageAt = (key: number): Page => {
    const page = pages.get(key) ?? emptyPage();
    pages.set(key, page);
    return page;
  };
  const numberOf = (project: string | null): number => {
    if (project === null) return 0;
    const number = projects.get(project) ?? projects.size + 1;
    projects.set(project, number);
    return number;
  };
  const set = ({ id, kind, status, project, expiresAt }: NodeEntry): void => {
    const { packed, expires } = pageAt(keyOf(id));
    packed[id % pageIds] =
      knownBit |
      (nodeStatuses.indexOf(status) << statusShift) |
      (kind << kindShift) |
      (numberOf(project) << projectShift);
    expires[id % pageIds] = expiresAt ?? Infinity;
  };
  const isKnown = (id: number): boolean => (pages.get(keyOf(id))?.packed[id % pageIds] ?? 0) !== 0;
  return {
    isKnown,
    /** Was the whole page read that this id is on? */
    isRead: (id: number): boolean => pages.get(keyOf(id))?.isFull === true,
    /** Marks each of these without a row as none: an entry of no kind. */
    put: (ids: readonly number[], rows: readonly NodeEntry[]): void => {
      for (const id of ids) pageAt(keyOf(id)).packed[id % pageIds] = knownBit;
      rows.forEach(set);
    },
    putPage: (key: number, rows: readonly NodeEntry[]): void => {
      const page = pageAt(key);
      page.packed.fill(knownBit);
      page.isFull = true;
      rows.forEach(set);
    },
    drop: (ids: readonly number[]): void => {
      for (const id of ids) if (isKnown(id)) pageAt(keyOf(id)).packed[id % pageIds] = 0;
    },
    clear: (): void => pages.clear(),
    testOf: (filter: PlainFilter) => testOf(pages, filter, sieveOf(filter, projects)),
    /** Every id that passes but for its end, ascending. */
    list: (filter: PlainFilter): Uint32Array => listOf(pages, sieveOf(filter, projects)),
  };
}

function testOf(
  pages: ReadonlyMap<number, Page>,
  { nowMs = -Infinity }: PlainFilter,
  sieve: Sieve,
): (id: number) => boolean {
  return (id) => {
    const page = pages.get(keyOf(id));
    const entry = page?.packed[id % pageIds] ?? 0;
    return passes(sieve, entry) && (page?.expires[id % pageIds] ?? 0) > nowMs;
  };
}

function listOf(pages: ReadonlyMap<number, Page>, sieve: Sieve): Uint32Array {
  let ids = new Uint32Array(pageIds);
  let count = 0;
  for (const [key, { packed }] of [...pages].toSorted(([a], [b]) => a - b)) {
    if (count + pageIds > ids.length) ids = widened(ids);
    for (let at = 0; at < pageIds; at += 1) {
      if (!passes(sieve, packed[at] ?? 0)) continue;
      ids[count] = key * pageIds + at;
      count += 1;
    }
  }
  return ids.slice(0, count);
}

/** Grows by what is there, so that a long list is copied a few times only. */
function widened(ids: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(ids.length * 2);
  wider.set(ids);
  return wider;
}

/** A sieve passes nodes by their bits, and by the number of their project: as `passesPlainFilters` does with a head. */
interface Sieve {
  readonly bits: Uint8Array;
  readonly projects: Uint8Array;
}

const passes = (sieve: Sieve, entry: number): boolean =>
  sieve.bits[entry & bitsMask] === 1 && sieve.projects[entry >>> projectShift] === 1;

function sieveOf(
  { projects: asked, kinds: wanted, statuses: shown = shownStatuses }: PlainFilter,
  numbers: ReadonlyMap<string, number>,
): Sieve {
  const bits = Uint8Array.from({ length: bitsMask + 1 }, (_, entry) =>
    Number(
      (entry & knownBit) !== 0 &&
        isWanted(entryKinds[entry >> kindShift] ?? null, wanted) &&
        shown.includes(nodeStatuses[(entry >> statusShift) & statusMask] ?? "retracted"),
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

const isWanted = (kind: DocumentKind | null, wanted: PlainFilter["kinds"]): boolean =>
  kind !== null && (wanted === undefined || wanted.includes(kind));

// Keeps in memory the traits of nodes for plain filters: kind, status, project and when it expires. Of
// a thousand nearest vectors nine in ten are of another project, and reading each row to see that
// costs more than finding it.

export interface NodeTraits {
  /** Gives the ids that the filter lets through, in their order; null where nothing is kept. */
  readonly passing: (ids: readonly number[], filter: PlainFilter) => readonly number[] | null;
  /** Every id that the filter lets through, ascending; null where nothing is kept. */
  readonly allPassing: (filter: PlainFilter) => Uint32Array | null;
}

/** Lists of ids that were asked for, by filter; of a prompt, its project's memories and its exchanges. */
const listsMax = 64;

/** A connection that only reads answers one question or two: what it would keep, it would read for nothing. */
export function createNodeTraits(sql: Sql, touched: NodeChanges["touched"]): NodeTraits {
  if (sql.isReadonly) return { passing: () => null, allPassing: () => null };
  const kept = createKept(sql);
  const current = (): typeof kept => {
    const ids = touched();
    if (ids === "all" || ids.length > 0) kept.forget(ids);
    return kept;
  };
  return {
    passing: (ids, filter) => current().passing(ids, filter),
    allPassing: (filter) => current().all(filter),
  };
}

function createKept(sql: Sql) {
  const entries = createNodeEntries();
  const lists = new Map<string, Uint32Array>();
  let isComplete = false;
  let owed = new Set<number>();
  /** Learns these, and one page as a whole, so that all are read before long. */
  const learn = (ids: readonly number[]): void => {
    const whole = ids.find((id) => !entries.isKnown(id) && !entries.isRead(id));
    if (whole !== undefined) learnPage(sql, entries, Math.floor(whole / pageIds));
    const left = ids.filter((id) => !entries.isKnown(id));
    if (left.length > 0) entries.put(left, rowsOf(sql, left));
  };
  const learnAll = (): void => {
    if (!isComplete) learnPages(sql, entries);
    isComplete = true;
    if (owed.size > 0) learn([...owed]);
    owed = new Set();
  };
  return {
    forget: (ids: readonly number[] | "all"): void => {
      lists.clear();
      if (ids === "all") {
        entries.clear();
        isComplete = false;
        return;
      }
      entries.drop(ids);
      for (const id of ids) owed.add(id);
    },
    passing: (ids: readonly number[], filter: PlainFilter): readonly number[] => {
      learn(ids);
      return ids.filter(entries.testOf(filter));
    },
    all: (filter: PlainFilter): Uint32Array => {
      const key = JSON.stringify([filter.projects, filter.statuses, filter.kinds]);
      const known = lists.get(key);
      if (known === undefined) learnAll();
      const ids = known ?? entries.list(filter);
      // The one that was asked for longest ago goes first.
      lists.delete(key);
      lists.set(key, ids);
      if (lists.size > listsMax) lists.delete(lists.keys().next().value ?? "");
      return filter.nowMs === undefined ? ids : unexpired(ids, entries.testOf(filter));
    },
  };
}

type Entries = ReturnType<typeof createNodeEntries>;

/** The kinds are those of `entryKinds`. */
const columns = `n.id, n.status, n.project, n.expires_at AS expiresAt,
  CASE WHEN n.node_type <> 'leaf' THEN 0 WHEN n.category IS NOT 'sessions' THEN 1
       WHEN instr(n.uri, '/exchanges/') = 0 THEN 2 ELSE 3 END AS kind`;

const rowsOf = (sql: Sql, ids: readonly number[]): readonly NodeEntry[] =>
  sql.all<NodeEntry>(
    `SELECT ${columns} FROM json_each(?) j CROSS JOIN mem_nodes n ON n.id = j.value`,
    ids,
  );

function learnPage(sql: Sql, entries: Entries, page: number): void {
  const first = page * pageIds;
  const text = `SELECT ${columns} FROM mem_nodes n WHERE n.id >= ? AND n.id < ?`;
  entries.putPage(page, sql.all<NodeEntry>(text, first, first + pageIds));
}

/** From one page with rows to the next: ids may leave gaps. */
function learnPages(sql: Sql, entries: Entries): void {
  for (let id = idFrom(sql, 0); id !== null;) {
    const page = Math.floor(id / pageIds);
    if (!entries.isRead(id)) learnPage(sql, entries, page);
    id = idFrom(sql, (page + 1) * pageIds);
  }
}

const idFrom = (sql: Sql, from: number): number | null =>
  sql.value<number>("SELECT min(id) FROM mem_nodes WHERE id >= ?", from);

/** The list itself when nothing has expired, which is the usual case. */
function unexpired(ids: Uint32Array, holds: (id: number) => boolean): Uint32Array {
  for (let at = 0; at < ids.length; at += 1) if (!holds(ids[at] ?? 0)) return ids.filter(holds);
  return ids;
}
