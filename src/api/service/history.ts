/** Gives the history of a memory: its revisions, the difference between two, and the way back to any of them. */
import {
  type Link,
  type MemoryNode,
  type NodePatch,
  type Revision,
  type RevisionCause,
  type RevisionFields,
  shortIdOf,
  type Store,
} from "#domain";
import { err, ok, type Result } from "#kit";
import { expiryAfterUse, settledWeight } from "#memory";
import type { DiffJson, DiffPartJson, HistoryJson, RevisionHeadJson } from "../forms-history.ts";
import type { NodeJson } from "../forms-memory.ts";
import { type Cause, leafToChange, placeIn, save } from "./edit.ts";
import type { ServiceError } from "./errors.ts";
import { nodeAt } from "./memories.ts";
import { cursorOf, numbersIn } from "./scope.ts";
import { revisionToJson } from "./views.ts";
import type { Body, Context, Query, Timed } from "./context.ts";

/** A history is read whole unless the asker names a limit. */
const historyLimit = 1_000;

export function history(
  context: Context,
  { uri, order, limit = historyLimit, cursor }: Query<"GET /api/nodes/history">,
): Result<HistoryJson, ServiceError> {
  const { store } = context;
  const found = nodeAt(context, uri);
  if (!found.ok) return found;
  const after = cursor == null ? [] : numbersIn("h", cursor, 1);
  if (after === null) return err({ type: "cursor.invalid" });
  // One more than asked for tells whether there is another page.
  const read = store.history.page(found.value.id, {
    order,
    limit: limit + 1,
    afterId: after[0] ?? null,
  });
  const shown = read.slice(0, limit);
  const last = shown.at(-1);
  return ok({
    uri: found.value.uri,
    items: shown.map((revision) => revisionToJson(revision, found.value)),
    next_cursor: read.length > limit && last !== undefined ? cursorOf("h", [last.id]) : null,
  });
}

/** Between two revisions of one memory; absent = the last one, and the one before `to`. */
export function diff(
  context: Context,
  { uri, ...between }: Query<"GET /api/nodes/diff">,
): Result<DiffJson, ServiceError> {
  const { store } = context;
  const found = nodeAt(context, uri);
  if (!found.ok) return found;
  const to =
    between.to === undefined
      ? store.history.latest(found.value.id)
      : at(store, found.value, between.to);
  if (to === null) return err({ type: "revision.not-found", uri });
  const from =
    between.from === undefined ? store.history.before(to) : at(store, found.value, between.from);
  if (from === null && between.from !== undefined) return err({ type: "revision.not-found", uri });
  return ok({
    uri: found.value.uri,
    from: from === null ? null : headOf(from),
    to: headOf(to),
    tiers: tiers.flatMap((tier) => {
      const before = from?.[tier] ?? "";
      const after = to[tier] ?? "";
      return before === after ? [] : [{ tier, parts: diffText(before, after) }];
    }),
    fields: fieldsBetween(from, to),
  });
}

const tiers = ["l0", "l1", "l2"] as const;

function at(store: Store, node: MemoryNode, id: number): Revision | null {
  const revision = store.history.byId(id);
  return revision?.nodeId === node.id ? revision : null;
}

const headOf = ({ id, atMs, action, by, reason }: Revision): RevisionHeadJson => ({
  id,
  at: atMs,
  action,
  by,
  reason,
});

/** Names as `--json` has them. */
const fieldNames = {
  uri: "uri",
  category: "category",
  project: "project",
  aliases: "aliases",
  importance: "importance",
  evidenceCount: "evidence_count",
  tags: "tags",
  files: "files",
  anchors: "anchors",
  pinned: "pinned",
  origin: "origin",
  validFrom: "valid_from",
  validTo: "valid_to",
  expiresAt: "expires_at",
  evidence: "evidence",
  mergedFrom: "merged_from",
  slot: "slot",
} as const satisfies Record<keyof RevisionFields, string>;

function fieldsBetween(from: Revision | null, to: Revision): DiffJson["fields"] {
  const text = (value: unknown): string => JSON.stringify(value ?? null);
  const changed = Object.entries(fieldNames).flatMap(([field, name]) => {
    const key = field as keyof RevisionFields;
    const before = from === null ? null : text(from.fields[key]);
    const after = text(to.fields[key]);
    return before === after ? [] : [{ name, before, after }];
  });
  const status = {
    name: "status",
    before: from === null ? null : text(from.status),
    after: text(to.status),
  };
  return status.before === status.after ? changed : [status, ...changed];
}

type RevertAsk = Body<"POST /api/nodes/revert"> & Timed & { readonly expected: number | null };

/** Makes a memory what it was at a revision; null = before its last change. A revision of its own. */
export function revert(context: Context, ask: RevertAsk): Result<NodeJson, ServiceError> {
  const found = leafToChange(context, ask.uri, ask.expected);
  if (!found.ok) return found;
  const { node, latest } = found.value;
  const { store } = context;
  const target =
    ask.revision === null ? store.history.before(latest) : at(store, node, ask.revision);
  if (target === null) return err({ type: "revision.not-found", uri: ask.uri });
  const reason = ask.revision === null ? "undid the last change" : "restored an earlier revision";
  return ok(store.transaction(() => goBack(context, node, target, { atMs: ask.nowMs, reason })));
}

