/**
 * Lists too long to hold. `createPaged`: rows by their number, fetched in pages when they come into view and dropped
 * when many others came since. `createGrown`: the latest first, more at its end, all of it kept, so that it can be put
 * into groups. `createKept`: lists that were looked at lately. None knows what a row is or how it is shown.
 */
import { batch, type ReadonlySignal, signal } from "@preact/signals";
import type { Answer, Failure } from "./failure.ts";

export interface Rows<Row> {
  /** Null until the first answer. */
  readonly total: ReadonlySignal<number | null>;
  readonly failure: ReadonlySignal<Failure | null>;
  /**
   * The row of this number, or undefined while it is being fetched. Whoever asks while rendering is told when it comes.
   */
  readonly at: (index: number) => Row | undefined;
  /** Number of the first loaded row that passes; -1 = none does. */
  readonly find: (test: (row: Row) => boolean) => number;
  /** Sees to it that these rows come, both ends included. */
  readonly want: (first: number, last: number) => void;
  /** Asks again for what is in view; what is shown stays until the answer. */
  readonly refresh: () => void;
}

interface PageOf<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

type Load<Row> = (offset: number, limit: number) => Promise<Answer<PageOf<Row>>>;

/**
 * More than stand on most screens. Two pages that lie side by side are asked for in one question; the API gives a
 * hundred rows at once.
 */
const pageRowsDefault = 50;
/** Three thousand rows: more than anybody scrolls back, and a few megabytes. */
const pagesMax = 60;
const requestsMax = 2;

interface Page<Row> {
  readonly items: readonly Row[];
  readonly epoch: number;
}

export function createPaged<Row>(load: Load<Row>, pageRows = pageRowsDefault): Rows<Row> {
  const total = signal<number | null>(null);
  const failure = signal<Failure | null>(null);
  const pages = signal<ReadonlyMap<number, Page<Row>>>(new Map());
  const running = new Set<number>();
  let wanted: readonly number[] = [0];
  let requests = 0;
  let epoch = 0;

  const isMissing = (page: number): boolean =>
    pages.peek().get(page)?.epoch !== epoch &&
    !running.has(page) &&
    (total.peek() === null || page === 0 || page * pageRows < (total.peek() ?? 0));

  const fetchPages = async (asked: readonly number[]): Promise<void> => {
    const askedAt = epoch;
    requests += 1;
    for (const page of asked) running.add(page);
    const answer = await load((asked[0] ?? 0) * pageRows, asked.length * pageRows);
    requests -= 1;
    for (const page of asked) running.delete(page);
    if (answer.ok) {
      batch(() => {
        failure.value = null;
        total.value = answer.value.total;
        const came = asked.map((page, at): readonly [number, Page<Row>] => [
          page,
          { items: answer.value.items.slice(at * pageRows, (at + 1) * pageRows), epoch: askedAt },
        ]);
        pages.value = withPages(pages.peek(), came, wanted);
      });
      pump();
    } else failure.value = answer.failure;
  };

  /** Whoever scrolls past a page before its turn never loads it. */
  const pump = (): void => {
    // After a failure nobody asks again by merely looking; `refresh` does.
    if (failure.peek() !== null) return;
    for (const page of wanted) {
      if (requests >= requestsMax) return;
      if (!isMissing(page)) continue;
      const hasNeighbour = wanted.includes(page + 1) && isMissing(page + 1);
      void fetchPages(hasNeighbour ? [page, page + 1] : [page]);
    }
  };

  return {
    total,
    failure,
    at: (index) => pages.value.get(Math.floor(index / pageRows))?.items[index % pageRows],
    find: (test) => findIn(pages.value, pageRows, test),
    want: (first, last) => {
      const from = Math.floor(Math.max(0, first) / pageRows);
      const to = Math.floor(Math.max(0, last) / pageRows);
      wanted = Array.from({ length: to - from + 1 }, (_, at) => from + at);
      pump();
    },
    refresh: () => {
      epoch += 1;
      failure.value = null;
      pump();
    },
  };
}

