/**
 * Kind, status, project and end of each node, packed into twelve bytes, and which of them a plain filter lets through.
 * Knows nothing of SQL.
 */
import {
  leafKinds,
  nodeStatuses,
  shownStatuses,
  type DocumentKind,
  type NodeStatus,
  type PlainFilter,
} from "#domain";

export interface NodeEntry {
  readonly id: number;
  /** A place in `entryKinds`. */
  readonly kind: number;
  readonly status: NodeStatus;
  readonly project: string | null;
  readonly expiresAt: number | null;
}

export interface NodeEntries {
  readonly isKnown: (id: number) => boolean;
  /** Was the whole page read that this id is on? */
  readonly isRead: (id: number) => boolean;
  /** What of these has no row is known to be none: an entry of no kind. */
  readonly put: (ids: readonly number[], rows: readonly NodeEntry[]) => void;
  readonly putPage: (page: number, rows: readonly NodeEntry[]) => void;
  readonly drop: (ids: readonly number[]) => void;
  readonly clear: () => void;
  readonly testOf: (filter: PlainFilter) => (id: number) => boolean;
  /** Every id that passes but for its end, ascending. */
  readonly list: (filter: PlainFilter) => Uint32Array;
}

/** Ids of one page. Nodes count up, so pages fill. */
export const pageIds = 4_096;
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

export function createNodeEntries(): NodeEntries {
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
    isRead: (id) => pages.get(keyOf(id))?.isFull === true,
    put: (ids, rows) => {
      for (const id of ids) pageAt(keyOf(id)).packed[id % pageIds] = knownBit;
      rows.forEach(set);
    },
    putPage: (key, rows) => {
      const page = pageAt(key);
      page.packed.fill(knownBit);
      page.isFull = true;
      rows.forEach(set);
    },
    drop: (ids) => {
      for (const id of ids) if (isKnown(id)) pageAt(keyOf(id)).packed[id % pageIds] = 0;
    },
    clear: () => pages.clear(),
    testOf: (filter) => testOf(pages, filter, sieveOf(filter, projects)),
    list: (filter) => listOf(pages, sieveOf(filter, projects)),
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

/** What passes by its bits, and by the number of its project: as `passesPlainFilters` does with a head. */
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
