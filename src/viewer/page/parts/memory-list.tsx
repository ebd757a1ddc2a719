/**
 * A list of memories, the chosen one beside it where there is room, on its own page where there is none. Sets what the
 * keys `e`, `p` and `#` act on.
 */
import { useLayoutEffect } from "preact/hooks";
import type { MemoryJson } from "#api";
import { leaveEdit, subject } from "../state/actions.ts";
import { reconnects } from "../state/connection.ts";
import { changes } from "../state/live.ts";
import { hasDraft, leaving, seen, type Subject } from "../state/overlay.ts";
import { memoryHref } from "../state/router.ts";
import { CategoryDot, PinMark, ProjectName, StatusBadge, Time } from "./badges.tsx";
import { categoryNames } from "./format.ts";
import { type RowHandle, SplitList, type SplitListProps } from "./split-list.tsx";
import { Line } from "./text.tsx";
import { MemoryPane } from "../views/memory-pane.tsx";

type MemoryListProps<Row> = Omit<SplitListProps<Row>, "nameOf" | "hrefOf" | "pane"> &
  Partial<Pick<SplitListProps<Row>, "hrefOf" | "pane">>;

export function MemoryList<Row extends Subject>({ rows, ...props }: MemoryListProps<Row>) {
  const state = `${changes.value}.${reconnects.value}`;
  useLayoutEffect(() => rows.refresh(), [rows, state]);
  return (
    <SplitList
      rows={rows}
      nameOf={({ uri }) => uri}
      hrefOf={({ uri }) => memoryHref(uri)}
      pane={({ uri }) => <MemoryPane uri={uri} />}
      useChoice={useSubject}
      {...props}
    />
  );
}

function useSubject(chosen: Subject | null): void {
  // Before the next key: it must act on what is chosen now.
  useLayoutEffect(() => {
    subject.value = chosen;
    return () => {
      subject.value = null;
    };
  }, [chosen]);
  // A form that nothing was written in is not there any more when its memory is chosen again.
  useLayoutEffect(() => leaveEdit, [chosen?.uri]);
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
