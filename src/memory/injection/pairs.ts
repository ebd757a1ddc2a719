/**
 * Orders that may have replaced an older one (relation `contradicts`, see merge/plan.ts): the two are shown together,
 * the newer one first, until a person or a model decides.
 */
import type { NodeStore } from "#domain";
import { cutToTokens } from "#kit";
import { doubtsOf } from "../retrieval/lookup.ts";
import { neutralise, quote } from "./neutral.ts";

const markTokensMax = 25;

/** Marks for the lines of memories that stand in an open pair. */
export interface PairMarks {
  /** True for an older memory whose newer one is among those that were asked for. */
  readonly isFolded: (id: number) => boolean;
  /** `; earlier: "…"` or `; newer: "…"`, empty for a memory without a pair. */
  readonly markOf: (id: number) => string;
}

const noPairs: PairMarks = { isFolded: () => false, markOf: () => "" };

type PairNodes = Pick<NodeStore, "linksOf" | "byIds">;

/** Reads the open pairs of these memories; only active memories make a pair. */
export function pairMarks(nodes: PairNodes, ids: readonly number[]): PairMarks {
  if (ids.length === 0) return noPairs;
  const asked = new Set(ids);
  const pairs = doubtsOf(nodes, ids);
  if (pairs.length === 0) return noPairs;
  const known = new Map(
    nodes
      .byIds([...new Set(pairs.flatMap(({ fromId, toId }) => [fromId, toId]))])
      .filter(({ status }) => status === "active")
      .map((node) => [node.id, node]),
  );
  const open = pairs.filter(({ fromId, toId }) => known.has(fromId) && known.has(toId));
  const mark = (word: string, id: number): string => {
    const text = known.get(id)?.l0 ?? "";
    return `; ${word}: ${quote(cutToTokens(neutralise(text), markTokensMax))}`;
  };
  return {
    isFolded: (id) => open.some(({ fromId, toId }) => toId === id && asked.has(fromId)),
    markOf: (id) => {
      const newer = open.find(({ toId }) => toId === id);
      if (newer !== undefined) return mark("newer", newer.fromId);
      const older = open.find(({ fromId }) => fromId === id);
      return older === undefined ? "" : mark("earlier", older.toId);
    },
  };
}
