/** The best few of many scored ids: a bounded heap with the worst kept one on top. Pure. */

export interface TopList {
  /** Less similar ones are not kept: the worst of a full list, −Infinity while there is room. */
  readonly least: () => number;
  readonly add: (nodeId: number, similarity: number) => void;
  /** Best first; equal similarities by ascending id. */
  readonly list: () => readonly Scored[];
}

interface Scored {
  readonly nodeId: number;
  readonly similarity: number;
}

/** Keeps at most `limit` entries. NaN never beats anything. */
export function createTopList(limit: number): TopList {
  const heap: Scored[] = [];
  const beats = (nodeId: number, similarity: number): boolean => {
    if (heap.length < limit) return similarity === similarity && limit > 0;
    const worst = heap[0];
    return worst !== undefined && ranksBefore({ nodeId, similarity }, worst);
  };
  const add = (nodeId: number, similarity: number): void => {
    if (!beats(nodeId, similarity)) return;
    if (heap.length < limit) {
      heap.push({ nodeId, similarity });
      siftUp(heap);
    } else {
      heap[0] = { nodeId, similarity };
      siftDown(heap);
    }
  };
  const least = (): number => (heap.length < limit ? -Infinity : (heap[0]?.similarity ?? Infinity));
  return { least, add, list: () => heap.toSorted((a, b) => (ranksBefore(a, b) ? -1 : 1)) };
}

const ranksBefore = (a: Scored, b: Scored): boolean =>
  a.similarity > b.similarity || (a.similarity === b.similarity && a.nodeId < b.nodeId);

function siftUp(heap: Scored[]): void {
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!swapIfBetter(heap, parent, at)) return;
    at = parent;
  }
}

function siftDown(heap: Scored[]): void {
  let at = 0;
  for (;;) {
    const left = at * 2 + 1;
    const right = left + 1;
    if (left >= heap.length) return;
    const child = right < heap.length && isWorse(heap, right, left) ? right : left;
    if (!swapIfBetter(heap, at, child)) return;
    at = child;
  }
}

const isWorse = (heap: readonly Scored[], a: number, b: number): boolean => {
  const [x, y] = [heap[a], heap[b]];
  return x !== undefined && y !== undefined && ranksBefore(y, x);
};

/** Restores "the worst is on top" between a parent and its child. */
function swapIfBetter(heap: Scored[], parent: number, child: number): boolean {
  const [above, below] = [heap[parent], heap[child]];
  if (above === undefined || below === undefined || !ranksBefore(above, below)) return false;
  heap[parent] = below;
  heap[child] = above;
  return true;
}
