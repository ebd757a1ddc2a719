/**
 * Progress of what earlier versions had guessed, as it moves to the archive: one small record of the store, told once,
 * at a start or by `status`.
 */
import type { StoreAdmin } from "./store.ts";

export interface SentencesState {
  /** The last leaf there was when this version first looked after the home: what came later is not meant. */
  readonly upTo: number;
  /** How many lie in the archive because they were moved there. */
  readonly moved: number;
  /** Of these, how many were said in captured sessions, and not imported. */
  readonly captured: number;
  /** Every leaf has been looked at, or the user restored them. */
  readonly isDone: boolean;
  /** A person has read of it. */
  readonly isTold: boolean;
  /** Round of rules that have looked; round 1 was those of version 0.1 alone. */
  readonly round: number;
}

interface Kept {
  readonly admin: Pick<StoreAdmin, "getMeta" | "setMeta">;
}

const meta = "sentences";

/** Null = this version has not looked after the home yet. */
export function sentencesState({ admin }: Kept): SentencesState | null {
  const text = admin.getMeta(meta);
  if (text === null) return null;
  const known = JSON.parse(text) as Partial<SentencesState>;
  return { upTo: 0, moved: 0, captured: 0, isDone: false, isTold: false, round: 1, ...known };
}

export const saveSentences = ({ admin }: Kept, state: SentencesState): void =>
  admin.setMeta(meta, JSON.stringify(state));
