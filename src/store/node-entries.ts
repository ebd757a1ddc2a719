/**
 * Keeps in memory kind, status, project and end of each node, packed into twelve bytes, and tells which of them a plain
 * filter lets through. Of a thousand nearest vectors nine in ten are of another project, and reading each row to see
 * that costs more than finding it. Triggers of this connection note which nodes changed, whatever wrote them; other
 * processes show in data_version.
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

/** A directory is of no kind. */
const entryKinds: readonly (DocumentKind | null)[] = [null, ...leafKinds];

/** One entry packed: status, kind, and above them the number of the project; 0 = none, as of a directory. */
const statusMask = 3;
const kindShift = 2;
const bitsMask = 15;
const projectShift = 4;
/** Places for ids, at least; they double as they fill. */
const roomMin = 4_096;

function createNodeEntries() {
  let packed = new Uint32Array(roomMin);
  /** Infinity = never. */
  let expires = new Float64Array(roomMin);
  const projects = new Map<string, number>();
  const numberOf = (project: string | null): number => {
    if (project === null) return 0;
    const number = projects.get(project) ?? projects.size + 1;
    projects.set(project, number);
    return number;
  };
  const makeRoom = (id: number): void => {
    if (id < packed.length) return;
    const room = Math.max(id + 1, packed.length * 2);
    const [before, ends] = [packed, expires];
    packed = new Uint32Array(room);
    expires = new Float64Array(room);
    packed.set(before);
    expires.set(ends);
  };
  return {
    put: ({ id, kind, status, project, expiresAt }: NodeEntry): void => {
      makeRoom(id);
      packed[id] =
        nodeStatuses.indexOf(status) | (kind << kindShift) | (numberOf(project) << projectShift);
      expires[id] = expiresAt ?? Infinity;
    },
    drop: (id: number): void => {
      if (id < packed.length) packed[id] = 0;
    },
    clear: (): void => void packed.fill(0),
    testOf: (filter: PlainFilter): ((id: number) => boolean) => {
      const sieve = sieveOf(filter, projects);
      const { nowMs = -Infinity } = filter;
      return (id) => passes(sieve, packed[id] ?? 0) && (expires[id] ?? 0) > nowMs;
    },
    /** Every id that passes but for its end, ascending. */
    list: (filter: PlainFilter): Uint32Array => {
      const sieve = sieveOf(filter, projects);
      const ids = new Uint32Array(packed.length);
      let count = 0;
      for (let id = 0; id < packed.length; id += 1)
        if (passes(sieve, packed[id] ?? 0)) {
          ids[count] = id;
          count += 1;
        }
      return ids.slice(0, count);
    },
  };
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
      isWanted(entryKinds[entry >> kindShift] ?? null, wanted) &&
        shown.includes(nodeStatuses[entry & statusMask] ?? "retracted"),
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
  const learn = (): void => {
    const rows = isComplete
      ? rowsOf(sql, [...owed])
      : sql.iterate<NodeEntry>(`SELECT ${columns} FROM mem_nodes n`);
    for (const row of rows) entries.put(row);
    isComplete = true;
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
      for (const id of ids) {
        entries.drop(id);
        owed.add(id);
      }
    },
    passing: (ids: readonly number[], filter: PlainFilter): readonly number[] => {
      learn();
      return ids.filter(entries.testOf(filter));
    },
    all: (filter: PlainFilter): Uint32Array => {
      const key = JSON.stringify([filter.projects, filter.statuses, filter.kinds]);
      learn();
      const ids = lists.get(key) ?? entries.list(filter);
      // The one that was asked for longest ago goes first.
      lists.delete(key);
      lists.set(key, ids);
      if (lists.size > listsMax) lists.delete(lists.keys().next().value ?? "");
      return filter.nowMs === undefined ? ids : unexpired(ids, entries.testOf(filter));
    },
  };
}

/** The kinds are those of `entryKinds`. */
const columns = `n.id, n.status, n.project, n.expires_at AS expiresAt,
  CASE WHEN n.node_type <> 'leaf' THEN 0 WHEN n.category IS NOT 'sessions' THEN 1
       WHEN instr(n.uri, '/exchanges/') = 0 THEN 2 ELSE 3 END AS kind`;

const rowsOf = (sql: Sql, ids: readonly number[]): readonly NodeEntry[] =>
  ids.length === 0
    ? []
    : sql.all(
        `SELECT ${columns} FROM json_each(?) j CROSS JOIN mem_nodes n ON n.id = j.value`,
        ids,
      );

/** The list itself when nothing has expired, which is the usual case. */
function unexpired(ids: Uint32Array, holds: (id: number) => boolean): Uint32Array {
  for (let at = 0; at < ids.length; at += 1) if (!holds(ids[at] ?? 0)) return ids.filter(holds);
  return ids;
}
