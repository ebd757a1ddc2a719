/**
 * Lines as numbers: each line's own traits, its neighbours', its place, and hashed pieces of its shape. Everything is a
 * position in one table of weights; hashes fold into its upper part.
 */
import { shapeOf, type LineShape } from "./shape.ts";
import { measureCount, measuresOf, traitCount, traitsOf } from "./traits.ts";

/** Positions in the table of weights. */
export const tableSize = 8_192;
/** Positions that are not hashed: own traits and measures, those of neighbours, place. */
const ownCount = traitCount + measureCount;
const placeCount = 160;
const hashedFrom = ownCount * 3 + placeCount;

/** A line that is not blank, with what is around it. */
export interface Line {
  /** Index in the text's lines. */
  readonly index: number;
  readonly text: string;
  readonly shape: LineShape;
  /** Own traits and measures: numbers below `ownCount`. */
  readonly own: readonly number[];
  readonly blankBefore: boolean;
  readonly isFence: boolean;
  readonly inFence: boolean;
  /** Number of the paragraph, from 0. */
  readonly paragraph: number;
}

/** The evidence of a line: positions that count fully, and pieces of shape that share one weight. */
export interface Features {
  readonly full: readonly number[];
  readonly pieces: readonly number[];
}

const fence = /^\s*(?:```|~~~)/;

/** More lines than this were not typed; of a longer text the two ends are looked at. */
const linesMax = 2_000;

/** A text with no more of its lines than are looked at. */
export function endsOf(text: string): string {
  let [head, tail] = [0, text.length];
  for (let n = 0; n < linesMax / 2; n += 1) {
    head = text.indexOf("\n", head) + 1;
    tail = text.lastIndexOf("\n", tail - 1);
    if (head === 0 || tail <= head) return text;
  }
  return text.slice(0, head) + text.slice(tail);
}

/** The lines of a text that are not blank; of a very long text those of its two ends. */
export function linesOf(text: string): readonly Line[] {
  const all = text.split("\n");
  const isLeft = (index: number): boolean =>
    all.length > linesMax && index >= linesMax / 2 && index < all.length - linesMax / 2;
  const lines: Line[] = [];
  let inFence = false;
  let blankBefore = true;
  let paragraph = -1;
  for (const [index, line] of all.entries()) {
    if (line.trim() === "" || isLeft(index)) {
      blankBefore = true;
      continue;
    }
    if (blankBefore) paragraph += 1;
    const isFence = fence.test(line);
    const shape = shapeOf(line);
    const own = [...traitsOf(line, shape), ...measuresOf(line, shape).map((n) => traitCount + n)];
    lines.push({ index, text: line, shape, own, blankBefore, isFence, inFence, paragraph });
    if (isFence) inFence = !inFence;
    blankBefore = false;
  }
  return lines;
}

/** Features of all lines of one text. */
export function featuresOf(lines: readonly Line[]): readonly Features[] {
  const whole = wholeOf(lines);
  return lines.map((line, n) => ({
    full: fullOf(lines, n, whole),
    pieces: piecesOf(line.shape.codes),
  }));
}

interface Whole {
  readonly count: number;
  readonly chars: number;
  readonly steps: readonly number[];
  readonly sizes: readonly number[];
}

function wholeOf(lines: readonly Line[]): Whole {
  const sizes: number[] = [];
  let chars = 0;
  let fences = 0;
  let lowers = 0;
  let signs = 0;
  for (const line of lines) {
    sizes[line.paragraph] = (sizes[line.paragraph] ?? 0) + 1;
    chars += line.text.length;
    fences += line.isFence ? 1 : 0;
    lowers += line.shape.codes.find((code) => code !== 32 && code !== 5) === 97 ? 1 : 0;
    signs += line.shape.signs + line.shape.digits;
  }
  const count = Math.max(1, lines.length);
  const steps = [
    stepOf(lines.length, [2, 3, 5, 9, 17, 40, 120]),
    stepOf(chars, [60, 200, 600, 2_000, 8_000]),
    stepOf(fences, [1, 2, 3]),
    stepOf(lowers / count, [0.01, 0.2, 0.5, 0.8]),
    stepOf(signs / Math.max(1, chars), [0.01, 0.03, 0.07, 0.15]),
    stepOf(sizes.length, [2, 3, 5, 9]),
  ];
  return { count: lines.length, chars, steps, sizes };
}

function fullOf(lines: readonly Line[], n: number, whole: Whole): readonly number[] {
  const line = lines[n];
  if (line === undefined) return [];
  const before = lines[n - 1];
  const after = lines[n + 1];
  const full: number[] = [...line.own, ...borrowed(before, 1), ...borrowed(after, 2)];
  const places = placesOf(line, { n, whole, before, after });
  for (const [kind, value] of places.entries())
    full.push(ownCount * 3 + Math.min(placeCount - 1, kind * 8 + value));
  // Traits by place: how a first line looks says more there than elsewhere.
  const where = after === undefined ? (n === 0 ? 0 : 2) : n === 0 ? 1 : 3;
  for (const own of line.own) full.push(hashed(own, where, 7));
  for (const [kind, value] of whole.steps.entries())
    full.push(hashed(kind * 8 + value, where, 11), hashed(kind * 8 + value, line.own[0] ?? 0, 13));
  const { codes } = line.shape;
  full.push(hashed(firstPiece(codes, 6), where, 17), hashed(lastPiece(line), 0, 19));
  full.push(...besidePieces(codes, before, 23), ...besidePieces(codes, after, 29));
  return full;
}

/** `borrowed` gives a neighbour's features, in positions of their own. */
const borrowed = (other: Line | undefined, part: number): readonly number[] =>
  other === undefined ? [] : other.own.map((own) => ownCount * part + own);

/** `besidePieces` pairs the beginning of a line with that of its neighbour. */
const besidePieces = (
  codes: readonly number[],
  other: Line | undefined,
  kind: number,
): readonly number[] =>
  other === undefined ? [] : [hashed(firstPiece(codes, 4), firstPiece(other.shape.codes, 4), kind)];

interface Around {
  readonly n: number;
  readonly whole: Whole;
  readonly before: Line | undefined;
  readonly after: Line | undefined;
}

/** Each below 8. */
function placesOf(line: Line, { n, whole, before, after }: Around): readonly number[] {
  const fromEnd = whole.count - 1 - n;
  const size = whole.sizes[line.paragraph] ?? 1;
  return [
    stepOf(n, [1, 2, 3, 5, 10, 30]),
    stepOf(fromEnd, [1, 2, 3, 5, 10, 30]),
    whole.count === 1 ? 1 : 0,
    line.blankBefore ? 1 : 0,
    after?.blankBefore === false ? 1 : 0,
    line.isFence ? 1 : line.inFence ? 2 : 0,
    stepOf(size, [2, 3, 5, 9, 17]),
    stepOf(line.paragraph, [1, 2, 3, 6]),
    stepOf(whole.sizes.length - line.paragraph, [2, 3, 6]),
    stepOf(indentStep(line, before), [-3, -1, 0, 1, 3]),
    stepOf(indentStep(line, after), [-3, -1, 0, 1, 3]),
    ...whole.steps,
  ];
}

const indentStep = (line: Line, other: Line | undefined): number =>
  other === undefined ? 0 : line.shape.indent - other.shape.indent;

const stepOf = (value: number, bounds: readonly number[]): number => {
  const at = bounds.findIndex((bound) => value < bound);
  return at < 0 ? bounds.length : at;
};

/** Shape pieces of 2 to 4 classes; of a long line the first ones. */
const piecesMax = 120;

function piecesOf(codes: readonly number[]): readonly number[] {
  const pieces: number[] = [];
  for (let at = 0; at < codes.length && pieces.length < piecesMax; at += 1) {
    let hash = codes[at] ?? 0;
    for (let n = 1; n < 4 && at + n < codes.length; n += 1) {
      hash = Math.imul(hash, 131) + (codes[at + n] ?? 0);
      pieces.push(folded(hash, n));
    }
  }
  return pieces;
}

const firstPiece = (codes: readonly number[], size: number): number => {
  let hash = 1;
  for (let n = 0; n < size && n < codes.length; n += 1)
    hash = Math.imul(hash, 131) + (codes[n] ?? 0);
  return hash;
};

const lastPiece = ({ shape: { codes } }: Line): number => firstPiece(codes.slice(-4), 4);

const hashed = (a: number, b: number, kind: number): number =>
  folded(Math.imul(Math.imul(a, 31) + b, 131) + kind, kind);

/** Spreads a hash over the upper part of the table. */
function folded(value: number, seed: number): number {
  let hash = Math.imul(value ^ (seed * 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  hash ^= hash >>> 16;
  return hashedFrom + ((hash >>> 0) % (tableSize - hashedFrom));
}
