/** Marking rows of a list: `x`, a range with shift, or all that match; and the bar for what is done with them. */
import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { forgetMany, reviewMany, working, type Target } from "../state/bulk.ts";
import { useKeys } from "../state/keys.ts";
import type { Subject } from "../state/overlay.ts";
import type { Rows } from "../state/paged.ts";
import {
  allPicks,
  between,
  countOf,
  isPicked,
  noPicks,
  picked,
  type Picks,
} from "../state/picks.ts";
import { toast } from "../state/toasts.ts";
import { Key, Tool } from "./basics.tsx";
import { Confirm } from "./dialog.tsx";
import { count as counted, plural } from "./format.ts";
import { Icon } from "./icons.tsx";

export interface Bulk<Row> {
  /** The filter of the list; null = it is all there. */
  readonly filter: Extract<Target, { readonly filter: unknown }>["filter"] | null;
  readonly isReview?: boolean;
  /** Is this a memory at all? Default: yes. */
  readonly isOne?: (row: Row) => boolean;
}

type Choose = ((event: MouseEvent) => void) | null;

interface Marks {
  readonly picks: Signal<Picks>;
  readonly toggle: (index: number, isRange: boolean) => void;
  readonly isOne: (row: Subject) => boolean;
  /** A click with shift marks; any other does what it did. */
  readonly choosing: (index: number, otherwise: Choose) => Choose;
  /** Actions for the marked rows; empty while no row is marked. */
  readonly bar: ComponentChildren;
}

interface ListParts<Row extends Subject> {
  readonly rows: Rows<Row>;
  /** Changes when the list is another one: nothing is marked then. */
  readonly listKey: string;
  readonly bulk?: Bulk<Row>;
}

/** Keeps the marked rows of a list, and marks rows by number. */
function usePicks<Row extends Subject>({ rows, listKey, bulk }: ListParts<Row>) {
  const picks = useSignal<Picks>(noPicks);
  /** A range begins where a row was marked last. */
  const anchor = useRef(-1);
  useLayoutEffect(() => {
    picks.value = noPicks;
    anchor.current = -1;
  }, [listKey]);
  const isOne = (row: Row | undefined): row is Row =>
    row !== undefined && (bulk?.isOne?.(row) ?? true);
  const mark = (numbers: readonly number[], isOn: boolean): void => {
    const found = numbers.map(rows.at);
    const uris = found.filter(isOne).map(({ uri }) => uri);
    picks.value = picked(picks.peek(), uris, isOn);
    if (found.includes(undefined))
      toast("Rows that were not loaded yet are not selected. Press * to select all that match.");
  };
  const toggle = (index: number, isRange: boolean): void => {
    const row = rows.at(index);
    if (!isOne(row)) return;
    if (isRange && anchor.current >= 0) mark(between(anchor.current, index), true);
    else mark([index], !isPicked(picks.peek(), row.uri));
    anchor.current = index;
  };
  return { picks, isOne, mark, toggle, anchor };
}

/** Null where nothing can be marked. */
export function useMarks<Row extends Subject>(
  list: ListParts<Row>,
  current: Signal<number>,
): Marks | null {
  const { picks, isOne, mark, toggle, anchor } = usePicks(list);
  const { rows, bulk } = list;
  const total = rows.total.value ?? 0;
  const extend = (by: 1 | -1) => (): void => {
    const from = Math.max(0, current.peek());
    const to = Math.max(0, Math.min(total - 1, from + by));
    mark([from, to], true);
    anchor.current = to;
    current.value = to;
  };
  const all = (): void => {
    if (bulk?.filter != null) picks.value = allPicks;
    else mark(between(0, total - 1), true);
  };
  const [down, up] = [extend(1), extend(-1)];
  const toggleHere = (): void => toggle(current.peek(), false);
  const keys = { x: toggleHere, J: down, K: up, "Shift+ArrowDown": down, "Shift+ArrowUp": up };
  useKeys(bulk === undefined ? {} : { ...keys, "*": all });
  if (bulk === undefined) return null;
  const { filter, isReview = false } = bulk;
  const count = countOf(picks.value, total);
  const target = ({ isAll, uris }: Picks): Target =>
    isAll && filter !== null ? { filter, except: [...uris] } : { uris: [...uris] };
  return {
    picks,
    toggle,
    isOne: (row) => isOne(row as Row),
    choosing: (index, otherwise) => (event) => {
      if (!event.shiftKey || event.button !== 0) return otherwise?.(event);
      event.preventDefault();
      if (anchor.current < 0) anchor.current = Math.max(0, current.peek());
      toggle(index, true);
    },
    bar: count > 0 && (
      <BulkBar
        count={count}
        isReview={isReview}
        target={() => target(picks.peek())}
        onClear={() => (picks.value = noPicks)}
      >
        {filter !== null && count < total && (
          <button type="button" class="tool" onClick={all}>
            Select all {counted(total)} <Key keys="*" />
          </button>
        )}
      </BulkBar>
    ),
  };
}

