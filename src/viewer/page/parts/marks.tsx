/** Marking rows of a list: `x`, a range with shift, or all that match; and what is done with them. */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { forgetMany, reviewMany, type Target, working } from "../state/bulk.ts";
import { type Keymap, useKeys } from "../state/keys.ts";
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
import { Key } from "./badges.tsx";
import { Confirm } from "./dialog.tsx";
import { count as counted, plural } from "./format.ts";
import { Icon, type IconName } from "./icons.tsx";

export interface Bulk<Row> {
  /** What the list asks for; null = it is all there. */
  readonly filter: Extract<Target, { readonly filter: unknown }>["filter"] | null;
  readonly isReview?: boolean;
  /** Is this a memory at all? Default: yes. */
  readonly isOne?: (row: Row) => boolean;
}

type Choose = ((event: MouseEvent) => void) | null;

export interface Marks {
  readonly picks: Signal<Picks>;
  readonly isReview: boolean;
  readonly canAll: boolean;
  readonly toggle: (index: number, isRange: boolean) => void;
  readonly isOne: (row: Subject) => boolean;
  readonly all: () => void;
  readonly clear: () => void;
  readonly target: () => Target;
  /** A click with shift marks; any other does what it did. */
  readonly choosing: (index: number, otherwise: Choose) => Choose;
}

interface ListParts<Row extends Subject> {
  readonly rows: Rows<Row>;
  readonly listKey: string;
  readonly bulk?: Bulk<Row>;
}

type Is<Row> = (row: Row | undefined) => row is Row;

interface Marking {
  readonly toggle: Marks["toggle"];
  readonly mark: (numbers: readonly number[], isOn: boolean) => void;
  readonly anchor: { current: number };
}

/** Marks rows by their numbers; a range begins where a row was marked last. */
function useMarking<Row extends Subject>(
  { rows, listKey }: ListParts<Row>,
  picks: Signal<Picks>,
  isOne: Is<Row>,
): Marking {
  const anchor = useRef(-1);
  useLayoutEffect(() => {
    picks.value = noPicks;
    anchor.current = -1;
  }, [listKey]);
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
  return { toggle, mark, anchor };
}

/** Null where nothing can be marked. */
export function useMarks<Row extends Subject>(
  { rows, listKey, bulk }: ListParts<Row>,
  current: Signal<number>,
): Marks | null {
  const picks = useSignal<Picks>(noPicks);
  const isOne: Is<Row> = (row): row is Row => row !== undefined && (bulk?.isOne?.(row) ?? true);
  const { toggle, mark, anchor } = useMarking({ rows, listKey }, picks, isOne);
  const extend = (by: 1 | -1) => (): void => {
    const from = Math.max(0, current.peek());
    const to = Math.max(0, Math.min((rows.total.peek() ?? 1) - 1, from + by));
    mark([from, to], true);
    anchor.current = to;
    current.value = to;
  };
  const all = (): void => {
    if (bulk?.filter != null) picks.value = allPicks;
    else mark(between(0, (rows.total.peek() ?? 1) - 1), true);
  };
  const keys: Keymap = {
    x: () => toggle(current.peek(), false),
    J: extend(1),
    K: extend(-1),
    "Shift+ArrowDown": extend(1),
    "Shift+ArrowUp": extend(-1),
    "*": all,
  };
  useKeys(bulk === undefined ? {} : keys);
  if (bulk === undefined) return null;
  return {
    picks,
    isReview: bulk.isReview === true,
    canAll: bulk.filter !== null,
    toggle,
    isOne: (row) => isOne(row as Row),
    all,
    clear: () => (picks.value = noPicks),
    target: () => targetOf(picks.peek(), bulk.filter),
    choosing: (index, otherwise) => (event) => {
      if (!event.shiftKey || event.button !== 0) return otherwise?.(event);
      event.preventDefault();
      if (anchor.current < 0) anchor.current = Math.max(0, current.peek());
      toggle(index, true);
    },
  };
}

const targetOf = ({ isAll, uris }: Picks, filter: Bulk<Subject>["filter"]): Target =>
  isAll && filter !== null ? { filter, except: [...uris] } : { uris: [...uris] };

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

export function MarkedBar({ marks, total }: { marks: Marks; total: number }) {
  const { picks, isReview, canAll, target, all, clear } = marks;
  const count = countOf(picks.value, total);
  return count === 0 ? null : (
    <BulkBar
      count={count}
      total={canAll ? total : null}
      isReview={isReview}
      target={target}
      onAll={all}
      onClear={clear}
    />
  );
}

interface BulkBarProps {
  readonly count: number;
  /** Memories in the list; null where it cannot be taken as a whole. */
  readonly total: number | null;
  readonly isReview: boolean;
  readonly target: () => Target;
  readonly onAll: () => void;
  readonly onClear: () => void;
}

function BulkBar({ count, total, isReview, target, onAll, onClear }: BulkBarProps) {
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
    <section class="bulk-bar" aria-label="Selected memories">
      <span class="bulk-count num" role="status">
        {counted(count)} selected
      </span>
      {total !== null && count < total && (
        <button type="button" class="tool" onClick={onAll}>
          Select all {counted(total)} <Key keys="*" />
        </button>
      )}
      <span class="grow" />
      {isReview && <Act title="Accept" icon="check" keys="a" run={accept} />}
      {isReview && <Act title="Reject" icon="cross" keys="r" run={reject} />}
      <Act title="Forget" icon="trash" keys="#" run={ask} />
      <Act title="Clear" icon="cross" keys="Esc" run={onClear} />
      {isAsking.value && (
        <Confirm
          label="Forget memories?"
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

interface ActProps {
  readonly title: string;
  readonly icon: IconName;
  readonly keys: string;
  readonly run: () => void;
}

const Act = ({ title, icon, keys, run }: ActProps) => (
  <button type="button" class="tool" onClick={run}>
    <Icon name={icon} /> <span class="tool-label">{title}</span> <Key keys={keys} />
  </button>
);

/** How far a change of many is; nothing while none is under way. */
export const Working = () => {
  const now = working.value;
  if (now === null || now.total === 0) return null;
  const { done, total, stop } = now;
  return (
    <div class="bulk-working" role="status">
      <progress value={done} max={total} aria-label="Progress" />
      <span class="num small">
        {counted(done)} of {counted(total)}
      </span>
      <button type="button" class="tool" onClick={stop}>
        Stop
      </button>
    </div>
  );
};
