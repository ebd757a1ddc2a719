/** Failure recall: the one memory or exchange that tells of the failure that a tool has just met. Read-only. */
import { failureLineOf, isExchange, type DocumentKind, type MemoryNode } from "#domain";
import { isSymptomOf } from "#memory";
import type { AcceptDeps } from "./deps.ts";

export interface MetAsk {
  /** What the tool printed, gated. */
  readonly text: string;
  readonly sessionId: string;
  readonly project: string;
  readonly nowMs: number;
  /** False for what must not be given here. */
  readonly isOffered: (node: MemoryNode) => boolean;
}

/** Looked at closely, of each kind. */
const foundMax = 8;
/** A memory says in words what went wrong; an exchange may only quote it. */
const kinds: readonly DocumentKind[] = ["memory", "exchange"];

/** The best match; null when nothing that is known tells of this failure. */
export function metBefore(deps: AcceptDeps, ask: MetAsk): MemoryNode | null {
  const line = failureLineOf(ask.text);
  if (line === null) return null;
  for (const kind of kinds) {
    const found = deps.finder.find({
      text: line.text,
      kinds: [kind],
      projects: [ask.project],
      homeProject: ask.project,
      statuses: ["active"],
      limit: foundMax,
      sort: "relevance",
      nowMs: ask.nowMs,
    });
    for (const { node } of found)
      if (node !== null && isOfBefore(node, ask) && isSymptomOf(line, allOf(node))) return node;
  }
  return null;
}

/** What this session said itself stands in its context. Memories of everywhere are no failures of this project. */
const isOfBefore = (node: MemoryNode, ask: MetAsk): boolean =>
  node.project === ask.project && node.sourceSession !== ask.sessionId && ask.isOffered(node);

const allOf = ({ uri, l0, l1, l2 }: MemoryNode): string =>
  // An exchange's whole text also holds what was tried and said beside it.
  isExchange(uri) ? `${l0}\n${l1 ?? ""}` : `${l0}\n${l1 ?? ""}\n${l2 ?? ""}`;
