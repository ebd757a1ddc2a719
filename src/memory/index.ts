/**
 * The memory engine's door: where memories hang, how they fade, what turns become. No IO, no time, no randomness.
 */
export {
  expiryAfterUse,
  givenUntil,
  isGiven,
  relevanceAt,
  significanceOf,
} from "./decay/relevance.ts";
export { anchorMark, contentHash, isHere, namedIn } from "./anchors/content.ts";
export { limits } from "./limits.ts";
export {
  archiveUri,
  canonicalUri,
  freshLeafUri,
  attributeIn,
  slotOf,
  spelledSlot,
  subjectIn,
  slugOf,
} from "./tree/slug.ts";
export { endsMemory } from "./typed/ending.ts";
export {
  holdsAsRule,
  isMeant,
  ordersForGood,
  saysEverywhere,
  saysTime,
  tellsOfUser,
  untilOf,
} from "./typed/extent.ts";
export { isUser, namedShare, provingPart } from "./typed/shown.ts";
export { pastedReason, withLater } from "./typed/sentences.ts";
export { type Judged, names, sentencesShown, userWordOf } from "./typed/user-word.ts";
export { takesPlaceOf } from "./merge/takes-place.ts";
export { daysSaid } from "./typed/days.ts";
export { lostPart, withPart } from "./typed/lost-part.ts";
export { takingBackFault } from "./typed/taking-back.ts";
export { hardWords, hasWord, wordsIn } from "./typed/words.ts";
export { bareLine, worded } from "./exchange/worded.ts";
export { cutLine } from "./injection/worded.ts";
export { leavesNoRecord } from "./orders/off-record.ts";
export { closedBy } from "./extraction/open-closed.ts";
export { afterLearn, categoryOfWords } from "./extraction/slash.ts";
export {
  addedByGemini,
  type AgentNote,
  listLinesIn,
  noteStatements,
  saidIn,
  topicNoteIn,
} from "./notes/note-lines.ts";
export { isRememberCommand, type TurnContext } from "./extraction/significance.ts";
export {
  banIn,
  deedIn,
  denies,
  type Forgetting,
  isMomentary,
  leavesOpen,
  saysOnlySecrets,
  sharedCount,
  stemsOf,
} from "#language";
export { type Exchange, exchangeOf, spokenOf } from "./exchange/exchange.ts";
export { createFinder, type Finder } from "./retrieval/finder.ts";
export type { SearchHit } from "./retrieval/beside.ts";
export type { SearchResult } from "./retrieval/search.ts";
export { currentSuccessors } from "./retrieval/ranking.ts";
export { replacedIn } from "./retrieval/replaced.ts";
export { doubtsOf, endedBy, isDoubt, newerOf, settledWeight } from "./retrieval/lookup.ts";
export { pairMarks } from "./injection/pairs.ts";
export { gatherPrompt } from "./injection/gather.ts";
export { isTerse } from "./injection/gate.ts";
export { type FetchedText, renderAct, renderFetched, renderFound } from "./injection/fetched.ts";
export { renderIndex, renderTimeline, renderTree } from "./injection/listed.ts";
export { ancestorsOf, likelyParent } from "./injection/parent.ts";
export { lookFirst, saveLine } from "./injection/lines.ts";
export {
  type BesideCause,
  composeBeside,
  composeHint,
  type HintCause,
  isOfOrder,
  isSymptomOf,
  type Near,
  sharesWords,
  tellsChange,
  toldLater,
} from "./injection/beside.ts";
export { composePrompt } from "./injection/prompt.ts";
export type { AnchorsHere, PromptInput } from "./injection/prompt-types.ts";
export { forgetsOf, retracts } from "./orders/forgets.ts";
export { ordersOf, readOrders, type Orders } from "./orders/orders.ts";
export { bansOf } from "./exchange/bans.ts";
export {
  applyableDraft,
  type MergePlan,
  opposedBy,
  overtakenBy,
  planCandidate,
  withoutLabel,
} from "./merge/plan.ts";
export {
  confirmed,
  covers,
  mayStandBeside,
  type NearDuplicates,
  nearDuplicatesOf,
  tellsValue,
} from "./merge/confirm.ts";
export { wordsSaid } from "./merge/statement.ts";
export { composeRules, composeStart } from "./injection/start.ts";
export { collectStartSnapshot, isRuleToldAtStart } from "./injection/start-collect.ts";
export { ruleCategories, startSourceOf } from "./injection/start-types.ts";
export { summariseSession } from "./extraction/checkpoint.ts";
export { continuationBrief } from "./extraction/checkpoint-render.ts";
export { type HelpTurn, isUsed } from "./worth/helped.ts";
export { emptyStoreGreeting } from "./injection/start.ts";

/** `loadOffRecord` loads the reader of prompts whose turn leaves no record: loaded by the few hooks that ask. */
export const loadOffRecord = async () => import("./orders/off-record.ts");
