/**
 * A list of any length, of which only the rows in view exist. All rows are equally high, so that row 90,000 is where it
 * is without anybody having seen those before it. Moves by keys, remembers its place, and keeps the focus with the row.
 */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useKeys } from "../state/keys.ts";
import { entryKey } from "../state/router.ts";

export interface VirtualListProps {
  readonly label: string;
  readonly count: number;
  /** Pixels. */
  readonly rowHeight: number;
  /** Number of the chosen row; -1 = none. */
  readonly current: Signal<number>;
  /** Rows by which the chosen one has moved because others came or left; set to 0 once the view has followed. */
  readonly moved: Signal<number>;
  /** Changes when the list is another one: it begins at its top. */
  readonly listKey: string;
  /** Rows that keys pass over, such as headings. */
  readonly skips: (index: number) => boolean;
  /** One row. It shall carry `tabIndex` of its argument on what can be focused. */
  readonly row: (index: number, isCurrent: boolean) => ComponentChildren;
  readonly onOpen: (index: number) => void;
  /** Rows that are about to be seen. */
  readonly onRange: (first: number, last: number) => void;
}

/** Rows drawn beyond both edges, so that quick scrolling shows no gaps. */
const spareRows = 4;

export function VirtualList(props: VirtualListProps) {
  const { count, rowHeight, current, row, onRange, label } = props;
  const box = useRef<HTMLDivElement>(null);
  const { first, last } = useRange(box, count, rowHeight);
  useListKeys(props, box);
  useSpot(props, box);
  useTop(props, box);
  useFollow(props, box);
  // Before the frame, not after it: rows are asked for while the page draws.
  useLayoutEffect(() => onRange(first, last), [first, last, count]);
  const chosen = current.value;
  const shown = new Set(
    Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at),
  );
  // The row with the focus must not vanish under it.
  if (chosen >= 0 && chosen < count) shown.add(chosen);
  return (
    <div class="scroll" ref={box}>
      <div
        class="virtual"
        role="list"
        aria-label={label}
        style={{ height: `${count * rowHeight}px` }}
      >
        {[...shown]
          .sort((a, b) => a - b)
          .map((index) => (
            <div
              key={index}
              class="virtual-row"
              role="listitem"
              data-index={index}
              aria-setsize={count}
              aria-posinset={index + 1}
              style={{ height: `${rowHeight}px`, transform: `translateY(${index * rowHeight}px)` }}
            >
              {row(index, index === chosen)}
            </div>
          ))}
      </div>
    </div>
  );
}

/** Begins where a person has left the list, if they come back to it. */
function useSpot({ current }: VirtualListProps, box: RefObject<HTMLDivElement | null>): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const key = spotKey();
    const spot = spots.get(key);
    if (spot !== undefined) {
      current.value = spot.row;
      element.scrollTop = spot.top;
    }
    // Read as it scrolls: when the list is taken away, what stood around it may be gone already, and it has grown.
    let top = element.scrollTop;
    const note = (): void => {
      top = element.scrollTop;
    };
    element.addEventListener("scroll", note, { passive: true });
    return () => {
      element.removeEventListener("scroll", note);
      keepSpot(key, { row: current.peek(), top });
    };
  }, []);
}

/** Another list in the same place begins at its top. */
function useTop({ listKey }: VirtualListProps, box: RefObject<HTMLDivElement | null>): void {
  const shown = useRef(listKey);
  useLayoutEffect(() => {
    if (shown.current !== listKey && box.current !== null) box.current.scrollTop = 0;
    shown.current = listKey;
  }, [listKey]);
}

