/** The memory tree: directories that unfold, and beside them what is chosen, in all its tiers. */
import { treeRoot } from "#domain";
import { useSignal, type Signal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { TreeEntryJson } from "#api";
import { useAfterFrame } from "../state/after-frame.ts";
import { isDone, subject } from "../state/actions.ts";
import {
  beginWay,
  createBranch,
  isOpen,
  lineAt,
  parentOf,
  refresh,
  sizeOf,
  toggle,
  want,
  type Branch,
  type TreeLine,
} from "../state/branches.ts";
import { reconnects } from "../state/connection.ts";
import { useKeys } from "../state/keys.ts";
import { changes } from "../state/live.ts";
import { go, memoryHref, route } from "../state/router.ts";
import { useChosen } from "../parts/choice.ts";
import { CategoryDot, StatusBadge } from "../parts/badges.tsx";
import { count, leafName, short } from "../parts/format.ts";
import { Icon } from "../parts/icons.tsx";
import { isNarrow, isWide } from "../parts/screen.ts";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { Line } from "../parts/text.tsx";
import { Top } from "../parts/top.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { MemoryPane } from "./memory-pane.tsx";

export function Tree() {
  const root = useMemo(() => createBranch(treeRoot), []);
  const current = useSignal(-1);
  const state = `${changes.value}.${reconnects.value}`;
  useLayoutEffect(() => refresh(root), [state]);
  useUnfold(root, current);
  useTreeKeys(root, current);
  const total = root.rows.total.value;
  const failure = root.rows.failure.value;
  const { row: chosen, moved } = useChosen<TreeEntryJson>(current, {
    at: (line) => lineAt(root, line)?.entry,
    find: (uri) => findLine(root, uri, current.peek()),
    count: sizeOf(root),
    listKey: "tree",
    isDone,
  });
  const beside = useAfterFrame(chosen);
  useSubject(chosen);
  return (
    <>
      <Top title="Tree" />
      {failure !== null && total === null ? (
        <Failed failure={failure} retry={() => refresh(root)} />
      ) : total === null ? (
        <Waiting lines={6} />
      ) : total === 0 ? (
        <Empty icon="tree" title="The tree is empty">
          It grows as you work with Claude Code. Press <kbd>n</kbd> to add a memory.
        </Empty>
      ) : (
        <div class="split">
          <Lines root={root} current={current} moved={moved} chosen={chosen?.uri ?? ""} />
          {isWide.value && (
            <aside class="pane" aria-label="Selected entry">
              {beside !== null && <MemoryPane key={beside.uri} uri={beside.uri} />}
            </aside>
          )}
        </div>
      )}
    </>
  );
}

/** Keys act on the chosen leaf; directories are nobody's to edit. */
function useSubject(chosen: TreeEntryJson | null): void {
  useLayoutEffect(() => {
    const isLeaf = chosen?.node_type === "leaf";
    subject.value = isLeaf ? { uri: chosen.uri, l0: chosen.l0, pinned: false } : null;
    return () => {
      subject.value = null;
    };
  }, [chosen]);
}

interface LinesProps {
  readonly root: Branch;
  readonly current: Signal<number>;
  readonly moved: Signal<number>;
  /** URI of the chosen entry. */
  readonly chosen: string;
}

/** Lines around the chosen one that are looked through for it, after a change. */
const linesAround = 500;

/** The line that an entry stands on now, near where it was; -1 when it is not there. */
function findLine(root: Branch, uri: string, near: number): number {
  for (let by = 1; by <= linesAround; by += 1)
    for (const line of [near + by, near - by])
      if (lineAt(root, line)?.entry?.uri === uri) return line;
  return -1;
}

function Lines({ root, current, moved, chosen }: LinesProps) {
  const open = (at: number): void => {
    const line = lineAt(root, at);
    if (line?.entry === undefined) return;
    if (line.entry.node_type === "dir") toggle(line);
    else go(memoryHref(line.entry.uri));
  };
  const press = (at: number): void => {
    current.value = at;
    if (lineAt(root, at)?.entry?.node_type === "dir" || !isWide.peek()) open(at);
  };
  return (
    <VirtualList
      label="Memory tree"
      role="tree"
      count={sizeOf(root)}
      rowHeight={isNarrow.value ? 52 : 34}
      current={current}
      moved={moved}
      onRange={(first, last) => want(root, first, last)}
      onOpen={open}
      row={(at, isCurrent) => {
        const line = lineAt(root, at);
        return line?.entry === undefined ? null : (
          <Entry
            line={line}
            entry={line.entry}
            isCurrent={isCurrent && line.entry.uri === chosen}
            onPress={() => press(at)}
          />
        );
      }}
    />
  );
}

interface EntryProps {
  readonly line: TreeLine;
  readonly entry: TreeEntryJson;
  readonly isCurrent: boolean;
  readonly onPress: () => void;
}

const indentRem = 1.15;

function Entry({ line, entry, isCurrent, onPress }: EntryProps) {
  const { depth, branch, index } = line;
  const isUnfolded = isOpen(line);
  const isDirectory = entry.node_type === "dir";
  return (
    <div
      class={isCurrent ? "row tree-row current" : "row tree-row"}
      role="treeitem"
      tabIndex={isCurrent ? 0 : -1}
      aria-level={depth + 1}
      aria-setsize={branch.rows.total.value ?? -1}
      aria-posinset={index + 1}
      aria-selected={isCurrent}
      {...(isDirectory ? { "aria-expanded": isUnfolded } : {})}
      style={{ paddingInlineStart: `${0.75 + depth * indentRem}rem` }}
      onClick={onPress}
    >
      <span class={isUnfolded ? "twist open" : "twist"}>
        {isDirectory && <Icon name="right" />}
      </span>
      {isDirectory ? (
        <span class={`tree-folder cat-${entry.category ?? "none"}`}>
          <Icon name="folder" />
        </span>
      ) : (
        <CategoryDot category={entry.category} />
      )}
      <span class="tree-name">
        <Line text={leafName(entry.uri)} />
      </span>
      <span class="row-text faint small tree-l0">
        <Line text={entry.l0} />
      </span>
      <StatusBadge status={entry.status} />
      {isDirectory ? (
        <span class="badge plain-badge num" title={`${count(entry.leaves)} memories below`}>
          {short(entry.leaves)}
        </span>
      ) : (
        <span class="row-time num" title="Tokens to read the whole entry">
          {short(entry.tokens.l0 + entry.tokens.l1 + entry.tokens.l2)} t
        </span>
      )}
    </div>
  );
}

/** Arrows fold and unfold, as in every tree. */
function useTreeKeys(root: Branch, current: Signal<number>): void {
  const unfold = (): void => {
    const line = lineAt(root, current.peek());
    if (line?.entry?.node_type !== "dir") return;
    if (isOpen(line)) current.value += 1;
    else toggle(line);
  };
  const fold = (): void => {
    const line = lineAt(root, current.peek());
    if (line !== null && isOpen(line)) toggle(line);
    else current.value = Math.max(0, parentOf(root, current.peek()));
  };
  useKeys({ ArrowRight: unfold, l: unfold, ArrowLeft: fold, h: fold });
}

/** Lines looked through for a directory that the address names. */
const linesLookedAt = 400;

/** Unfolds the way to the place that the address names, level by level as the levels come in. */
function useUnfold(root: Branch, current: Signal<number>): void {
  const wanted = route.value.query.get("uri") ?? "";
  const size = sizeOf(root);
  // Each directory is unfolded once: whoever folds it again means it.
  const unfolded = useRef(new Set<string>());
  const way = useRef<ReadonlyMap<string, Branch>>(new Map());
  useLayoutEffect(() => {
    unfolded.current.clear();
    way.current = wanted === "" ? new Map() : beginWay(wanted);
  }, [wanted]);
  useLayoutEffect(() => {
    const isNew = current.peek() < 0 && root.rows.total.peek() !== null;
    if (wanted !== "")
      unfoldTo(root, { wanted, size, unfolded: unfolded.current, current, way: way.current });
    else if (isNew) current.value = 0;
  }, [wanted, size, root.rows.total.value]);
}

interface Way {
  readonly wanted: string;
  readonly size: number;
  readonly unfolded: Set<string>;
  readonly current: Signal<number>;
  /** Directories that were asked for beforehand. */
  readonly way: ReadonlyMap<string, Branch>;
}

function unfoldTo(root: Branch, { wanted, size, unfolded, current, way }: Way): void {
  for (let at = 0; at < Math.min(size, linesLookedAt); at += 1) {
    const line = lineAt(root, at);
    const uri = line?.entry?.uri ?? "";
    if (line === null || unfolded.has(uri) || !leadsTo(uri, wanted)) continue;
    unfolded.add(uri);
    if (!isOpen(line)) toggle(line, way.get(uri));
    if (wanted === uri) current.value = at;
  }
}

const leadsTo = (uri: string, wanted: string): boolean =>
  uri !== "" && (wanted === uri || wanted.startsWith(`${uri}/`));
