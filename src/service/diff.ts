/**
 * The difference between two texts, for people: lines where there are several, words within one line. Myers' algorithm,
 * bounded: two texts that have little in common are shown as one taken out and one put in. Pure.
 */
import type { DiffPartJson } from "#api";

type Op = DiffPartJson["op"];

/** Differences looked for, in pieces. A longer list is not read, and the search costs its square. */
const editsMax = 1_000;

/** Pieces that are the same or differ. `same` and `removed` give `before`, `same` and `added` give `after`. */
export function diffText(before: string, after: string): readonly DiffPartJson[] {
  const isProse = !before.includes("\n") && !after.includes("\n");
  const split = isProse ? words : lines;
  return merged(diffPieces(split(before), split(after)));
}

const words = (text: string): readonly string[] => text.match(/\s+|[^\s]+/gu) ?? [];

const lines = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function diffPieces(before: readonly string[], after: readonly string[]): readonly DiffPartJson[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const tailMax = Math.min(before.length, after.length) - head;
  while (tail < tailMax && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return [
    ...parts("same", before.slice(0, head)),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...parts("same", before.slice(before.length - tail)),
  ];
}

const parts = (op: Op, texts: readonly string[]): readonly DiffPartJson[] =>
  texts.map((text) => ({ op, text }));

function middle(before: readonly string[], after: readonly string[]): readonly DiffPartJson[] {
  const trace = shortestEdits(before, after);
  if (trace === null) return [...parts("removed", before), ...parts("added", after)];
  return walkBack(trace, before, after);
}

/** Furthest reach in `before` by diagonal, for each number of edits; null when it takes too many. */
function shortestEdits(
  before: readonly string[],
  after: readonly string[],
): readonly Int32Array[] | null {
  const most = Math.min(editsMax, before.length + after.length);
  const reach = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(reach.slice());
    for (let k = -edits; k <= edits; k += 2) {
      let x = nextStart(reach, { k, edits, origin: most + 1 });
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x += 1;
      reach[most + 1 + k] = x;
      if (x >= before.length && x - k >= after.length) return trace;
    }
  }
  return null;
}

interface Diagonal {
  readonly k: number;
  readonly edits: number;
  /** Index of diagonal 0. */
  readonly origin: number;
}

/** True when diagonal `k` is best reached by taking in a piece of `after`. */
const isAdded = (reach: Int32Array, { k, edits, origin }: Diagonal): boolean =>
  k === -edits || (k !== edits && (reach[origin + k - 1] ?? 0) < (reach[origin + k + 1] ?? 0));

const nextStart = (reach: Int32Array, at: Diagonal): number =>
  isAdded(reach, at) ? (reach[at.origin + at.k + 1] ?? 0) : (reach[at.origin + at.k - 1] ?? 0) + 1;

function walkBack(
  trace: readonly Int32Array[],
  before: readonly string[],
  after: readonly string[],
): readonly DiffPartJson[] {
  const found: DiffPartJson[] = [];
  const note = (op: Op, text: string | undefined): void =>
    void found.push({ op, text: text ?? "" });
  let x = before.length;
  let y = after.length;
  const origin = Math.min(editsMax, before.length + after.length) + 1;
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const reach = trace[edits] ?? new Int32Array();
    const at = { k: x - y, edits, origin };
    const added = isAdded(reach, at);
    const startX = edits === 0 ? 0 : nextStart(reach, at);
    const startY = startX - at.k;
    while (x > startX && y > startY) note("same", before[((x -= 1), (y -= 1), x)]);
    if (edits === 0) break;
    if (added) note("added", after[(y -= 1)]);
    else note("removed", before[(x -= 1)]);
  }
  return found.toReversed();
}

/** Neighbours of one kind as one part; within a change what went stands before what came. */
function merged(pieces: readonly DiffPartJson[]): readonly DiffPartJson[] {
  const found: DiffPartJson[] = [];
  let gone = "";
  let come = "";
  const flush = (): void => {
    if (gone !== "") found.push({ op: "removed", text: gone });
    if (come !== "") found.push({ op: "added", text: come });
    gone = "";
    come = "";
  };
  for (const { op, text } of pieces) {
    if (op === "removed") gone += text;
    else if (op === "added") come += text;
    else {
      flush();
      const last = found.at(-1);
      if (last?.op === "same") found[found.length - 1] = { op, text: last.text + text };
      else found.push({ op, text });
    }
  }
  flush();
  return found;
}
