/** Tells whether a text holds something that the user had forgotten: as a whole, a line or a sentence of it. */
import { spansOf } from "#kit";
import type { Store } from "./store.ts";

export function holdsForgotten({ nodes }: Store, texts: readonly (string | null)[]): boolean {
  if (!nodes.hasForgotten()) return false;
  return texts.some((text) => text !== null && spansOf(text).some(nodes.isForgotten));
}

/**
 * Lifts the fingerprints in words that their user ordered at a time, when all are from before it: then it is a new
 * decision. False when there was nothing to lift, or it was forgotten later.
 */
export function liftForgotten(
  { nodes }: Store,
  texts: readonly string[],
  orderedMs: number,
): boolean {
  if (!nodes.hasForgotten()) return false;
  const times = texts.flatMap(spansOf).flatMap((text) => nodes.forgottenAt(text) ?? []);
  if (times.length === 0 || Math.max(...times) >= orderedMs) return false;
  texts.forEach(nodes.unforget);
  return true;
}
