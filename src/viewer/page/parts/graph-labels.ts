/**
 * Names of the memories in a graph: a few words of each, where they cover neither a memory nor another name, and as few
 * links as can be. One that has no such place has none; the list below the picture has all of them. Pure.
 */
import type { GraphJson } from "#api";
import type { Placed, Size } from "./graph-layout.ts";

export interface Label {
  /** Middle of its lines. */
  readonly x: number;
  /** Baseline of the first line. */
  readonly y: number;
  readonly lines: readonly string[];
  /** The place that it takes; links end at its edge. */
  readonly box: Box;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Pixels that a text is wide. */
export type Measure = (text: string) => number;

/** Circles, by how far a memory is away. */
const radii = [13, 9, 6] as const;
export const radiusOf = (depth: number): number => radii[depth] ?? 6;

export const lineHeight = 15;
const ascent = 12;
/** How a name may be broken: the first form that has a place is taken. */
const forms = [
  { chars: 24, lines: 2 },
  { chars: 15, lines: 3 },
  { chars: 10, lines: 3 },
] as const;
type Form = (typeof forms)[number];
/** Pixels between a name and whatever else. */
const gap = 3;
/** Places along a link that are looked at. */
const samples = 32;

export function labelsOf(
  graph: Pick<GraphJson, "edges" | "nodes">,
  { places, size }: { readonly places: ReadonlyMap<string, Placed>; readonly size: Size },
  measure: Measure,
): ReadonlyMap<string, Label> {
  const labels = new Map<string, Label>();
  const taken: Box[] = graph.nodes.flatMap(({ uri, depth }) => {
    const place = places.get(uri);
    return place === undefined ? [] : [around(place, radiusOf(depth) + gap)];
  });
  const points = pointsOn(graph, places);
  const frame: Box = { left: 0, top: 0, right: size.width, bottom: size.height };
  for (const { uri, depth, l0 } of graph.nodes.toSorted((a, b) => a.depth - b.depth)) {
    const place = places.get(uri);
    if (place === undefined || l0.trim() === "") continue;
    for (const form of forms) {
      const lines = linesOf(l0, form);
      const width = Math.max(...lines.map(measure));
      const wanted = { radius: radiusOf(depth), width, lines: lines.length, frame };
      const free = boxesAt(place, wanted).filter(
        (box) => isWithin(box, frame) && !taken.some((other) => isOver(box, other)),
      );
      const box = leastCrossed(free, points);
      if (box === null) continue;
      taken.push(box);
      labels.set(uri, { x: (box.left + box.right) / 2, y: box.top + ascent, lines, box });
      break;
    }
  }
  return labels;
}

/** Its first words in lines; an ellipsis says that there are more. */
export function linesOf(text: string, form: Form = forms[0]): readonly string[] {
  const lines: string[] = [];
  let rest = text.trim().split(/\s+/).filter(Boolean);
  while (rest.length > 0 && lines.length < form.lines) {
    let count = 1;
    while (count < rest.length && rest.slice(0, count + 1).join(" ").length <= form.chars)
      count += 1;
    lines.push(shortened(rest.slice(0, count).join(" "), form.chars));
    rest = rest.slice(count);
  }
  const last = lines.pop();
  if (last === undefined) return [];
  return [...lines, rest.length > 0 && !last.endsWith("…") ? `${last}…` : last];
}

const shortened = (word: string, chars: number): string =>
  word.length <= chars ? word : `${word.slice(0, chars - 1).toWellFormed()}…`;

const leastCrossed = (boxes: readonly Box[], points: readonly Placed[]): Box | null => {
  const crossed = (box: Box): number => points.filter((point) => isIn(point, box)).length;
  return boxes.toSorted((a, b) => crossed(a) - crossed(b))[0] ?? null;
};

interface Wanted {
  readonly radius: number;
  readonly width: number;
  readonly lines: number;
  readonly frame: Box;
}

/** Below, above, and on both sides. Below and above it is moved into the picture. */
function boxesAt({ x, y }: Placed, { radius, width, lines, frame }: Wanted): readonly Box[] {
  const height = lines * lineHeight;
  const away = radius + gap + 1;
  const left = Math.max(frame.left, Math.min(frame.right - width, x - width / 2));
  const at = (start: number, top: number): Box => ({
    left: start,
    top,
    right: start + width,
    bottom: top + height,
  });
  return [
    at(left, y + away),
    at(left, y - away - height),
    at(x + away, y - height / 2),
    at(x - away - width, y - height / 2),
  ];
}

const around = ({ x, y }: Placed, by: number): Box => ({
  left: x - by,
  top: y - by,
  right: x + by,
  bottom: y + by,
});

const isWithin = (box: Box, frame: Box): boolean =>
  box.left >= frame.left &&
  box.top >= frame.top &&
  box.right <= frame.right &&
  box.bottom <= frame.bottom;

const isOver = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const isIn = ({ x, y }: Placed, box: Box): boolean =>
  x > box.left && x < box.right && y > box.top && y < box.bottom;

/** What the links cover. */
const pointsOn = (
  { edges }: Pick<GraphJson, "edges">,
  places: ReadonlyMap<string, Placed>,
): readonly Placed[] =>
  edges.flatMap(({ from, to }) => {
    const start = places.get(from);
    const end = places.get(to);
    if (start === undefined || end === undefined) return [];
    return Array.from({ length: samples + 1 }, (_, step) => ({
      x: start.x + ((end.x - start.x) * step) / samples,
      y: start.y + ((end.y - start.y) * step) / samples,
    }));
  });
