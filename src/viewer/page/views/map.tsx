/** Memories of a project as a picture: what means the same is near, older ones are paler, replaced ones trail. */
import { useSignal } from "@preact/signals";
import type { TargetedMouseEvent } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { memoryCategories } from "#domain";
import { systemClock } from "#kit";
import type { MapJson } from "#api";
import { subject } from "../state/actions.ts";
import { answerOf, api } from "../state/api.ts";
import { useKeys } from "../state/keys.ts";
import { go, memoryHref } from "../state/router.ts";
import { projectHere } from "../state/scope.ts";
import { useResource } from "../state/resource.ts";
import { CategoryDot } from "../parts/badges.tsx";
import { Filters, ProjectFilter } from "../parts/filters.tsx";
import { ago } from "../parts/format.ts";
import { isNarrow } from "../parts/screen.ts";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { Line } from "../parts/text.tsx";
import { Top } from "../parts/top.tsx";
import { useWidth } from "../parts/width.ts";

export function MemoryMap() {
  const project = projectHere();
  const query = project === null ? {} : { project };
  const found = useResource(`map ${project ?? ""}`, () => answerOf(api.map.$get({ query })));
  const { value, failure } = found.state.value;
  return (
    <>
      <Top title="Map" count={value?.items.length ?? null} />
      <Filters>
        <ProjectFilter />
        <span class="map-legend small">
          {memoryCategories.map((category) => (
            <span key={category}>
              <CategoryDot category={category} /> <span aria-hidden="true">{category}</span>
            </span>
          ))}
        </span>
      </Filters>
      {failure !== null && value === null ? (
        <Failed failure={failure} retry={found.reload} />
      ) : value === null ? (
        <Waiting lines={10} />
      ) : value.items.length === 0 ? (
        <Empty icon="eye" title="Nothing to show yet">
          Memories appear here once there are some.
        </Empty>
      ) : (
        <Picture map={value} />
      )}
    </>
  );
}

type Dot = MapJson["items"][number];

/** Pixels that stay free at the edges. */
const edge = 22;
const heightOf = (isSmall: boolean): number => (isSmall ? 460 : 680);

/** Which dot is chosen: arrows go to the next one in their direction, Enter opens it. */
function useDot(dots: readonly Dot[]) {
  const chosen = useSignal(0);
  const dot = dots[chosen.value] ?? null;
  useLayoutEffect(() => {
    subject.value = dot === null ? null : { uri: dot.uri, l0: dot.l0, pinned: false };
    return () => void (subject.value = null);
  }, [dot]);
  const step = (dx: number, dy: number) => (): void => {
    const next = nearestTowards(dots, chosen.peek(), [dx, dy]);
    if (next >= 0) chosen.value = next;
  };
  const open = (): void => {
    if (dot !== null) go(memoryHref(dot.uri));
  };
  const ways = { left: step(-1, 0), right: step(1, 0), up: step(0, -1), down: step(0, 1) };
  useKeys({
    ArrowLeft: ways.left,
    ArrowRight: ways.right,
    ArrowUp: ways.up,
    ArrowDown: ways.down,
    h: ways.left,
    l: ways.right,
    k: ways.up,
    j: ways.down,
    Enter: open,
  });
  return { chosen, dot, open };
}

interface Scale {
  readonly xOf: (x: number) => number;
  readonly yOf: (y: number) => number;
  readonly width: number;
}

function Picture({ map }: { map: MapJson }) {
  const [picture, width] = useWidth<SVGSVGElement>();
  const height = heightOf(isNarrow.value);
  const { chosen, dot, open } = useDot(map.items);
  const scale: Scale = {
    xOf: (x) => edge + x * (width - 2 * edge),
    yOf: (y) => edge + y * (height - 2 * edge),
    width,
  };
  const follow = (event: TargetedMouseEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const far = (one: Dot): number => Math.hypot(scale.xOf(one.x) - x, scale.yOf(one.y) - y);
    chosen.value = nearestTo(map.items, far);
  };
  return (
    <div class="scroll map-scroll">
      <p class="map-told" role="status">
        {dot !== null && (
          <a href={memoryHref(dot.uri)}>
            <CategoryDot category={dot.category} /> <Line text={dot.l0} />{" "}
            <span class="faint small">
              {ago(dot.at)}
              {dot.status === "superseded" && ", replaced"}
            </span>
          </a>
        )}
      </p>
      <svg
        ref={picture}
        class="memory-map"
        height={height}
        role="img"
        aria-label={`${map.items.length} memories by what they mean; arrow keys go from one to the next`}
        onMouseMove={follow}
        onClick={open}
      >
        <Drawing map={map} scale={scale} />
        {dot !== null && (
          <circle
            class="map-chosen"
            cx={scale.xOf(dot.x)}
            cy={scale.yOf(dot.y)}
            r={5.5 + dot.importance * 0.7}
          />
        )}
      </svg>
    </div>
  );
}

