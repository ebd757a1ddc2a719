/** Orders not to remember: a turn with one leaves no record. Pure. */
import { endsOf, forbidsMemory, mayForbidMemory } from "#language";
import { cautiousUnitsOf, typedIn } from "./units.ts";

/** In a longer prompt, what is written right below a paste is taken for its last line. */
const shortCharsMax = 4_000;
const lastLineCharsMax = 500;

/** True when a prompt orders, in words that its user typed, that nothing of its turn is remembered. */
export const leavesNoRecord = (prompt: string): boolean =>
  mayForbidMemory(prompt) &&
  (forbidsIn(prompt) || (prompt.length > shortCharsMax && forbidsIn(lastLineOf(prompt))));

const forbidsIn = (prompt: string): boolean =>
  forbidsMemory(typedIn(cautiousUnitsOf(endsOf(prompt))));

function lastLineOf(prompt: string): string {
  const end = prompt.slice(-lastLineCharsMax).trimEnd();
  const from = end.lastIndexOf("\n");
  return from === -1 ? "" : end.slice(from + 1).trim();
}