/** Makes a memory what it was at a revision, with what hangs on that. */
export function goBack(
  context: Context,
  node: MemoryNode,
  target: Revision,
  { atMs, ...otherwise }: Pick<Cause, "atMs" | "reason" | "about">,
): NodeJson {
  partsComeBack(context, node, target, atMs);
  pairComesBack(context.store, node, target);
  const patch = patchTo(context, node, target, atMs);
  // A decision that is made again can be undone again.
  const { reason, about } = target.about?.what === "settles" ? target : otherwise;
  return save(context, node, patch, { atMs, action: "revert", reason, ...(about && { about }) });
}

/** Everything as it was, in its old place when that is free; what had expired gets its span once more. */
export function patchTo(
  context: Context,
  node: MemoryNode,
  target: Revision,
  nowMs: number,
): NodePatch {
  const { l0, l1, l2, status, fields } = target;
  const { category } = fields;
  const isFree = fields.uri === node.uri || context.store.nodes.byUri(fields.uri) === null;
  // In the right directory it stays where it is: a second time nothing would move.
  const isThere =
    category === null || (category === node.category && fields.project === node.project);
  const uri = isFree ? fields.uri : isThere ? node.uri : placeIn(context, node, category);
  const hasExpired =
    status !== "retracted" && fields.expiresAt !== null && fields.expiresAt <= nowMs;
  const expiresAt = hasExpired
    ? expiryAfterUse({ ...node, expiresAt: fields.expiresAt }, nowMs)
    : fields.expiresAt;
  return { ...fields, l0, l1, l2, status, uri, expiresAt };
}

/** Undoing a merge brings back what was merged: memories that ended because of it. */
function partsComeBack(context: Context, node: MemoryNode, target: Revision, nowMs: number): void {
  const { store } = context;
  const parts = node.mergedFrom.filter((id) => !target.fields.mergedFrom.includes(id));
  for (const part of store.nodes.byIds(parts)) {
    const ended = store.history.latest(part.id);
    const before = ended === null ? null : store.history.before(ended);
    if (part.status === "active" || before?.status !== "active") continue;
    const reason = "its merge was undone";
    const patch = patchTo(context, part, before, nowMs);
    save(context, part, patch, { atMs: nowMs, action: "revert", reason });
  }
}

// A person's decision on two memories that contradict each other, kept with the older one's revision, and the way back
// from it.

const words = { accept: "replaced by", reject: "holds beside" } as const;

/** Part of the cause by which the revision of the older memory tells of its pair. */
export const settledBy = (
  { nodes }: Store,
  action: keyof typeof words,
  newerId: number,
): Pick<RevisionCause, "reason" | "about"> => ({
  reason: `${words[action]} ${shortIdOf(newerId)}`,
  about: { what: "settles", uris: nodes.byIds([newerId]).map(({ uri }) => uri) },
});

/** The newer memory of the pair that a revision decided; null = it decided none. */
export const settledWith = ({ nodes }: Store, { about }: Revision): number | null =>
  (about?.what === "settles" ? about.uris : [])
    .flatMap((uri) => nodes.byUri(uri)?.id ?? [])
    .at(0) ?? null;

/** Goes back to before or after a decision, as the memory goes back to a revision: its pair is asked about, or not. */
function pairComesBack(store: Store, node: MemoryNode, target: Revision): void {
  const pairWith = (newer: number): Link | undefined =>
    store.nodes
      .links(node.id)
      .find(
        (link) => link.relation === "contradicts" && link.fromId === newer && link.toId === node.id,
      );
  const weigh = (newer: number | null, weight: number): void => {
    const pair = newer === null ? undefined : pairWith(newer);
    if (pair !== undefined) store.nodes.link({ ...pair, weight });
  };
  for (
    let at = store.history.latest(node.id);
    at !== null && at.id > target.id;
    at = store.history.before(at)
  )
    weigh(settledWith(store, at), openWeight);
  weigh(settledWith(store, target), settledWeight);
}

const openWeight = 1;

/**
 * The difference between two texts, for people: what both begin and end with, and between them what went and what came.
 * Compares whole lines in a text of several, else words. Pure.
 */
export function diffText(before: string, after: string): readonly DiffPartJson[] {
  const isProse = !before.includes("\n") && !after.includes("\n");
  const pieces = isProse ? /\s+|[^\s]+/gu : /[^\n]*\n|[^\n]+$/g;
  const [old, now] = [before.match(pieces) ?? [], after.match(pieces) ?? []];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const parts: readonly DiffPartJson[] = [
    { op: "same", text: old.slice(0, head).join("") },
    { op: "removed", text: old.slice(head, old.length - tail).join("") },
    { op: "added", text: now.slice(head, now.length - tail).join("") },
    { op: "same", text: old.slice(old.length - tail).join("") },
  ];
  return parts.filter(({ text }) => text !== "");
}
