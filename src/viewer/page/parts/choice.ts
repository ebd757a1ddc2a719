/**
 * The chosen row of a list that changes while it is looked at. What is chosen is a memory, not a place: when others
 * arrive or leave, the place follows the memory, and what keys and an edit act on stays what it was.
 */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isWide } from "../state/display.ts";

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