/** With the pages that came; without the oldest that nobody looks at, when there are too many. */
function withPages<Row>(
  pages: ReadonlyMap<number, Page<Row>>,
  came: readonly (readonly [number, Page<Row>])[],
  wanted: readonly number[],
): ReadonlyMap<number, Page<Row>> {
  const next = new Map(pages);
  for (const [number, page] of came) {
    next.delete(number);
    next.set(number, page);
  }
  for (const oldest of next.keys()) {
    if (next.size <= pagesMax) break;
    if (!wanted.includes(oldest)) next.delete(oldest);
  }
  return next;
}

/** The page that was loaded last tells where a row is now. */
function findIn<Row>(
  pages: ReadonlyMap<number, Page<Row>>,
  pageRows: number,
  test: (row: Row) => boolean,
): number {
  for (const [page, { items }] of [...pages].sort(([, a], [, b]) => b.epoch - a.epoch)) {
    const at = items.findIndex(test);
    if (at >= 0) return page * pageRows + at;
  }
  return -1;
}

/** A list that is all there, in the same form. */
export function createFixed<Row>(items: readonly Row[]): Rows<Row> {
  return {
    total: signal(items.length),
    failure: signal(null),
    at: (index) => items[index],
    find: (test) => items.findIndex(test),
    want: () => undefined,
    refresh: () => undefined,
  };
}

export interface Grown<Item> {
  readonly items: ReadonlySignal<readonly Item[]>;
  /** Null until the first answer. */
  readonly total: ReadonlySignal<number | null>;
  readonly failure: ReadonlySignal<Failure | null>;
  /** Loads the next part, unless one is on its way or there is none. */
  readonly more: () => void;
  /** Asks again for all that is loaded; it stays until the answer. */
  readonly refresh: () => void;
}

const partSize = 100;
/** The API gives no more at once. */
const askedMax = 1_000;

export function createGrown<Item extends { readonly id: number }>(load: Load<Item>): Grown<Item> {
  const items = signal<readonly Item[]>([]);
  const total = signal<number | null>(null);
  const failure = signal<Failure | null>(null);
  let asked = 0;
  let isLoading = false;

  const take = async (offset: number, limit: number): Promise<void> => {
    const mine = (asked += 1);
    isLoading = true;
    const answer = await load(offset, limit);
    if (mine !== asked) return;
    isLoading = false;
    batch(() => {
      failure.value = answer.ok ? null : answer.failure;
      if (!answer.ok) return;
      const came = answer.value.items;
      // Entries that came on top meanwhile have pushed known ones into the next part.
      const fresh = new Set(came.map(({ id }) => id));
      const kept = offset === 0 ? [] : items.peek().filter(({ id }) => !fresh.has(id));
      items.value = [...kept, ...came];
      total.value = answer.value.total;
    });
  };
  return {
    items,
    total,
    failure,
    more: () => {
      const size = items.peek().length;
      if (!isLoading && failure.peek() === null && size < (total.peek() ?? 0))
        void take(size, partSize);
    },
    refresh: () => {
      const size = Math.ceil(items.peek().length / partSize) * partSize;
      void take(0, Math.max(partSize, Math.min(askedMax, size)));
    },
  };
}

/** Filters of one view that somebody goes back and forth between. */
const listsMax = 4;

/**
 * Lists that were looked at lately: whoever comes back to one sees it at once, while it is asked for anew. Only as
 * long as nothing has changed since, so that what was deleted never comes back into sight. `stampNow` gives another
 * text when what was shown may be out of date.
 */
export function createKept<List>(stampNow: () => string) {
  const lists = new Map<string, { readonly list: List; readonly stamp: string }>();
  return {
    /** The list of this key as it was left, or a new one. */
    of: (key: string, make: () => List): List => {
      const known = lists.get(key);
      const stamp = stampNow();
      const kept = known?.stamp === stamp ? known : { list: make(), stamp };
      lists.delete(key);
      lists.set(key, kept);
      for (const oldest of lists.keys()) if (lists.size > listsMax) lists.delete(oldest);
      return kept.list;
    },
  };
}
