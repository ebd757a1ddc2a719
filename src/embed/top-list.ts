/**
 * The best few of many scored ids: a bounded heap with the worst kept one on top, in two typed arrays, since a scan of
 * a large store replaces thousands of entries. Pure.
 */

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

interface Heap {
  readonly ids: Float64Array;
  readonly scores: Float64Array;
  count: number;
}

/** Keeps at most `limit` entries. NaN never beats anything. */
export function createTopList(limit: number): TopList {
  const heap: Heap = { ids: new Float64Array(limit), scores: new Float64Array(limit), count: 0 };
  const { ids, scores } = heap;
  const add = (nodeId: number, similarity: number): void => {
    if (heap.count < limit) {
      if (similarity !== similarity) return;
      put(heap, heap.count, { nodeId, similarity });
      heap.count += 1;
      siftUp(heap);
    } else if (limit > 0 && isBehind(heap, 0, nodeId, similarity)) {
      put(heap, 0, { nodeId, similarity });
      siftDown(heap);
    }
  };
  const least = (): number => {
    if (heap.count < limit) return -Infinity;
    return limit === 0 ? Infinity : (scores[0] ?? Infinity);
  };
  return {
    least,
    add,
    list: () =>
      Array.from({ length: heap.count }, (_, at) => ({
        nodeId: ids[at] ?? 0,
        similarity: scores[at] ?? 0,
      })).sort((a, b) => b.similarity - a.similarity || a.nodeId - b.nodeId),
  };
}

function put({ ids, scores }: Heap, at: number, { nodeId, similarity }: Scored): void {
  ids[at] = nodeId;
  scores[at] = similarity;
}

/** True when the entry stands behind the given one: less similar, or as similar with a larger id. */
function isBehind({ ids, scores }: Heap, at: number, nodeId: number, similarity: number): boolean {
  const own = scores[at] ?? 0;
  return own < similarity || (own === similarity && (ids[at] ?? 0) > nodeId);
}

function siftUp(heap: Heap): void {
  let at = heap.count - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (isBehind(heap, parent, heap.ids[at] ?? 0, heap.scores[at] ?? 0)) return;
    swap(heap, parent, at);
    at = parent;
  }
}

function siftDown(heap: Heap): void {
  let at = 0;
  for (;;) {
    let child = at * 2 + 1;
    if (child >= heap.count) return;
    const right = child + 1;
    if (right < heap.count && isBehind(heap, right, heap.ids[child] ?? 0, heap.scores[child] ?? 0))
      child = right;
    if (!isBehind(heap, child, heap.ids[at] ?? 0, heap.scores[at] ?? 0)) return;
    swap(heap, at, child);
    at = child;
  }
}

function swap({ ids, scores }: Heap, a: number, b: number): void {
  const [id, score] = [ids[a] ?? 0, scores[a] ?? 0];
  ids[a] = ids[b] ?? 0;
  scores[a] = scores[b] ?? 0;
  ids[b] = id;
  scores[b] = score;
}
