/** Taking out what the user wants kept out of the record. */
import type { Turn } from "./session.ts";

export interface TurnPrivacy {
  /** Makes a turn private: its answer, its files and what its tools were given and said go. */
  readonly hideTurn: (turnId: number) => Turn;
  /** Deletes a turn with its tool uses. */
  readonly dropTurn: (turnId: number) => void;
}