interface MarkableProps {
  readonly marks: Marks | null;
  readonly memory: Subject | undefined;
  readonly index: number;
  readonly children: ComponentChildren;
}

/** A row with its mark before it. */
export function Markable({ marks, memory, index, children }: MarkableProps) {
  if (marks === null || memory === undefined || !marks.isOne(memory)) return <>{children}</>;
  const { picks, toggle } = marks;
  const isOn = isPicked(picks.value, memory.uri);
  const isAny = picks.value.isAll || picks.value.uris.size > 0;
  return (
    <div class={`markable${isOn ? " marked" : ""}${isAny ? " marking" : ""}`}>
      <button
        type="button"
        class="mark-box"
        role="checkbox"
        aria-checked={isOn}
        aria-label="Select"
        tabIndex={-1}
        onClick={(event) => toggle(index, event.shiftKey)}
      >
        <span class="mark-square">{isOn && <Icon name="check" />}</span>
      </button>
      {children}
    </div>
  );
}

interface BulkBarProps {
  readonly count: number;
  readonly isReview: boolean;
  readonly target: () => Target;
  readonly onClear: () => void;
  readonly children: ComponentChildren;
}

function BulkBar({ count, isReview, target, onClear, children }: BulkBarProps) {
  const isAsking = useSignal(false);
  const ask = (): void => void (isAsking.value = true);
  const decide = (action: "accept" | "reject") => (): void => {
    void reviewMany(target(), count, action);
    onClear();
  };
  const [accept, reject] = [decide("accept"), decide("reject")];
  const decisions = isReview ? { a: accept, r: reject } : {};
  useKeys({ ...decisions, "#": ask, Delete: ask, Escape: onClear });
  const many = plural(count, "memory", "memories");
  return (
    <section class="bulk-bar line wrap" aria-label="Selected memories">
      <strong class="num" role="status">
        {counted(count)} selected
      </strong>
      {children}
      <span class="grow" />
      {isReview && (
        <>
          <Tool label="Accept" icon="check" keys="a" isNamed onClick={accept} />
          <Tool label="Reject" icon="cross" keys="r" isNamed onClick={reject} />
        </>
      )}
      <Tool label="Forget" icon="trash" keys="#" isNamed onClick={ask} />
      <Tool label="Clear" icon="cross" keys="Esc" isNamed onClick={onClear} />
      {isAsking.value && (
        <Confirm
          title={`Forget ${many}?`}
          verb={`Forget ${many}`}
          onClose={() => (isAsking.value = false)}
          onDone={() => {
            forgetMany(target(), count);
            onClear();
          }}
        >
          <p class="small soft">
            Permanently deletes them and every copy of their texts. You can undo for 6 seconds;
            closing the page before then keeps them.
          </p>
        </Confirm>
      )}
    </section>
  );
}

/** Progress of a change of many; nothing while none is under way. */
export const Working = () => {
  const now = working.value;
  return now === null || now.total === 0 ? null : (
    <div class="bulk-bar line" role="status">
      <progress class="grow" value={now.done} max={now.total} aria-label="Progress" />
      <span class="num small">
        {counted(now.done)} of {counted(now.total)}
      </span>
      <button type="button" class="tool" onClick={now.stop}>
        Stop
      </button>
    </div>
  );
};
