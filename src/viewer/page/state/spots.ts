/**
 * Where a person was in a list: whoever opens a row and goes back finds the list as it was left. Kept for each entry of
 * the browser's history, so that a list that is opened anew begins at its top.
 */
import { systemClock } from "#kit";
import { noteInHistory } from "./router.ts";

export interface Spot {
  /** Number of the chosen row; -1 = none. */
  readonly row: number;
  /** Pixels scrolled. */
  readonly top: number;
}

const spotsMax = 50;
const spots = new Map<string, Spot>();
/** Beyond those that a page before this one has left in the history. */
let lastMark = systemClock.nowMs();

/** Names the present entry of the history, at its present address. */
export function spotKey(): string {
  const state: unknown = history.state;
  const isMarked = typeof state === "object" && state !== null && "mark" in state;
  const mark = isMarked ? String(state.mark) : String((lastMark += 1));
  if (!isMarked) noteInHistory({ mark });
  return `${mark} ${location.hash}`;
}

export const spotAt = (key: string): Spot | null => spots.get(key) ?? null;

export function keepSpot(key: string, spot: Spot): void {
  spots.delete(key);
  spots.set(key, spot);
  const [oldest] = spots.keys();
  if (spots.size > spotsMax && oldest !== undefined) spots.delete(oldest);
}
