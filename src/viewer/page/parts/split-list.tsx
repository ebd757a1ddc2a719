/**
 * A virtual list of any rows, the chosen one beside it where there is room. What is chosen is a row, not a place: when
 * others arrive or leave, the place follows the row, and what keys and an edit act on stays what it was.
 */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isDone } from "../state/actions.ts";
import { isNarrow, isWide } from "../state/display.ts";
import type { Rows } from "../state/paged.ts";
import { go } from "../state/router.ts";
import { Failed, Waiting } from "./basics.tsx";
import { VirtualList } from "./virtual-list.tsx";

export interface RowHandle {
  readonly isCurrent: boolean;
  /** Choosing instead of opening, where there is room to show the chosen one beside the list. */
  readonly onChoose: ((event: MouseEvent) => void) | null;
}

export interface SplitListProps<Row> {
  readonly label: string;
  readonly rows: Rows<Row>;
  /** Changes when the list is another one: the choice starts over. */
  readonly listKey: string;
  readonly rowHeight?: { readonly wide: number; readonly narrow: number };
  readonly row: (row: Row, handle: RowHandle) => ComponentChildren;
  readonly empty: ComponentChildren;
  /** The name of a row, by which it is found again. */
  readonly nameOf: (row: Row) => string;
  /** The link of a row. */
  readonly hrefOf: (row: Row) => string;
  /** Renders the chosen row beside the list; without it the list has no choice at first. */
  readonly pane?: (row: Row) => ComponentChildren;
  /** Rows that keys pass over, such as headings. */
  readonly skips?: (row: Row) => boolean;
  /** A hook that is given the chosen row. */
  readonly useChoice?: (chosen: Row | null) => void;
}

const heightsDefault = { wide: 52, narrow: 62 };

export function SplitList<Row>(props: SplitListProps<Row>) {
  const { label, rows, listKey, row, empty, pane, skips, hrefOf, nameOf } = props;
  const { wide, narrow } = props.rowHeight ?? heightsDefault;
  const current = useSignal(-1);
  const total = rows.total.value;
  const { row: chosen, moved } = useChosen(current, props);
  props.useChoice?.(chosen);
  const hasPane = pane !== undefined && isWide.value;
  const skipsAt = (index: number): boolean => {
    const at = rows.at(index);
    return at !== undefined && skips?.(at) === true;
  };
  useLayoutEffect(() => {
    if (current.value < 0 && total !== null && total > 0 && hasPane)
      current.value = skipsAt(0) ? 1 : 0;
  }, [listKey, total, hasPane]);
  const beside = useAfterFrame(chosen);
  const failure = rows.failure.value;
  if (failure !== null && total === null) return <Failed failure={failure} retry={rows.refresh} />;
  if (total === null) return <Waiting />;
  if (total === 0) return <>{empty}</>;
  const open = (index: number): void => {
    const opened = index === current.peek() ? chosen : rows.at(index);
    if (opened !== null && opened !== undefined) go(hrefOf(opened));
  };
  const rowAt = (index: number, isCurrent: boolean): ComponentChildren => {
    const at = rows.at(index);
    return at === undefined
      ? null
      : row(at, {
          isCurrent: isCurrent && chosen !== null && nameOf(at) === nameOf(chosen),
          onChoose: hasPane ? choosing(() => (current.value = index)) : null,
        });
  };
  return (
    <div class="split">
      <VirtualList
        label={label}
        count={total}
        listKey={listKey}
        rowHeight={isNarrow.value ? narrow : wide}
        current={current}
        moved={moved}
        skips={skipsAt}
        onOpen={open}
        onRange={rows.want}
        row={rowAt}
      />
      {hasPane && (
        <aside class="pane" aria-label="Selected">
          {beside !== null && pane(beside)}
        </aside>
      )}
    </div>
  );
}

interface Choice<Row> {
  readonly index: number;
  readonly row: Row | null;
  readonly listKey: string;
}

interface Chosen<Row> {
  /** The chosen row; stays when it is no longer in the list. */
  readonly row: Row | null;
  /** Rows by which the place of the choice has just moved without anybody moving it. */
  readonly moved: Signal<number>;
}

/** `current`: the number of the chosen row, -1 = none; set by keys and clicks, and corrected here. */
function useChosen<Row>(current: Signal<number>, props: SplitListProps<Row>): Chosen<Row> {
  const moved = useSignal(0);
  const choice = useRef<Choice<Row>>({ index: -1, row: null, listKey: props.listKey });
  const before = choice.current;
  choice.current = next(before, current.value, props);
  const by = choice.current.index - current.value;
  useLayoutEffect(() => {
    if (by === 0) return;
    current.value = choice.current.index;
    if (before.listKey === props.listKey) moved.value = by;
  });
  return { row: choice.current.row, moved };
}

/** `next` gives the choice after the place or the list has changed. */
function next<Row>(
  before: Choice<Row>,
  index: number,
  { rows, nameOf, listKey }: SplitListProps<Row>,
): Choice<Row> {
  if (before.listKey !== listKey) return { index: -1, row: null, listKey };
  const there = rows.at(index) ?? null;
  // Somebody moved, or nothing was chosen yet.
  if (index !== before.index || before.row === null) return { index, row: there, listKey };
  const name = nameOf(before.row);
  if (there !== null && nameOf(there) === name) return { index, row: there, listKey };
  const found = rows.find((one) => nameOf(one) === name);
  if (found >= 0) return { index: found, row: rows.at(found) ?? before.row, listKey };
  // Taken out of the list by what was done here: the next one is chosen.
  if (!isDone(name) || there === null) return { ...before, index };
  return { index: Math.min(index, (rows.total.value ?? 0) - 1), row: there, listKey };
}

/** The value as it was when the last frame was drawn. */
function useAfterFrame<Value>(value: Value): Value {
  const late = useSignal(value);
  useEffect(() => {
    late.value = value;
  }, [value]);
  return late.value;
}

/** A click on a row that chooses it; with a modifier, the link is followed. */
const choosing =
  (choose: () => void) =>
  (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    choose();
  };
