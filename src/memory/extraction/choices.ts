/** Does a clause choose something, or set a value? Pure. */
import { valuesOf } from "../language/index.ts";
import { concreteTokens } from "./clause.ts";
import * as cues from "./cues.ts";
import {
  isOnceOnly,
  isStatusReport,
  isTask,
  isWorkOrder,
  partsOf,
  wholeAndParts,
  withoutRequest,
} from "./forms.ts";

/** "put it at 15", "move the job to 03:15", "settlement to 04:30": a value somebody is told to set. */
export function isValueChange(asSaid: string): boolean {
  const text = withoutRequest(asSaid);
  if (cues.notAValue.test(text) || cues.comparison.test(text)) return false;
  if (partsOf(text).some((part) => cues.changeVerb.test(part) && hasSettableValue(part)))
    return true;
  return wholeAndParts(text).some((part) => cues.pastChange.test(part) || isVerblessChange(part));
}

/** "redis failed over at 3am" is told, not ordered. */
const past =
  /\b(?:\p{L}{2,}ed|ran|died|broke|went|fell|came|took|got|was|were|had|did|hit|lost|began|stood|saw|sent|left)\b/iu;

/** "timeout 12s", "batch 500 -> 2000", "settlement to 04:30". */
function isVerblessChange(part: string): boolean {
  const verbless = cues.verblessChange.exec(part);
  if (verbless === null || concreteTokens(verbless[0]).length === 0) return false;
  if (past.test(verbless[0]) || cues.trouble.test(verbless[0])) return false;
  const isOrder = /^(?:run|start|trigger|fire|kick off|execute)\b/i.test(part);
  return (
    isOrder ||
    (!isTask(part) &&
      !isStatusReport(part) &&
      !cues.stative.test(verbless[0].replace(/ be .*/, "")))
  );
}

const hasSettableValue = (text: string): boolean =>
  valuesOf(text).length > 0 || cues.settable.test(text);

/** "we tried celery before, it lost tasks". */
export const isDeadEnd = (text: string): boolean =>
  partsOf(text).some(
    (part) =>
      cues.deadEnd.test(part) &&
      !isTask(part) &&
      !isStatusReport(part.replace(/^(?:we|i|they) (?:already |once )?tried\b/i, "")),
  );

/** "we use …", "keep the redis lock", "drop X and go with Y", "jest is gone", "use the big runner for this". */
export const isChoice = (text: string): boolean =>
  !isOnceOnly(text) &&
  !cues.notAValue.test(text) &&
  !isWorkOrder(text) &&
  (wholeAndParts(text).some((part) => isChosen(part)) ||
    isMoved(text) ||
    isTeamHabit(text) ||
    isUseFor(text));

const isChosen = (part: string): boolean =>
  (cues.choice.test(part) || cues.goneState.test(part)) && !isStatusReport(part);

/** "standup moved to 10:00". */
const isMoved = (text: string): boolean =>
  cues.movedState.test(text) && !isTask(text) && concreteTokens(text).length > 0;

/** "we run everything with Nomad", "we round half even". */
function isTeamHabit(text: string): boolean {
  if (isStatusReport(text)) return false;
  if (cues.weUse.test(text) && concreteTokens(text).length > 0) return true;
  const isHabit = cues.wePresent.test(text) && !cues.laterOn.test(text);
  return isHabit && !cues.leisure.test(text) && !cues.trouble.test(text);
}

const isUseFor = (text: string): boolean =>
  cues.useFor.test(text) && (concreteTokens(text).length > 0 || cues.useForAll.test(text));
