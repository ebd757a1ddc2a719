/** Orders to forget in what the user typed. Pure. */
import { type Forgetting, forgottenIn } from "#language";
import { isRememberCommand, type TurnContext } from "../extraction/significance.ts";
import { unitsOf } from "./units.ts";

const forgetsMax = 3;

/** Returns the words that the prompt orders to forget, as they were typed. */
export function forgetsOf(turn: TurnContext): readonly Forgetting[] {
  if (turn.isHeadless === true || isRememberCommand(turn.prompt)) return [];
  return unitsOf(turn.prompt, turn.previousAnswer)
    .units.flatMap(({ kind, guarded, text }) =>
      kind === "sentence" ? (forgottenIn(guarded, text) ?? []) : [],
    )
    .slice(0, forgetsMax);
}

/** True for "forget what I said about X": what a turn that leaves no record may order all the same. */
export const retracts = (prompt: string): boolean =>
  unitsOf(prompt, null).units.some(
    ({ kind, guarded, text }) => kind === "sentence" && forgottenIn(guarded, text)?.isSaid === true,
  );
