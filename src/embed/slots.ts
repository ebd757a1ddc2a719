/**
 * Ties rows of the vector index to nodes, in typed arrays: at a million nodes a Map and two plain
 * arrays would take a third of what the vectors themselves take. Slots are dense from 0. Pure
 * bookkeeping.
 */

const slotsAtFirst = 1_024;
/** Node ids that share one page of the way back from node to slot: stores count up, so pages fill. */
const pageIds = 4_096;

export type Slots = ReturnType<typeof createSlots>;

export function createSlots() {
  let count = 0;
  let ids = new Float64Array(slotsAtFirst);
  let scales = new Float32Array(slotsAtFirst);
  const index = createIndex();

  /** The node's slot; a new one at the end when it has none. */
  const take = (nodeId: number): number => {
    const known = index.get(nodeId);
    if (known !== null) return known;
    if (count === ids.length) {
      ids = copied(ids, new Float64Array(count * 2));
      scales = copied(scales, new Float32Array(count * 2));
    }
    ids[count] = nodeId;
    index.set(nodeId, count);
    count += 1;
    return count - 1;
  };

  /** Frees the node's slot and moves the last one there; says which row is to follow, null when none is. */
  const remove = (nodeId: number): { readonly from: number; readonly to: number } | null => {
    const to = index.get(nodeId);
    if (to === null) return null;
    count -= 1;
    index.set(nodeId, null);
    if (to === count) return null;
    const last = ids[count] ?? 0;
    ids[to] = last;
    scales[to] = scales[count] ?? 0;
    index.set(last, to);
    return { from: count, to };
  };

  return {
    size: (): number => count,
    take,
    of: index.get,
    idAt: (slot: number): number => ids[slot] ?? 0,
    scale: (slot: number): number => scales[slot] ?? 0,
    setScale: (slot: number, scale: number): void => void (scales[slot] = scale),
    /** By slot; may be longer than there are slots. Not to be kept: it is replaced when it grows. */
    scales: (): Float32Array => scales,
    remove,
  };
}

/** Node → slot in pages of 16 KB. Entries hold slot + 1, so that a fresh page says "none" everywhere. */
function createIndex() {
  const pages = new Map<number, Int32Array>();
  const pageOf = (nodeId: number): number => Math.floor(nodeId / pageIds);
  return {
    get: (nodeId: number): number | null => {
      const entry = pages.get(pageOf(nodeId))?.[nodeId % pageIds] ?? 0;
      return entry === 0 ? null : entry - 1;
    },
    set: (nodeId: number, slot: number | null): void => {
      const key = pageOf(nodeId);
      const page = pages.get(key) ?? new Int32Array(pageIds);
      page[nodeId % pageIds] = slot === null ? 0 : slot + 1;
      pages.set(key, page);
    },
  };
}

function copied<Numbers extends Float64Array | Float32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
