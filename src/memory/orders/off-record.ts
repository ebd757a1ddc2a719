/** Orders not to remember: a turn with one leaves no record. Pure. */
import { forbidsMemory } from "#language";
import { typedIn, unitsOf } from "./units.ts";

/** True when a prompt orders, in words that its user typed, that nothing of its turn is remembered. */
export const leavesNoRecord = (prompt: string): boolean =>
  forbidsMemory(typedIn(unitsOf({ prompt, previousAnswer: null }, true).units));
