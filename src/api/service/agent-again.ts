/**
 * A memory of this session named again by its agent (`line` "#5a"), so that it takes the place of others: what outdates
 * them was said already, and need not be repeated.
 */
import { type Candidate, idOfShort, type MemoryNode } from "#domain";
import { slugOf } from "#memory";
import { bothStand, endFault } from "./agent-save.ts";
import type { Context } from "./context.ts";

interface AgainAsk {
  readonly by: "user" | "agent";
  readonly project: string | null;
  readonly sessionId: string | null;
  readonly nowMs: number;
  /** Memories that it takes the place of. */
  readonly old: readonly MemoryNode[];
}

/** The memory in force that a text names by its short id and this session made; null for any other text. */
export function namedAgain(context: Context, text: string, ask: AgainAsk): MemoryNode | null {
  const id = text.startsWith("#") && ask.by === "agent" ? idOfShort(text) : null;
  if (id === null || ask.sessionId === null || ask.old.length === 0) return null;
  const node = context.store.nodes.byId(id);
  return node?.status === "active" && node.evidence.some((one) => isOfSession(one, ask))
    ? node
    : null;
}

const isOfSession = (one: MemoryNode["evidence"][number], { sessionId }: AgainAsk): boolean =>
  one.sessionId === sessionId;

/** The memory as it stands, in place of what it may end: a user's memory only as its own quote did. */
export function candidateAgain(
  node: MemoryNode,
  ask: AgainAsk,
): { readonly candidate: Candidate; readonly doubt: string | null } | null {
  const evidence = node.evidence.find((one) => isOfSession(one, ask));
  const { category } = node;
  if (evidence === undefined || category === null || category === "sessions") return null;
  const { project, slot } = node;
  const asked = { project, sessionId: ask.sessionId, slot, line: node.l0 };
  const others = ask.old.filter(({ id }) => id !== node.id);
  const kept = others.filter(
    (one) =>
      endFault(asked, one, evidence.quote) !== null ||
      (one.origin === "user" && node.origin !== "user"),
  );
  const candidate: Candidate = {
    category,
    project,
    slot,
    evidence,
    uriHint: slugOf(node.l0),
    l0: node.l0,
    l1: node.l1,
    l2: node.l2,
    importance: node.importance,
    tags: node.tags,
    files: node.files,
    aliases: node.aliases,
    origin: node.origin,
    maker: "manual",
    branch: node.branch,
    atMs: ask.nowMs,
    expiresAt: node.expiresAt,
    replaces: others.filter((one) => !kept.includes(one)).map(({ id }) => id),
  };
  return { candidate, doubt: bothStand(kept) };
}
