/**
 * Where memories stand on a map: what means the same stands together. The two directions in which their vectors differ
 * most are its axes; then those that would cover each other give way. Yields between steps, so that whoever runs it
 * can let others go first. The same vectors are always the same picture. Pure.
 */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Steps after which an axis no longer turns visibly. */
const turns = 24;
/** Steps in which neighbours give way. */
const pushes = 24;
/** Share of a place that is its rank: outliers must not press all others into a corner. */
const rankShare = 0.6;

/** Spots within 0 and 1, in the order of the vectors. */
export function* layoutOf(vectors: readonly Float32Array[]): Generator<void, readonly Spot[]> {
  const centred = lessMean(vectors);
  const first = yield* axisOf(centred, null);
  const second = yield* axisOf(centred, first);
  const xs = spread(centred.map((vector) => dot(vector, first)));
  const ys = spread(centred.map((vector) => dot(vector, second)));
  const least = 0.62 / Math.sqrt(Math.max(1, vectors.length));
  for (let n = 0; n < pushes; n += 1) {
    giveWay(xs, ys, least);
    yield;
  }
  return xs.map((x, at) => ({ x: round(x), y: round(ys[at] ?? 0) }));
}

const round = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1e4) / 1e4;

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
};

function lessMean(vectors: readonly Float32Array[]): readonly Float32Array[] {
  const size = vectors[0]?.length ?? 0;
  const mean = new Float32Array(size);
  for (const vector of vectors)
    for (let at = 0; at < size; at += 1)
      mean[at] = (mean[at] ?? 0) + (vector[at] ?? 0) / vectors.length;
  return vectors.map((vector) => vector.map((value, at) => value - (mean[at] ?? 0)));
}

/** The direction in which they differ most, at a right angle to another one. */
function* axisOf(
  vectors: readonly Float32Array[],
  except: Float32Array | null,
): Generator<void, Float32Array> {
  const size = vectors[0]?.length ?? 0;
  // Any start but one at a right angle to the answer does; the same each time.
  let axis = unit(Float32Array.from({ length: size }, (_, at) => Math.sin(at + 1)));
  for (let turn = 0; turn < turns; turn += 1) {
    const next = new Float32Array(size);
    for (const vector of vectors) {
      const share = dot(vector, axis);
      for (let at = 0; at < size; at += 1) next[at] = (next[at] ?? 0) + share * (vector[at] ?? 0);
    }
    if (except !== null) {
      const along = dot(next, except);
      for (let at = 0; at < size; at += 1) next[at] = (next[at] ?? 0) - along * (except[at] ?? 0);
    }
    axis = unit(next);
    yield;
  }
  return axis;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Values to 0 … 1: in part by their size, in part by their rank. */
function spread(values: readonly number[]): number[] {
  const least = Math.min(...values);
  const width = Math.max(...values) - least || 1;
  const order = values.map((_, at) => at).toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const spots = Array.from({ length: values.length }, () => 0.5);
  order.forEach((at, rank) => {
    const byRank = values.length < 2 ? 0.5 : rank / (values.length - 1);
    const bySize = ((values[at] ?? 0) - least) / width;
    spots[at] = rankShare * byRank + (1 - rankShare) * bySize;
  });
  return spots;
}

/** Those nearer than `least` move apart by half of what is missing; only neighbours in a grid are compared. */
function giveWay(xs: number[], ys: number[], least: number): void {
  const cellOf = (value: number): number => Math.floor(value / least);
  const grid = new Map<string, number[]>();
  xs.forEach((x, at) => {
    const name = `${cellOf(x)},${cellOf(ys[at] ?? 0)}`;
    grid.set(name, [...(grid.get(name) ?? []), at]);
  });
  xs.forEach((_, at) => {
    const [column, row] = [cellOf(xs[at] ?? 0), cellOf(ys[at] ?? 0)];
    for (let dx = -1; dx <= 1; dx += 1)
      for (let dy = -1; dy <= 1; dy += 1)
        for (const other of grid.get(`${column + dx},${row + dy}`) ?? [])
          if (other > at) apart(xs, ys, { at, other, least });
  });
}

function apart(
  xs: number[],
  ys: number[],
  { at, other, least }: { readonly at: number; readonly other: number; readonly least: number },
): void {
  const dx = (xs[other] ?? 0) - (xs[at] ?? 0);
  const dy = (ys[other] ?? 0) - (ys[at] ?? 0);
  const distance = Math.hypot(dx, dy);
  if (distance >= least) return;
  // Two in one spot part in a direction of their own.
  const angle = distance === 0 ? at + other * 2.4 : Math.atan2(dy, dx);
  const push = (least - distance) / 2;
  const [x, y] = [Math.cos(angle) * push, Math.sin(angle) * push];
  xs[at] = (xs[at] ?? 0) - x;
  ys[at] = (ys[at] ?? 0) - y;
  xs[other] = (xs[other] ?? 0) + x;
  ys[other] = (ys[other] ?? 0) + y;
}
