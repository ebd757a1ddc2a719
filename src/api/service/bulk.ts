/**
 * One change of many memories: a slice at a time, so that hooks get their turn between, and one way back. What a slice
 * changes are revisions with ids in a row, since a transaction is all that writes meanwhile.
 */
import type { BulkJson } from "../forms-memory.ts";
import type { MemoryNode, Revision } from "#domain";
import { err, ok, type Result } from "#kit";
import { save, wordingsOf } from "./edit.ts";
import type { ServiceError } from "./errors.ts";
import { forgetNodes } from "./forget.ts";
import { patchTo } from "./history.ts";
import { filterOf } from "./search.ts";
import { exactNodeAt } from "./memories.ts";
import { cursorOf, numbersIn } from "./scope.ts";
import type { Body, Context } from "./context.ts";

export interface BulkAsk {
  /** Memories by their URIs, or all that a list would show but these. */
  readonly of:
    | { readonly uris: readonly string[] }
    | {
        readonly filter: Omit<Parameters<typeof filterOf>[1], "nowMs">;
        readonly except: readonly string[];
      };
  /** `next` of the slice before; null = the first. */
  readonly cursor: string | null;
  readonly change: Body<"POST /api/bulk">["change"];
  readonly nowMs: number;
}

/** Memories of one slice: some tens of milliseconds. */
const sliceMax = 100;
/** To forget one, every record is looked through, and that costs the same for twenty. */
const forgetSliceMax = 500;
/** Named of those that could not be changed. */
const refusedMax = 20;
/** A slice makes one revision of each. */
const stepMax = sliceMax;

interface Slice {
  readonly nodes: readonly MemoryNode[];
  readonly next: string | null;
}

/** One slice. Memories that cannot be changed so are named, and the others are changed. */
export function bulk(context: Context, ask: BulkAsk): Result<BulkJson, ServiceError> {
  const slice = sliceOf(context, ask);
  if (!slice.ok) return slice;
  const { nodes, next } = slice.value;
  const { change, nowMs } = ask;
  if ("forget" in change) {
    forgetNodes(context, nodes, { nowMs, isLast: next === null });
    return ok({ changed: nodes.length, refused: [], first: null, last: null, next });
  }
  const refused: BulkJson["refused"][number][] = [];
  const ids = context.store.transaction(() =>
    nodes.flatMap((node) => {
      const made = decide(context, node, { action: change.review, nowMs });
      if (!made.ok) refused.push({ uri: node.uri, type: made.error.type });
      return made.ok ? [made.value] : [];
    }),
  );
  return ok({
    changed: ids.length,
    refused: refused.slice(0, refusedMax),
    first: ids[0] ?? null,
    last: ids.at(-1) ?? null,
    next,
  });
}

const sliceOf = (context: Context, ask: BulkAsk): Result<Slice, ServiceError> =>
  "uris" in ask.of ? ok(namedSlice(context, ask.of.uris)) : listedSlice(context, ask, ask.of);

function namedSlice(context: Context, uris: readonly string[]): Slice {
  const nodes = new Map<number, MemoryNode>();
  for (const uri of uris) {
    const found = exactNodeAt(context, uri);
    // One that is gone meanwhile must not keep the others from being changed.
    if (found.ok && found.value.nodeType === "leaf") nodes.set(found.value.id, found.value);
  }
  return { nodes: [...nodes.values()], next: null };
}

function listedSlice(
  context: Context,
  { cursor, change, nowMs }: BulkAsk,
  of: Extract<BulkAsk["of"], { readonly except: unknown }>,
): Result<Slice, ServiceError> {
  const filter = filterOf(context, { ...of.filter, nowMs });
  if (!filter.ok) return filter;
  const { nodes: store } = context.store;
  const place = cursor === null ? [0, store.lastId()] : numbersIn("b", cursor, 2);
  if (place === null) return err({ type: "cursor.invalid" });
  const [id = 0, last = 0] = place;
  const most = "forget" in change ? forgetSliceMax : sliceMax;
  const ids = store.idsAfter(filter.value, { id, last }, most);
  const except = new Set(of.except);
  const end = ids.at(-1);
  return ok({
    nodes: store.byIds(ids).filter(({ uri }) => !except.has(uri)),
    next: end === undefined || ids.length < most ? null : cursorOf("b", [end, last]),
  });
}

/** Id of the revision that it made. */
function decide(
  context: Context,
  node: MemoryNode,
  { action, nowMs: atMs }: { readonly action: "accept" | "reject"; readonly nowMs: number },
): Result<number, ServiceError> {
  if (node.status !== "pending") return err({ type: "review.not-found", id: node.id });
  const cause = { atMs, by: "user", action, reason: `${action}ed with others` } as const;
  const patch =
    action === "accept"
      ? ({ status: "active" } as const)
      : ({ status: "retracted", validTo: atMs } as const);
  save(context, node, patch, cause);
  if (action === "reject") context.store.nodes.refuse(wordingsOf(node), atMs);
  return ok(context.store.history.latest(node.id)?.id ?? 0);
}

/** Takes back revisions that one slice made, but where the memory has changed since. */
export function undoBulk(
  context: Context,
  { first, last }: { readonly first: number; readonly last: number },
  nowMs: number,
): Result<BulkJson, ServiceError> {
  const { history, nodes } = context.store;
  const step = last - first < stepMax ? history.between(first, last) : [];
  const undone = context.store.transaction(() =>
    step.filter((revision) => {
      const node = nodes.byId(revision.nodeId);
      // A later change is not what this undo was offered for.
      if (node === null || history.latest(node.id)?.id !== revision.id) return false;
      return takeBack(context, node, revision, nowMs);
    }),
  );
  return ok({
    changed: undone.length,
    refused: [],
    first: undone[0]?.id ?? null,
    last: undone.at(-1)?.id ?? null,
    next: null,
  });
}

function takeBack(context: Context, node: MemoryNode, revision: Revision, atMs: number): boolean {
  const target = context.store.history.before(revision);
  if (target === null) return false;
  const cause = { atMs, action: "revert", by: "user", reason: "undid a change of many" } as const;
  save(context, node, patchTo(context, node, target, atMs), cause);
  return true;
}
