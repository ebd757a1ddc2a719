/** One memory as a row of a list: what it says in the first line, what it is in the second. */
import type { MemoryJson } from "#api";
import { hasDraft } from "../state/drafts.ts";
import { leaving, seen } from "../state/overlay.ts";
import { memoryHref } from "../state/router.ts";
import { CategoryDot, PinMark, ProjectName, StatusBadge } from "./badges.tsx";
import { ago, categoryNames, fullTime } from "./format.ts";
import { Line } from "./text.tsx";

/** A memory, or what a search found. */
export type Listed = Pick<MemoryJson, "uri" | "l0" | "category" | "project"> & {
  readonly status: MemoryJson["status"] | null;
  readonly pinned: boolean;
};

export interface RowProps {
  readonly memory: Listed;
  readonly at: number;
  readonly isCurrent: boolean;
  /** Choosing instead of opening, where there is room to show the chosen one beside the list. */
  readonly onChoose: ((event: MouseEvent) => void) | null;
  readonly href?: string;
  /** What else is said in the second line. */
  readonly notes?: readonly string[];
  readonly words?: readonly string[];
}

// Its parts are called, not mounted: a list draws forty rows at once, and each mounted part costs as much as a row.
export function MemoryRow(props: RowProps) {
  const { at, isCurrent, onChoose, words = [] } = props;
  const memory = seen(props.memory);
  const { uri } = memory;
  return (
    <a
      class={lookOf(props)}
      href={props.href ?? memoryHref(uri)}
      tabIndex={isCurrent ? 0 : -1}
      aria-current={isCurrent ? "true" : undefined}
      onClick={onChoose ?? undefined}
    >
      {CategoryDot(memory)}
      <span class="row-main">
        <span class="row-text">{Line({ text: memory.l0, words })}</span>
        {Notes(memory, props.notes)}
      </span>
      <time class="row-time num" title={fullTime(at)}>
        {ago(at)}
      </time>
    </a>
  );
}

const lookOf = ({ memory, isCurrent }: RowProps): string =>
  [
    "row memory-row",
    isCurrent ? "current" : "",
    leaving.value.has(memory.uri) ? "leaving" : "",
  ].join(" ");

const Notes = (memory: Listed, notes: readonly string[] = []) => (
  <span class="row-notes tiny faint">
    {memory.category !== null && <span>{categoryNames[memory.category]}</span>}
    <span class="row-project">
      {memory.project === null ? "everywhere" : ProjectName({ project: memory.project })}
    </span>
    {notes.map((note) => (
      <span key={note}>{note}</span>
    ))}
    {hasDraft(memory.uri) && <span class="badge plain-badge">draft</span>}
    {StatusBadge(memory)}
    {PinMark(memory)}
  </span>
);
