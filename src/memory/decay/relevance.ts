/**
 * Decay: how much a memory is pushed, given when it was last used.
 *
 * Pure arithmetic. Must not know storage, clocks or rankings: the caller brings `nowMs`. It lowers what is pushed and
 * never hides what is searched.
 */
import { categoryRules } from "#domain";
import type { MemoryNode, Settings } from "#domain";
import { msPerDay } from "#kit";

/**
 * Relevance from `floor` to 1: halves with every half-life without use. Profile, preferences and pinned memories keep
 * 1. A clock that jumps back counts as no idle time, never as strength.
 */
export function relevanceAt(
  node: Pick<MemoryNode, "category" | "pinned" | "lastAccess" | "createdAt">,
  nowMs: number,
  settings: Settings["decay"],
): number {
  if (node.pinned || (node.category !== null && categoryRules[node.category].timeless)) return 1;
  const idleDays = Math.max(0, nowMs - (node.lastAccess ?? node.createdAt)) / msPerDay;
  return Math.max(settings.floor, 0.5 ** (idleDays / settings.halfLifeDays));
}

/**
 * New expiry after a use: the same span again, counted from the use. Call it with the node as it was before the use:
 * its span runs from the previous use, or from its creation. Null when the node does not expire.
 */
export function expiryAfterUse(
  node: Pick<MemoryNode, "expiresAt" | "lastAccess" | "createdAt">,
  usedAtMs: number,
): number | null {
  if (node.expiresAt === null) return null;
  const spanMs = Math.max(0, node.expiresAt - (node.lastAccess ?? node.createdAt));
  return Math.max(node.expiresAt, usedAtMs + spanMs);
}
