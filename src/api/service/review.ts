/** The review inbox: memories that were proposed and do nothing until a person has said yes. */
import { anchorText, type FindQuery, type Link, type MemoryNode, type NodeFilter } from "#domain";
import { isDoubt, settledWeight } from "#memory";
import { err, ok, type Result } from "#kit";
import type {
  ContradictedJson,
  ReviewedJson,
  ReviewJson,
  ReviewPageJson,
} from "../forms-history.ts";
import type { NodeJson } from "../forms-memory.ts";
import { type Cause, leafToChange, patchOf, save, wordingsOf } from "./edit.ts";
import type { ServiceError } from "./errors.ts";
import { evidenceOf, memoryToJson, nodePage } from "./views.ts";
import { cursorAfter, defined, pageOf } from "./scope.ts";
import type { Body, Context, Timed, TimedQuery } from "./context.ts";
import { settledBy } from "./history.ts";

type ReviewAsk = Body<"POST /api/review/:id"> & Timed & { readonly id: number };

const pending: NodeFilter = { projects: null, statuses: ["pending"] };
/** Memories like it that are shown beside one that waits. */
const similarMax = 3;
const contradictedMax = 100;
const reviewLimit = 20;
/** Entries of a page that it is looked up for: each costs a search. */
const lookedUpMax = 3;

/** Everything that waits, the latest first. */
export function inbox(
  context: Context,
  ask: TimedQuery<"GET /api/review">,
): Result<ReviewPageJson, ServiceError> {
  const page = pageOf({ limit: reviewLimit, ...defined(ask) });
  if (!page.ok) return page;
  const total = context.store.nodes.count(pending);
  const nodes = context.store.nodes.list(pending, "recent", page.value);
  return ok({
    items: nodes.map((node, at) =>
      entryOf(context, node, at < lookedUpMax ? similarTo(context, node, ask.nowMs) : []),
    ),
    contradicted: page.value.offset === 0 ? contradictedIn(context) : [],
    total,
    next_cursor: cursorAfter(page.value, total),
  });
}

/** Memories in force that a newer order may have replaced, with that order; the latest first. */
function contradictedIn({ store }: Context): readonly ContradictedJson[] {
  const { nodes } = store;
  return nodes.doubts(contradictedMax).flatMap(({ fromId, toId }) => {
    const [newer, older] = [nodes.byId(fromId), nodes.byId(toId)];
    if (newer?.status !== "active" || older?.status !== "active") return [];
    const contradicted = { id: older.id, uri: newer.uri, text: newer.l0 };
    return [{ ...memoryToJson(older), contradicted }];
  });
}

function entryOf(context: Context, node: MemoryNode, similar: ReviewJson["similar"]): ReviewJson {
  const latest = context.store.history.latest(node.id);
  return {
    ...memoryToJson(node),
    id: node.id,
    revision: latest?.id ?? 0,
    reason: latest?.reason ?? "",
    evidence: evidenceOf(context, node),
    similar,
  };
}

function similarTo({ finder }: Context, node: MemoryNode, nowMs: number): ReviewJson["similar"] {
  const query: FindQuery = {
    text: node.l0,
    kinds: ["memory"],
    projects: node.project === null ? null : [node.project],
    homeProject: node.project,
    statuses: ["active"],
    limit: similarMax,
    sort: "relevance",
    nowMs,
  };
  return finder.find(query).map(({ uri, l0 }) => ({ uri, l0 }));
}

/** Accepted: in force from now on. Rejected: put away, and not proposed again. Both can be undone by `revert`. */
export function review(context: Context, ask: ReviewAsk): Result<ReviewedJson, ServiceError> {
  const node = context.store.nodes.byId(ask.id);
  if (node?.status === "active") {
    const doubt = context.store.nodes
      .links(node.id)
      .find((one) => isDoubt(one) && one.toId === node.id);
    if (doubt !== undefined) return settle(context, node, { ...ask, doubt });
  }
  if (node?.status !== "pending") return err({ type: "review.not-found", id: ask.id });
  return ask.action === "accept" ? accept(context, node, ask) : reject(context, node, ask);
}

