/**
 * A list that grows downwards: the latest first, more of it when somebody comes near its end. What is loaded stays, so
 * that it can be put into groups.
 */
import { batch, signal, type ReadonlySignal } from "@preact/signals";
import type { Answer, Failure } from "./failure.ts";

interface Part<Item> {
  readonly items: readonly Item[];
  readonly total: number;
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

export function createGrown<Item extends { readonly id: number }>(
  load: (offset: number, limit: number) => Promise<Answer<Part<Item>>>,
): Grown<Item> {
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
      // What came on top meanwhile has pushed known ones into the next part.
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
