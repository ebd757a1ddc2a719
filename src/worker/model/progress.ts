/**
 * How far a session has been handed to the model: kept beside the store's other small facts, so that no turn is sent
 * twice and none that was typed while no model was chosen is sent at all.
 */
import type { Store } from "#domain";

export interface Progress {
  /** The latest turn that began while a model was chosen. */
  readonly seen: number;
  /** Last turn that was asked about. */
  readonly digested: number;
  /** Last turn that a model's digest tells of. */
  readonly told: number;
  /** How often the session fell silent: tells the quiet jobs of one session apart. */
  readonly quiet: number;
  /** Number of the checkpoint that the last digest became; 0 = none. */
  readonly digest: number;
  /** Prompts that a person typed in the stretches asked about so far, and memories that came of them. */
  readonly typed: number;
  readonly made: number;
}

/** As they are stored; null = a number that only earlier versions wrote. */
const fields: readonly (keyof Progress | null)[] = [
  ...(["seen", null, null, null, "digested", null, null, null] as const),
  ...(["told", "quiet", "digest", "typed", "made"] as const),
];

const nameOf = (sessionId: string): string => `model.progress:${sessionId}`;

/** Null when no turn of the session began with a model. */
export function progressOf(store: Store, sessionId: string): Progress | null {
  const text = store.admin.getMeta(nameOf(sessionId));
  if (text === null) return null;
  const numbers = text.split(" ").map(Number);
  const at = (name: keyof Progress): number => numbers[fields.indexOf(name)] ?? 0;
  return {
    seen: at("seen"),
    digested: at("digested"),
    told: at("told"),
    quiet: at("quiet"),
    digest: at("digest"),
    typed: at("typed"),
    made: at("made"),
  };
}

export const saveProgress = (store: Store, sessionId: string, progress: Progress): void =>
  store.admin.setMeta(
    nameOf(sessionId),
    fields.map((name) => (name === null ? 0 : progress[name])).join(" "),
  );

/**
 * A turn is under way while a model is chosen. Turns before it that were not seen so are skipped for good: their local
 * form stands.
 */
export function noteTurn(store: Store, sessionId: string, n: number): Progress {
  const known = progressOf(store, sessionId);
  if (known !== null && n <= known.seen) return known;
  const noted = known !== null && n === known.seen + 1 ? known : begunAt(n - 1, known);
  const next = { ...noted, seen: n };
  saveProgress(store, sessionId, next);
  return next;
}

const begunAt = (n: number, known: Progress | null): Progress => ({
  seen: n,
  digested: n,
  told: known?.told ?? 0,
  quiet: known?.quiet ?? 0,
  digest: known?.digest ?? 0,
  typed: known?.typed ?? 0,
  made: known?.made ?? 0,
});
