/**
 * Decay: how much a memory is pushed, given when it was last used.
 *
 * Pure arithmetic. Must not know storage, clocks or rankings: the caller brings `nowMs`. It lowers what is pushed and
 * never hides what is searched.
 */
import {
  categoryRules,
  type EvaluationType,
  evaluationTypes,
  headlessTag,
  isExchange,
  type MemoryNode,
  type Settings,
} from "#domain";
import { msPerDay } from "#kit";

/**
 * Relevance from `floor` to 1: halves with every half-life without use. Profile, preferences and pinned memories keep
 * 1. A clock that jumps back counts as no idle time, never as strength.
 */
export function relevanceAt(node: MemoryNode, nowMs: number, settings: Settings["decay"]): number {
  if (node.pinned || (node.category !== null && categoryRules[node.category].timeless)) return 1;
  const idleDays = Math.max(0, nowMs - (node.lastAccess ?? node.createdAt)) / msPerDay;
  return Math.max(settings.floor, 0.5 ** (idleDays / settings.halfLifeDays));
}

/**
 * New expiry after a use: the same span again, counted from the use. Call it with the node as it was before the use:
 * its span runs from the previous use, or from its creation. Null when the node does not expire.
 */
export function expiryAfterUse(node: MemoryNode, usedAtMs: number): number | null {
  if (node.expiresAt === null) return null;
  const spanMs = Math.max(0, node.expiresAt - (node.lastAccess ?? node.createdAt));
  return Math.max(node.expiresAt, usedAtMs + spanMs);
}

// Rates an exchange and says for how long it is given beside a tool, by the type that is its first tag. Pure.

/** From 0 to 1, and the days for which it is given: 90 from 0.8, 30 from 0.5, 7 below. */
const weights: Readonly<Record<EvaluationType, { readonly score: number; readonly days: number }>> =
  {
    decision: { score: 0.8, days: 90 },
    correction: { score: 0.7, days: 30 },
    insight: { score: 0.7, days: 30 },
    iteration: { score: 0.6, days: 30 },
    error: { score: 0.55, days: 30 },
    routine: { score: 0.3, days: 7 },
  };

/** The significance of an exchange, from 0 to 1; null for one that was kept before they had any. */
export const significanceOf = (tags: readonly string[]): number | null => {
  const type = typeOf(tags);
  return type === null ? null : weights[type].score;
};

const typeOf = ([first]: readonly string[]): EvaluationType | null =>
  evaluationTypes.find((type) => type === first) ?? null;

/**
 * `givenUntil` gives the time at which an exchange stops being given beside a tool; searches and prompts find it ever
 * after. Null = never. Use begins the same span anew.
 */
export function givenUntil({
  uri,
  tags,
  lastAccess,
  validFrom,
  createdAt,
}: MemoryNode): number | null {
  const type = isExchange(uri) ? typeOf(tags) : null;
  return type === null
    ? null
    : Math.max(validFrom ?? createdAt, lastAccess ?? 0) + weights[type].days * msPerDay;
}

/** False for an exchange whose time is over, and for one whose prompt a program sent. */
export const isGiven = (node: Parameters<typeof givenUntil>[0], nowMs: number): boolean =>
  !node.tags.includes(headlessTag) && nowMs < (givenUntil(node) ?? Number.POSITIVE_INFINITY);
