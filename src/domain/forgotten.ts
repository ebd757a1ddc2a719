/** Texts that the user had forgotten: a port to their fingerprints, and looking for them in other texts. */
import { spansOf } from "#kit";

/** Changes by forgetting, besides what it removed. */
export interface Forgotten {
  /** Injections of which lines were taken out. */
  readonly redacted: number;
}

/** Fingerprints of forgotten texts. */
export interface ForgottenTexts {
  /** False while nothing was ever forgotten here: then no text need be looked up. */
  readonly hasForgotten: () => boolean;
  /** True when something was forgotten at or after a time, ms. */
  readonly wasForgottenSince: (atMs: number) => boolean;
  /** True when this text (or one that was forgotten and normalises alike) must not be learnt again. */
  readonly isForgotten: (text: string) => boolean;
  /** Gives the time at which it was forgotten last, in epoch ms; null = `isForgotten` is false. */
  readonly forgottenAt: (text: string) => number | null;
  /** Leaves a fingerprint without removing anything: it was proposed and is not wanted. */
  readonly refuse: (texts: readonly string[], atMs: number) => void;
  /** Lifts a fingerprint: the user asked to remember it after all. */
  readonly unforget: (text: string) => void;
}

interface ForgottenStore {
  readonly nodes: ForgottenTexts;
}

/** Tells whether a text holds something that the user had forgotten: as a whole, a line or a sentence of it. */
export function holdsForgotten(
  { nodes }: ForgottenStore,
  texts: readonly (string | null)[],
): boolean {
  if (!nodes.hasForgotten()) return false;
  return texts.some((text) => text !== null && spansOf(text).some(nodes.isForgotten));
}

/**
 * Lifts the fingerprints in words that their user ordered at a time, when all are from before it: then it is a new
 * decision. False when there was nothing to lift, or it was forgotten later.
 */
export function liftForgotten(
  { nodes }: ForgottenStore,
  texts: readonly string[],
  orderedMs: number,
): boolean {
  if (!nodes.hasForgotten()) return false;
  const times = texts.flatMap(spansOf).flatMap((text) => nodes.forgottenAt(text) ?? []);
  if (times.length === 0 || Math.max(...times) >= orderedMs) return false;
  texts.forEach(nodes.unforget);
  return true;
}
