/**
 * Tells whether an exchange says what held once: every memory that its turn left of it was replaced or ended since, or
 * has a newer order beside it that may replace it.
 */
import { stemsOf } from "#language";
import {
  type FoundDocument,
  isExchange,
  type MemoryNode,
  type NodeStore,
  shownStatuses,
} from "#domain";
import { spokenOf } from "../exchange/exchange.ts";
import { newerOf } from "./lookup.ts";
import { currentSuccessors } from "./ranking.ts";
import { turnOf } from "./things.ts";

/** A memory that holds no more; null = nothing holds in its place. */
export interface Replaced {
  readonly old: MemoryNode;
  readonly by: MemoryNode | null;
}

/** Memories of one session that are read, the latest. */
const memoriesMax = 200;
/** Share of the words of the shorter of two texts from which they tell the same. */
const sameFrom = 0.6;
/** Share of a quote's words that an exchange has, where the memory does not say which turn it is of. */
const quotedFrom = 0.8;

/** Memories of an exchange's turn that tell the same as these sentences of it; empty while one of them holds. */
export function replacedIn(
  nodes: NodeStore,
  exchange: MemoryNode,
  sentences: readonly string[],
): readonly Replaced[] {
  const { sourceSession: session } = exchange;
  if (session === null || !isExchange(exchange.uri)) return [];
  const statuses = [...shownStatuses, "retracted"] as const;
  const page = { limit: memoriesMax };
  const told = nodes
    .list({ projects: null, session, statuses }, "recent", page)
    .filter((node) => isOfTurn(node, exchange) && sentences.some((one) => tellsSame(node.l0, one)));
  const active = told.filter(({ status }) => status === "active");
  const newer = newerOf(
    nodes,
    active.map(({ id }) => id),
  );
  if (active.some(({ id }) => !newer.has(id))) return [];
  return told
    .filter((node) => node.status !== "retracted" || hasHeld(nodes, node))
    .map((old) => ({ old, by: newer.get(old.id) ?? currentOf(nodes, old) }));
}

/** Marks the exchanges among results whose memories were replaced since. */
export const withReplaced = <One extends { readonly document: FoundDocument }>(
  nodes: NodeStore,
  hits: readonly One[],
): readonly One[] =>
  hits.map((hit) => {
    const { document } = hit;
    const by =
      document.kind === "exchange" && document.node !== null
        ? replacedIn(nodes, document.node, saidIn(document.node)).find((one) => one.by !== null)?.by
        : undefined;
    return by ? { ...hit, document: { ...document, supersededBy: by.uri } } : hit;
  });

const saidIn = ({ l0, l1 }: MemoryNode): readonly string[] =>
  spokenOf(l1 ?? l0).flatMap(({ by, text }) => (by === "asked" ? [] : [text]));

const isOfTurn = ({ evidence }: MemoryNode, { uri, l0, l1, sourceSession }: MemoryNode): boolean =>
  evidence.some(
    ({ sessionId, turn, quote }) =>
      sessionId === sourceSession &&
      (turn === null ? shareOf(quote, l1 ?? l0) >= quotedFrom : turn === turnOf(uri)),
  );

/** True if it was once in force; a memory that only waited for review never was. */
const hasHeld = (nodes: NodeStore, { id }: MemoryNode): boolean =>
  nodes.revisions(id).some(({ status }) => status === "active");

function currentOf(nodes: NodeStore, old: MemoryNode): MemoryNode | null {
  const node = old.status === "superseded" ? currentSuccessors(nodes, [old.id]).get(old.id) : old;
  return node?.status === "active" ? node : null;
}

const tellsSame = (a: string, b: string): boolean =>
  Math.max(shareOf(a, b), shareOf(b, a)) >= sameFrom;

function shareOf(text: string, other: string): number {
  const own = [...stemsOf(text)];
  const theirs = stemsOf(other);
  return own.length === 0 ? 0 : own.filter((stem) => theirs.has(stem)).length / own.length;
}
