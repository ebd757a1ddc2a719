/**
 * The memory tree, unfolded: which entry stands on which line. Directories load their entries in pages when they come
 * into view, so one with fifty thousand leaves opens as quickly as one with five.
 */
import { treeRoot } from "#domain";
import { signal, type Signal } from "@preact/signals";
import type { TreeEntryJson } from "#api";
import { answerOf, api } from "./api.ts";
import { createPaged, type Rows } from "./paged.ts";

/** A directory that is unfolded. */
export interface Branch {
  readonly uri: string;
  readonly rows: Rows<TreeEntryJson>;
  /** Those of its entries that are unfolded too, by their number. */
  readonly open: Signal<ReadonlyMap<number, Branch>>;
}

export interface TreeLine {
  /** Undefined while it is being fetched. */
  readonly entry: TreeEntryJson | undefined;
  /** 0 for entries of the root. */
  readonly depth: number;
  readonly branch: Branch;
  /** Number within its directory. */
  readonly index: number;
}

/** Levels that anybody unfolds; the tree has fewer. */
const depthMax = 12;
/** Entries before it that an unfolded directory may have moved by, after a change. */
const movedMax = 500;

export const createBranch = (uri: string): Branch => ({
  uri,
  open: signal<ReadonlyMap<number, Branch>>(new Map()),
  rows: createPaged<TreeEntryJson>({
    load: (offset, limit) =>
      answerOf(api.tree.$get({ query: { uri, offset: `${offset}`, limit: `${limit}` } })),
  }),
});

/** How many lines a directory takes, unfolded as it is. */
export function sizeOf({ rows, open }: Branch): number {
  let size = rows.total.value ?? 1;
  for (const child of open.value.values()) size += sizeOf(child);
  return size;
}

/** What stands on a line. Walks unfolded directories only: a folded one is one line, however much it holds. */
export function lineAt(branch: Branch, line: number, depth = 0): TreeLine | null {
  if (line < 0 || depth > depthMax) return null;
  let before = 0;
  for (const [index, child] of inOrder(branch)) {
    const own = index + before;
    if (line <= own) break;
    const size = sizeOf(child);
    if (line <= own + size) return lineAt(child, line - own - 1, depth + 1);
    before += size;
  }
  const index = line - before;
  return { entry: branch.rows.at(index), depth, branch, index };
}

const inOrder = ({ open }: Branch): readonly (readonly [number, Branch])[] =>
  [...open.value].sort(([a], [b]) => a - b);

export const isOpen = ({ branch, index }: TreeLine): boolean => branch.open.value.has(index);

/** Unfolds or folds the directory on a line; a leaf stays what it is. `made` is taken instead of asking anew. */
export function toggle({ entry, branch, index }: TreeLine, made?: Branch): void {
  if (entry === undefined || entry.node_type === "leaf") return;
  const open = new Map(branch.open.peek());
  if (!open.delete(index)) open.set(index, made ?? beginBranch(entry.uri));
  branch.open.value = open;
}

function beginBranch(uri: string): Branch {
  const branch = createBranch(uri);
  branch.rows.refresh();
  return branch;
}

/** The directories on the way to a place, asked for all at once instead of one after the other. */
export function beginWay(uri: string): ReadonlyMap<string, Branch> {
  const parts = uri.slice(treeRoot.length).split("/").slice(0, depthMax);
  const places = parts.map((_, at) => `${treeRoot}${parts.slice(0, at + 1).join("/")}`);
  return new Map(places.map((place) => [place, beginBranch(place)]));
}

/** Number of the line that the directory of a line stands on; -1 at the root. */
export function parentOf(root: Branch, line: number): number {
  const found = lineAt(root, line);
  if (found === null || found.depth === 0) return -1;
  for (let at = line - found.index - 1; at >= 0; at -= 1)
    if (lineAt(root, at)?.entry?.uri === found.branch.uri) return at;
  return -1;
}

/** Sees to it that these lines come. */
export function want(root: Branch, first: number, last: number): void {
  realign(root);
  const ranges = new Map<Branch, { readonly first: number; last: number }>();
  for (let line = first; line <= last; line += 1) {
    const found = lineAt(root, line);
    if (found === null) continue;
    const range = ranges.get(found.branch);
    if (range === undefined) ranges.set(found.branch, { first: found.index, last: found.index });
    else range.last = found.index;
  }
  for (const [branch, range] of ranges) branch.rows.want(range.first, range.last);
}

/** Asks again for all that is unfolded. */
export function refresh(branch: Branch): void {
  branch.rows.refresh();
  for (const child of branch.open.peek().values()) refresh(child);
}

/** After a change an unfolded directory may stand at another number, or be gone. */
function realign({ rows, open }: Branch): void {
  const next = new Map(open.peek());
  let hasMoved = false;
  for (const [index, child] of open.peek()) {
    realign(child);
    const entry = rows.at(index);
    if (entry === undefined || entry.uri === child.uri) continue;
    hasMoved = true;
    next.delete(index);
    for (let at = 0; at < index + movedMax; at += 1)
      if (rows.at(at)?.uri === child.uri) next.set(at, child);
  }
  if (hasMoved) open.value = next;
}
