/**
 * The best few of many scored ids, in two typed arrays: entries are added as they come, and whenever the arrays are
 * full the best are picked out and the others dropped. A scan of a large store replaces thousands of entries; a heap
 * would sift for each of them. Pure.
 */

export interface TopList {
  /** Less similar ones are not kept: −Infinity while there is room. */
  readonly least: () => number;
  readonly add: (nodeId: number, similarity: number) => void;
  /** Best first; equal similarities by ascending id. */
  readonly list: () => readonly Scored[];
}

interface Scored {
  readonly nodeId: number;
  readonly similarity: number;
}

/** Places for each entry that is wanted, and at least: the best are picked out once in so many additions. */
const placesPerEntry = 2;
const placesMin = 256;

interface Entries {
  readonly ids: Float64Array;
  readonly scores: Float64Array;
}

/** Keeps at most `limit` entries. NaN never beats anything. */
export function createTopList(limit: number): TopList {
  const places = Math.max(placesMin, limit * placesPerEntry);
  const entries = { ids: new Float64Array(places), scores: new Float64Array(places) };
  const { ids, scores } = entries;
  let count = 0;
  let least = limit === 0 ? Infinity : -Infinity;
  const cut = (): void => {
    if (count <= limit) return;
    pick(entries, count, limit);
    count = limit;
    least = leastOf(scores, count);
  };
  return {
    least: () => least,
    add: (nodeId, similarity) => {
      if (!(similarity >= least)) return;
      ids[count] = nodeId;
      scores[count] = similarity;
      count += 1;
      if (count === places) cut();
    },
    list: () => {
      cut();
      return inOrder(entries, count);
    },
  };
}

function leastOf(scores: Float64Array, count: number): number {
  let least = Infinity;
  for (let at = 0; at < count; at += 1) least = Math.min(least, scores[at] ?? Infinity);
  return least;
}

/** True when the entry stands behind the given one: less similar, or as similar with a larger id. */
function isBehind({ ids, scores }: Entries, at: number, id: number, score: number): boolean {
  const own = scores[at] ?? 0;
  return own < score || (own === score && (ids[at] ?? 0) > id);
}

/** Brings the best `limit` of the first `count` entries to the front, in any order (Hoare's selection). */
function pick(entries: Entries, count: number, limit: number): void {
  const { ids, scores } = entries;
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const [id, score] = [ids[middle] ?? 0, scores[middle] ?? 0];
    let left = low;
    let right = high;
    while (left <= right) {
      while (isAhead(entries, left, id, score)) left += 1;
      while (isBehind(entries, right, id, score)) right -= 1;
      if (left > right) break;
      swap(entries, left, right);
      left += 1;
      right -= 1;
    }
    if (limit - 1 <= right) high = right;
    else if (limit - 1 >= left) low = left;
    else return;
  }
}

function isAhead({ ids, scores }: Entries, at: number, id: number, score: number): boolean {
  const own = scores[at] ?? 0;
  return own > score || (own === score && (ids[at] ?? 0) < id);
}

function swap({ ids, scores }: Entries, a: number, b: number): void {
  const id = ids[a] ?? 0;
  const score = scores[a] ?? 0;
  ids[a] = ids[b] ?? 0;
  scores[a] = scores[b] ?? 0;
  ids[b] = id;
  scores[b] = score;
}

/** Places that fit beside a score in its last bits. */
const placeBits = 12;
const placeMask = 2 ** placeBits - 1;

/**
 * Sorted as plain numbers, which takes a tenth of a comparison in script: each score carries its place in its last
 * bits. What differs by no more than those is put right afterwards.
 */
function inOrder(entries: Entries, count: number): readonly Scored[] {
  const { ids, scores } = entries;
  const listed: Scored[] = [];
  const at = (place: number): Scored => ({
    nodeId: ids[place] ?? 0,
    similarity: scores[place] ?? 0,
  });
  if (count > placeMask + 1) {
    for (let place = 0; place < count; place += 1) listed.push(at(place));
    return listed.sort(byRank);
  }
  const keys = scores.slice(0, count);
  const words = new Uint32Array(keys.buffer);
  for (let place = 0; place < count; place += 1)
    words[place * 2] = ((words[place * 2] ?? 0) & ~placeMask) | (placeMask - place);
  keys.sort();
  for (let key = count - 1; key >= 0; key -= 1) {
    const one = at(placeMask - ((words[key * 2] ?? 0) & placeMask));
    let to = listed.length;
    listed.push(one);
    for (let before = listed[to - 1]; before !== undefined; before = listed[to - 1]) {
      if (byRank(before, one) < 0) break;
      listed[to] = before;
      to -= 1;
    }
    listed[to] = one;
  }
  return listed;
}

const byRank = (a: Scored, b: Scored): number => b.similarity - a.similarity || a.nodeId - b.nodeId;