/** Trails, dots and names: the same whatever is chosen. */
const Drawing = ({ map, scale: { xOf, yOf, width } }: { map: MapJson; scale: Scale }) => {
  const byUri = new Map(map.items.map((one) => [one.uri, one]));
  const nowMs = systemClock.nowMs();
  const oldest = Math.max(1, ...map.items.map(({ at }) => nowMs - at));
  const names = map.regions.map(({ name, x, y }) => ({
    name,
    x: clamped(xOf(x), width, (name.length * letter) / 2),
    y: yOf(y),
  }));
  return (
    <>
      {map.trails.map(({ from, to }) => {
        const [start, end] = [byUri.get(from), byUri.get(to)];
        return start === undefined || end === undefined ? null : (
          <path
            key={`${from} ${to}`}
            class="map-trail"
            d={trail([xOf(start.x), yOf(start.y)], [xOf(end.x), yOf(end.y)])}
          />
        );
      })}
      {map.items.map((one) => (
        <circle
          key={one.uri}
          class={`map-dot cat-${one.category ?? "none"}${one.status === "superseded" ? " old" : ""}`}
          cx={xOf(one.x)}
          cy={yOf(one.y)}
          r={2.5 + one.importance * 0.7}
          opacity={toneOf((nowMs - one.at) / oldest)}
        />
      ))}
      {apart(names).map(({ name, x, y }) => (
        <text key={`${name} ${x}`} class="map-region" x={x} y={y} text-anchor="middle">
          {name}
        </text>
      ))}
    </>
  );
};

/** The latest are full, the oldest a third. */
const toneOf = (age: number): number => Math.round((1 - Math.min(1, age) * 0.66) * 100) / 100;

/** A name part of which lay beyond the edge could not be read. */
const clamped = (x: number, width: number, half: number): number =>
  Math.max(half, Math.min(Math.max(half, width - half), x));

interface Name {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** Pixels of a letter and of a line, at most. */
const letter = 7.6;
const lineHeight = 18;

/** Names that do not lie on each other; what comes later gives way. */
function apart(names: readonly Name[]): readonly Name[] {
  const kept: Name[] = [];
  for (const one of names) {
    const isFree = kept.every(
      (other) =>
        Math.abs(other.y - one.y) > lineHeight ||
        Math.abs(other.x - one.x) > ((other.name.length + one.name.length) / 2) * letter,
    );
    if (isFree) kept.push(one);
  }
  return kept;
}

/** A bow, so that two ways between the same places can be told apart. */
function trail([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): string {
  const [mx, my] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const bow = 0.16;
  return `M${x1} ${y1}Q${mx - (y2 - y1) * bow} ${my + (x2 - x1) * bow} ${x2} ${y2}`;
}

function nearestTo(dots: readonly Dot[], distance: (dot: Dot) => number): number {
  let best = -1;
  let least = Infinity;
  dots.forEach((dot, at) => {
    const far = distance(dot);
    if (far < least) [best, least] = [at, far];
  });
  return best;
}

/** The next one in a direction: what lies aside counts as further away. */
function nearestTowards(
  dots: readonly Dot[],
  from: number,
  [dx, dy]: readonly [number, number],
): number {
  const start = dots[from];
  if (start === undefined) return -1;
  return nearestTo(dots, (dot) => {
    const [ax, ay] = [dot.x - start.x, dot.y - start.y];
    const along = ax * dx + ay * dy;
    return along <= 0 ? Infinity : along + 2.5 * Math.abs(ax * dy + ay * dx);
  });
}