function accept(
  context: Context,
  node: MemoryNode,
  ask: ReviewAsk,
): Result<ReviewedJson, ServiceError> {
  const patch = patchOf(context, node, ask.edit ?? {});
  if (!patch.ok) return patch;
  const reason = ask.edit === undefined ? "accepted" : "accepted with changes";
  const cause = { atMs: ask.nowMs, action: "accept", by: "user", reason } as const;
  const ending = namedBy(context, node, "ends");
  if (ending.length > 0) return ok(endProposed(context, node, ending, cause));
  return ok({
    action: "accepted",
    memory: context.store.transaction(() => {
      const named = namedBy(context, node, "replaces");
      const memory = save(context, node, { ...patch.value, status: "active" }, cause);
      for (const old of named) {
        const reason = "replaced by what was accepted";
        const ended = { status: "superseded", validTo: ask.nowMs } as const;
        context.store.nodes.update(old.id, ended, { ...cause, action: "supersede", reason });
        context.store.nodes.relate(node.id, old.id, "supersedes", ask.nowMs);
      }
      return memory;
    }),
  });
}

/** Accepts a proposal to end memories: they are put away, and so is the proposal. */
function endProposed(
  context: Context,
  proposal: MemoryNode,
  ending: readonly MemoryNode[],
  cause: Cause,
): ReviewedJson {
  return context.store.transaction(() => {
    const patch = { status: "retracted", validTo: cause.atMs } as const;
    for (const node of ending) save(context, node, patch, { ...cause, action: "retract" });
    return { action: "accepted", memory: save(context, proposal, patch, cause) };
  });
}

/** Memories in force that its writer wanted replaced or ended, as its first revision says. */
function namedBy(
  { store }: Context,
  node: MemoryNode,
  what: "replaces" | "ends",
): readonly MemoryNode[] {
  const made = store.nodes.revisions(node.id).find(({ action }) => action === "create");
  return (made?.about?.what === what ? made.about.uris : [])
    .flatMap((uri) => store.nodes.byUri(uri) ?? [])
    .filter(({ status }) => status === "active" || (what === "replaces" && status === "pending"));
}

function reject(
  context: Context,
  node: MemoryNode,
  ask: ReviewAsk,
): Result<ReviewedJson, ServiceError> {
  const { nowMs: atMs } = ask;
  const patch = { status: "retracted", validTo: atMs } as const;
  return ok({
    action: "rejected",
    memory: context.store.transaction(() => {
      const memory = save(context, node, patch, { atMs, action: "reject", reason: "rejected" });
      context.store.nodes.refuse(wordingsOf(node), atMs);
      return memory;
    }),
  });
}

/** Accepted: the newer order has replaced the memory. Rejected: both hold. */
function settle(
  context: Context,
  older: MemoryNode,
  { action, doubt, nowMs }: ReviewAsk & { readonly doubt: Link },
): Result<ReviewedJson, ServiceError> {
  const { store } = context;
  return ok(
    store.transaction((): ReviewedJson => {
      store.nodes.link({ ...doubt, weight: settledWeight });
      const why = { ...settledBy(store, action, doubt.fromId), atMs: nowMs };
      if (action === "reject") {
        const memory = save(context, older, {}, { ...why, action });
        return { action: "rejected", memory };
      }
      store.nodes.relate(doubt.fromId, older.id, "supersedes", nowMs);
      const cause = { ...why, action: "supersede" } as const;
      const patch = { status: "superseded", validTo: nowMs } as const;
      return { action: "accepted", memory: save(context, older, patch, cause) };
    }),
  );
}

// `verify`: holds a memory against the code that it names, or says that it holds for the code as it is now.

export async function verify(
  context: Context,
  { uri, folder, holds, nowMs }: Body<"POST /api/nodes/verify"> & Timed,
): Promise<Result<NodeJson, ServiceError>> {
  if (!context.writable) return err({ type: "service.read-only" });
  const found = leafToChange(context, uri, null);
  if (!found.ok) return found;
  const { node } = found.value;
  const anchors = await context.work.anchorsNow(node, { folder, holds });
  if (anchors === null) return err({ type: "code.no-repository", folder });
  const texts = anchors.map(anchorText);
  if (holds) {
    const cause = { atMs: nowMs, action: "reinforce", reason: "verified" } as const;
    return ok(save(context, node, { anchors: texts }, cause));
  }
  context.store.nodes.anchor(node.id, texts);
  const after = context.store.nodes.byId(node.id) ?? node;
  return ok(nodePage(context, after));
}
