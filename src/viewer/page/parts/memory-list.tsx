/**
 * A virtual list of memories: rows by number, the chosen one beside it where there is room, on its own page where there
 * is none. Sets what the keys `e`, `p` and `#` act on.
 */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { MemoryJson } from "#api";
import { isDone, leaveEdit, subject } from "../state/actions.ts";
import { reconnects } from "../state/connection.ts";
import { isNarrow, isWide } from "../state/display.ts";
import { changes } from "../state/live.ts";
import { hasDraft, leaving, seen, type Subject } from "../state/overlay.ts";
import type { Rows } from "../state/paged.ts";
import { go, memoryHref } from "../state/router.ts";
import { CategoryDot, PinMark, ProjectName, StatusBadge, Time } from "./badges.tsx";
import { Failed, Waiting } from "./basics.tsx";
import { categoryNames } from "./format.ts";
import { Line } from "./text.tsx";
import { VirtualList } from "./virtual-list.tsx";
import { MemoryPane } from "../views/memory-pane.tsx";

export interface RowHandle {
  readonly isCurrent: boolean;
  /** Choosing instead of opening, where there is room to show the chosen one beside the list. */
  readonly onChoose: ((event: MouseEvent) => void) | null;
}

interface MemoryListProps<Row extends Subject> {
  readonly label: string;
  readonly rows: Rows<Row>;
  /** Changes when the list is another one: the choice starts over. */
  readonly listKey: string;
  readonly rowHeight?: { readonly wide: number; readonly narrow: number };
  readonly row: (memory: Row, handle: RowHandle) => ComponentChildren;
  readonly empty: ComponentChildren;
  /** Gives the link of a row; default the memory's page. */
  readonly hrefOf?: (memory: Row) => string;
  /** Renders the pane beside the list; default the memory itself. */
  readonly pane?: (memory: Row) => ComponentChildren;
}

const heightsDefault = { wide: 52, narrow: 62 };

export function MemoryList<Row extends Subject>(props: MemoryListProps<Row>) {
  const { label, rows, listKey, row, empty, pane, rowHeight = heightsDefault, hrefOf } = props;
  const current = useSignal(-1);
  const { row: chosen, moved } = useChoice(rows, listKey, current);
  const beside = useAfterFrame(chosen);
  const total = rows.total.value;
  const failure = rows.failure.value;
  if (failure !== null && total === null) return <Failed failure={failure} retry={rows.refresh} />;
  if (total === null) return <Waiting lines={12} />;
  if (total === 0) return <>{empty}</>;
  const open = (index: number): void => {
    const memory = index === current.peek() ? chosen : rows.at(index);
    if (memory !== null && memory !== undefined) go(hrefOf?.(memory) ?? memoryHref(memory.uri));
  };
  const rowAt = (index: number, isCurrent: boolean): ComponentChildren => {
    const memory = rows.at(index);
    return memory === undefined
      ? null
      : row(memory, {
          isCurrent: isCurrent && memory.uri === chosen?.uri,
          onChoose: choosing(() => (current.value = index)),
        });
  };
  return (
    <div class="split">
      <VirtualList
        label={label}
        count={total}
        listKey={listKey}
        rowHeight={isNarrow.value ? rowHeight.narrow : rowHeight.wide}
        current={current}
        moved={moved}
        onOpen={open}
        onRange={rows.want}
        row={rowAt}
      />
      {isWide.value && (
        <aside class="pane" aria-label="Selected memory">
          {beside !== null && (pane?.(beside) ?? <MemoryPane uri={beside.uri} />)}
        </aside>
      )}
    </div>
  );
}

/** Starts with the first row where a pane waits for one, asks again after changes, and says what is chosen. */
function useChoice<Row extends Subject>(
  rows: Rows<Row>,
  listKey: string,
  current: Signal<number>,
): Chosen<Row> {
  const total = rows.total.value ?? 0;
  const chosen = useChosen(current, {
    at: rows.at,
    find: (uri) => rows.find((one) => one.uri === uri),
    count: total,
    listKey,
    isDone,
  });
  useLayoutEffect(() => {
    if (current.value < 0 && total > 0 && isWide.value) current.value = 0;
  }, [listKey, total, isWide.value]);
  const state = `${changes.value}.${reconnects.value}`;
  useLayoutEffect(() => rows.refresh(), [rows, state]);
  // Before the next key: it must act on what is chosen now.
  useLayoutEffect(() => {
    subject.value = chosen.row;
    return () => {
      subject.value = null;
    };
  }, [chosen.row]);
  // A form that nothing was written in is not there any more when its memory is chosen again.
  useLayoutEffect(() => leaveEdit, [chosen.row?.uri]);
  return chosen;
}

/** A memory, or what a search found. */
type Listed = Pick<MemoryJson, "uri" | "l0" | "category" | "project"> & {
  readonly status: MemoryJson["status"] | null;
  readonly pinned: boolean;
  readonly superseded_by?: string | null;
};

