/** Orders to forget in what the user typed. Pure. */
import { forbidsMemory, type Forgetting, forgottenIn } from "#language";
import { isRememberCommand, type TurnContext } from "../extraction/significance.ts";
import { typedIn, unitsOf } from "./units.ts";

const forgetsMax = 3;

/** Returns the words that the prompt orders to forget, as they were typed. */
export function forgetsOf(turn: TurnContext): readonly Forgetting[] {
  if (turn.isHeadless === true || isRememberCommand(turn.prompt)) return [];
  const { units } = unitsOf(turn.prompt, turn.previousAnswer);
  if (units.length === 0 || forbidsMemory(typedIn(units))) return [];
  return units
    .flatMap(({ kind, guarded, text }) =>
      kind === "sentence" ? (forgottenIn(guarded, text) ?? []) : [],
    )
    .slice(0, forgetsMax);
}
