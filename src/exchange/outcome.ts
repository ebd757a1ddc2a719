/** Outcomes of items in few words. */
import { noMemories, type ItemOutcome } from "./items.ts";

const outcomeOf =
  (outcome: ItemOutcome["outcome"]) =>
  (reason: string): ItemOutcome => ({ outcome, reason, counted: true, memories: noMemories });

export const created: ItemOutcome = outcomeOf("created")("");
export const merged = outcomeOf("merged");
export const skipped = outcomeOf("skipped");
export const refused = outcomeOf("refused");

/** For items that are no records of their own. */
export const uncounted: ItemOutcome = { ...created, counted: false };

export const reasons = {
  before: "imported before",
  elsewhere: "the session is there already",
  forgotten: "was forgotten",
  known: "already known",
  there: "is there already",
  private: "private as a whole",
} as const;