interface RowProps extends RowHandle {
  readonly memory: Listed;
  readonly at: number;
  readonly href?: string;
  /** Further words of the second line. */
  readonly notes?: readonly string[];
  readonly words?: readonly string[];
}

/** One memory as a row of a list: what it says in the first line, what it is in the second. */
// Its parts are called, not mounted: a list draws forty rows at once, and each mounted part costs as much as a row.
export function MemoryRow({ at, isCurrent, onChoose, words = [], ...props }: RowProps) {
  const memory = seen(props.memory);
  const { uri } = memory;
  return (
    <a
      class={`row memory-row${isCurrent ? " current" : ""}${leaving.value.has(uri) ? " leaving" : ""}`}
      href={props.href ?? memoryHref(uri)}
      tabIndex={isCurrent ? 0 : -1}
      aria-current={isCurrent ? "true" : undefined}
      onClick={onChoose ?? undefined}
    >
      {CategoryDot(memory)}
      <span class="row-main">
        {Line({ text: memory.l0, words, look: "row-text" })}
        {Notes(memory, props.notes)}
      </span>
      {Time({ at })}
    </a>
  );
}

/** True for the older memory of an open pair: both are in force, and the newer counts. */
const isOlderValue = ({ status, superseded_by: newer = null }: Listed): boolean =>
  status === "active" && newer !== null;

const Notes = (memory: Listed, notes: readonly string[] = []) => (
  <span class="row-notes line tiny faint">
    {memory.category !== null && <span>{categoryNames[memory.category]}</span>}
    <span class="row-project cut">
      {memory.project === null ? "everywhere" : ProjectName({ project: memory.project })}
    </span>
    {notes.map((note) => (
      <span key={note}>{note}</span>
    ))}
    {isOlderValue(memory) && <span>older value</span>}
    {hasDraft(memory.uri) && <span class="badge plain-badge">draft</span>}
    {StatusBadge(memory)}
    {PinMark(memory)}
  </span>
);

// The chosen row of a list that changes while it is looked at. What is chosen is a memory, not a place: when others
// arrive or leave, the place follows the memory, and what keys and an edit act on stays what it was.

interface Named {
  readonly uri: string;
}

interface Choice<Row> {
  readonly index: number;
  readonly row: Row | null;
  readonly listKey: string;
}

interface ChoiceOptions<Row> {
  readonly at: (index: number) => Row | undefined;
  /** The number that a memory has now; -1 when it is not among what was loaded. */
  readonly find: (uri: string) => number;
  readonly count: number;
  /** Changes when the list is another one: the choice starts over. */
  readonly listKey: string;
  /** Was this taken out of the list by what was done here? Then the next one is chosen. */
  readonly isDone: (uri: string) => boolean;
}

export interface Chosen<Row> {
  /** The chosen row; stays when it is no longer in the list. */
  readonly row: Row | null;
  /** Rows by which the place of the choice has just moved without anybody moving it. */
  readonly moved: Signal<number>;
}

/** `current`: the number of the chosen row, -1 = none; set by keys and clicks, and corrected here. */
export function useChosen<Row extends Named>(
  current: Signal<number>,
  options: ChoiceOptions<Row>,
): Chosen<Row> {
  const moved = useSignal(0);
  const choice = useRef<Choice<Row>>({ index: -1, row: null, listKey: options.listKey });
  const before = choice.current;
  choice.current = next(before, current.value, options);
  const by = choice.current.index - current.value;
  useLayoutEffect(() => {
    if (by === 0) return;
    current.value = choice.current.index;
    if (before.listKey === options.listKey) moved.value = by;
  });
  return { row: choice.current.row, moved };
}

/** `next` gives the choice after the place or the list has changed. Pure. */
function next<Row extends Named>(
  before: Choice<Row>,
  index: number,
  { at, find, count, listKey, isDone }: ChoiceOptions<Row>,
): Choice<Row> {
  const there = at(index) ?? null;
  const isAnother = before.listKey !== listKey;
  if (isAnother) return { index: -1, row: null, listKey };
  // Somebody moved, or nothing was chosen yet.
  if (index !== before.index || before.row === null) return { index, row: there, listKey };
  if (there?.uri === before.row.uri) return { index, row: there, listKey };
  const found = find(before.row.uri);
  if (found >= 0) return { index: found, row: at(found) ?? before.row, listKey };
  if (!isDone(before.row.uri) || there === null) return { ...before, index };
  return { index: Math.min(index, count - 1), row: there, listKey };
}

/** The value as it was when the last frame was drawn. */
export function useAfterFrame<Value>(value: Value): Value {
  const late = useSignal(value);
  useEffect(() => {
    late.value = value;
  }, [value]);
  return late.value;
}

/** A click on a row that chooses it where its pane has room; elsewhere, and with a modifier, the link is followed. */
export const choosing = (choose: () => void) =>
  isWide.value
    ? (event: MouseEvent): void => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        choose();
      }
    : null;
