/** One memory as a row of a list. */
import type { MemoryJson } from "#api";
import { hasDraft } from "../state/drafts.ts";
import { leaving, seen } from "../state/overlay.ts";
import { memoryHref } from "../state/router.ts";
import { CategoryDot, PinMark, ProjectBadge, StatusBadge } from "./badges.tsx";
import { ago, fullTime } from "./format.ts";
import { Line } from "./text.tsx";

export interface RowProps {
  readonly memory: MemoryJson;
  readonly isCurrent: boolean;
  /** Choosing instead of opening, where there is room to show the chosen one beside the list. */
  readonly onChoose: ((event: MouseEvent) => void) | null;
  readonly shows?: "time" | "uses";
  readonly words?: readonly string[];
}

// Its parts are called, not mounted: a list draws forty rows at once, and each mounted part costs as much as a row.
export function MemoryRow({ memory: given, isCurrent, onChoose, shows = "time", words }: RowProps) {
  const memory = seen(given);
  return (
    <a
      class={`row${isCurrent ? " current" : ""}${leaving.value.has(memory.uri) ? " leaving" : ""}`}
      href={memoryHref(memory.uri)}
      tabIndex={isCurrent ? 0 : -1}
      aria-current={isCurrent ? "true" : undefined}
      onClick={onChoose ?? undefined}
    >
      {CategoryDot(memory)}
      <span class="row-text">
        {Line({ text: memory.l0, ...(words === undefined ? {} : { words }) })}
      </span>
      <span class="row-marks">
        {hasDraft(memory.uri) && <span class="badge plain-badge">draft</span>}
        {StatusBadge(memory)}
        {PinMark(memory)}
        {ProjectBadge(memory)}
      </span>
      {Measure({ memory, shows })}
    </a>
  );
}

const Measure = ({ memory, shows }: { memory: MemoryJson; shows: "time" | "uses" }) =>
  shows === "uses" ? (
    <span class="row-time num" title="Number of times fetched">
      {memory.access_count}×
    </span>
  ) : (
    <time class="row-time num" title={fullTime(memory.updated_at)}>
      {ago(memory.updated_at)}
    </time>
  );
