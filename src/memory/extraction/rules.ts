/** Is a clause an order that stands, or does it say who the user is and how they like things? Pure. */
import * as cues from "./cues.ts";
import { isOnceOnly, isReported, isTask, partsOf, wholeAndParts } from "./forms.ts";

/** "I'm Nadia, backend lead", "i come from python". */
export const isSelf = (text: string): boolean =>
  wholeAndParts(text).some(
    (part) => (cues.self.test(part) || cues.selfName.test(part)) && !cues.notSelf.test(part),
  );

/** "always use X", "never do Y", "dates always ISO": an order, not a complaint or a habit. */
export const isAlwaysOrNever = (text: string): boolean =>
  cues.alwaysOrNever.test(text) && !cues.notAlways.test(text) && !isReported(text);

/** "answers short please", "conventional commits, no emoji". */
export const isStyle = (text: string): boolean => cues.style.test(text) && !isOnceOnly(text);

export const isLiking = (text: string): boolean => cues.like.test(text) && !cues.notLike.test(text);

/** "don't mock the database", "no deploys on fridays", "must not". */
export const isProhibition = (text: string): boolean =>
  [text, ...partsOf(text)].some(
    (part) => cues.prohibition.test(part) && !cues.notProhibition.test(part),
  ) &&
  !isOnceOnly(text) &&
  !isReported(text);

/** "new columns are added nullable first", "two approvals needed for anything in infra". */
export const isStandingRule = (text: string): boolean =>
  cues.standingRule.test(text) &&
  !isOnceOnly(text) &&
  !isReported(text) &&
  !cues.trouble.test(text) &&
  !isTask(text);
