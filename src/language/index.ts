/**
 * The door of words: how people and agents write, as lists, stems, sentences, dates and cues, and which lines of a
 * prompt its user typed (`reader/`). English first, the other languages beside it. Pure; knows nothing of
 * memories, prompts or the store.
 */
export { identifiersOf, numbersIn } from "./values.ts";
export {
  digestWords,
  isOfTheLog,
  isCommon,
  isNothingInSlug,
  isOrdinaryName,
  isTool,
  otherForms,
  readWords,
  roughStem,
  stemsOf,
  stopWords,
  synonymsOf,
  toolFamilies,
} from "./query-words.ts";
export { jaccard, sharedCount } from "./lists.ts";
export { isWithin, type TimeWindow, timeWindowOf } from "./time-windows.ts";
export { isForAWhile, isOver, namesLastDay, saidEndOf } from "./said-end.ts";
export { hardSplit, sentencesOf } from "./sentences.ts";
export {
  asksForWork,
  cites,
  isCorrection,
  isQuestion,
  namesMemory,
  requestIn,
  startsWithPronoun,
  type Change,
  changeIn,
  deniedValuesIn,
  withoutDenied,
  tellsChange,
  withoutMemory,
} from "./requests.ts";
export { comesToTask, isNextTask } from "./next-task.ts";
export { withoutCitations } from "./citations.ts";
export { isBehindName, ownLead } from "./place-words.ts";
export { ownLines, placesOf, surelyTyped } from "./places.ts";
export { blockEnd, typedOnly } from "./markup.ts";
export { isOutright, orderIn } from "./orders.ts";
export { isMomentary, tellsItself } from "./orders-clause.ts";
export { asksPolitely } from "./orders-keep.ts";
export { kindOf } from "./orders-standing.ts";
export { namesCode, namesList, namesOnly, tellsCure } from "./orders-things.ts";
export {
  beyondLeads,
  courtesyHead,
  isLead,
  isPointing,
  leavesOpen,
  saysNothing,
  splitAtConsent,
  withoutHesitation,
} from "./orders-patterns.ts";
export type { OrderKind, SentenceOrder } from "./orders-common.ts";
export { forgottenIn, type Forgetting } from "./orders-forget.ts";
export { describesUser } from "./about-user.ts";
export { besideEverywhere, holdsEverywhere, isEverywhere } from "./everywhere.ts";
export { forbidsMemory } from "./off-record.ts";
export { mayForbidMemory, signsOfOffRecord } from "./off-record-signs.ts";
export { saysOnlySecrets } from "./secrets-only.ts";
export {
  claimsLeave,
  denies,
  foldedWordsOf,
  foldText,
  isCommand,
  isGlue,
  isHard,
  isHarmful,
  isNoFirmerThan,
  saysItHolds,
  isOrder,
  isRule,
  losesDenial,
  stemOf,
} from "./hard-words.ts";
export { banIn, deedIn } from "./bans.ts";
export { isLastingBan, isPlainBan } from "./ban-manner.ts";
export { withoutClientBlocks } from "./reader/blocks.ts";
export { endsOf } from "./reader/features.ts";
export { askedCommand, isClientText, readPrompt } from "./reader/read-prompt.ts";
