/**
 * Decay: how much a memory is pushed, given when it was last used; and how long a moment lives.
 *
 * Pure arithmetic. Must not know storage, clocks or rankings: the caller brings `nowMs`. It lowers what is pushed and
 * never hides what is searched.
 */
import { categoryRules } from "#domain";
import type { MemoryNode, Settings } from "#domain";
import { msPerDay } from "#kit";
import { limits } from "../limits.ts";

/**
 * Relevance from `floor` to 1: halves with every half-life without use. Profile, preferences and pinned memories keep
 * 1. A clock that jumps back counts as no idle time, never as strength.
 */
export function relevanceAt(
  node: Pick<MemoryNode, "uri" | "category" | "pinned" | "lastAccess" | "createdAt">,
  nowMs: number,
  settings: Settings["decay"],
): number {
  if (node.pinned || (node.category !== null && categoryRules[node.category].timeless)) return 1;
  const halfLifeDays = isMoment(node.uri) ? settings.momentHalfLifeDays : settings.halfLifeDays;
  const idleDays = Math.max(0, nowMs - (node.lastAccess ?? node.createdAt)) / msPerDay;
  return Math.max(settings.floor, 0.5 ** (idleDays / halfLifeDays));
}

/** Moments fade sooner than the rest of the archive (docs/design/memory.md, "Lifecycle"). */
const isMoment = (uri: string): boolean => /^mem:\/\/sessions\/[^/]+\/moments\//.test(uri);

/** Life of a moment by its score; below the last row it is not stored (docs/design/memory.md, "Lifecycle"). */
const momentLives = [
  { scoreMin: 0.8, days: 90 },
  { scoreMin: 0.5, days: 30 },
  { scoreMin: 0.3, days: 7 },
] as const;

/** Milliseconds a moment of this score lives; null = it is not stored. */
export function momentLifetimeMs(score: number): number | null {
  const life = momentLives.find(({ scoreMin }) => score >= scoreMin);
  return life === undefined ? null : life.days * msPerDay;
}

/**
 * Least score that becomes a moment when a session already has `countInSession` of them. The configured threshold
 * holds unless the session is talkative; then 0.4 does for its rest.
 */
export const momentThreshold = (countInSession: number, configured = 0.3): number =>
  countInSession > limits.momentsPerSessionBeforeStrict ? Math.max(0.4, configured) : configured;

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