/** Keeps in view what is looked at when rows come or leave above it; whoever is at the top sees them come. */
function useFollow(
  { current, moved, rowHeight }: VirtualListProps,
  box: RefObject<HTMLDivElement | null>,
): void {
  const by = moved.value;
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || by === 0) return;
    moved.value = 0;
    if (element.scrollTop > 0) element.scrollTop += by * rowHeight;
    // The focus goes along with the row, not with its place.
    const from = document.activeElement?.closest("[data-index]");
    if (from?.getAttribute("data-index") === `${current.value - by}` && element.contains(from))
      element
        .querySelector<HTMLElement>(`[data-index="${current.value}"] [tabindex="0"]`)
        ?.focus({ preventScroll: true });
  }, [by]);
}

/** `useRange` gives the rows in view, with some to spare. */
function useRange(box: RefObject<HTMLDivElement | null>, count: number, rowHeight: number) {
  const top = useSignal(0);
  const height = useSignal(800);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = (): void => {
      // In whole rows: scrolling within a row draws nothing anew.
      top.value = Math.floor(element.scrollTop / rowHeight);
      height.value = element.clientHeight;
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      watch.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [rowHeight]);
  const first = Math.max(0, top.value - spareRows);
  const last = Math.min(count - 1, top.value + Math.ceil(height.value / rowHeight) + spareRows);
  return { first, last };
}

function useListKeys(props: VirtualListProps, box: RefObject<HTMLDivElement | null>): void {
  const { count, rowHeight, current, onOpen, skips } = props;
  const byKeys = useRef(false);
  const move = (to: number): void => {
    if (count === 0) return;
    byKeys.current = true;
    const by = to < current.peek() ? -1 : 1;
    let next = Math.max(0, Math.min(count - 1, to));
    // At the top a heading has nothing before it: then the row after it.
    if (skips(next)) next += next === 0 ? 1 : by;
    current.value = next;
    // With the heading above it.
    reveal(box.current, skips(next - 1) ? next - 1 : next, rowHeight);
    reveal(box.current, next, rowHeight);
  };
  const page = (): number =>
    Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 1);
  const step = (by: number) => () => move(current.peek() + by);
  const open = (): void => {
    if (current.peek() >= 0) onOpen(current.peek());
  };
  useKeys({
    j: step(1),
    k: step(-1),
    ArrowDown: step(1),
    ArrowUp: step(-1),
    PageDown: () => move(current.peek() + page()),
    PageUp: () => move(current.peek() - page()),
    Home: () => move(0),
    End: () => move(count - 1),
    "g g": () => move(0),
    G: () => move(count - 1),
    Enter: open,
    o: open,
  });
  // Whoever goes by keys takes the focus along, so that a screen reader reads the row.
  useLayoutEffect(() => {
    const element = box.current;
    const active = document.activeElement;
    const isOurs = active === document.body || (element?.contains(active) ?? false);
    const isMove = byKeys.current;
    byKeys.current = false;
    if (!isMove || element === null || !isOurs) return;
    const target = element.querySelector<HTMLElement>(
      `[data-index="${current.value}"] [tabindex="0"]`,
    );
    target?.focus({ preventScroll: true });
  }, [current.value]);
}

/** Scrolls as little as needed to have the row in view. */
function reveal(box: HTMLElement | null, index: number, rowHeight: number): void {
  if (box === null) return;
  const top = index * rowHeight;
  const bottom = top + rowHeight;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
}

interface Spot {
  /** Number of the chosen row; -1 = none. */
  readonly row: number;
  /** Pixels scrolled. */
  readonly top: number;
}

/**
 * The spots of lists that a person left: whoever opens a row and goes back finds the list as it was
 * left. Kept for each entry of the browser's history, so that a list that is opened anew begins at
 * its top.
 */
const spotsMax = 50;
const spots = new Map<string, Spot>();

/** Names the present entry of the history, at its present address. */
const spotKey = (): string => `${entryKey()} ${location.hash}`;

function keepSpot(key: string, spot: Spot): void {
  spots.delete(key);
  spots.set(key, spot);
  const [oldest] = spots.keys();
  if (spots.size > spotsMax && oldest !== undefined) spots.delete(oldest);
}
