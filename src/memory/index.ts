/**
 * The memory engine's door: where memories hang, how they fade, what turns become. No IO, no time, no randomness.
 */
export { expiryAfterUse, relevanceAt } from "./decay/relevance.ts";
export { contentHash } from "./anchors/content.ts";
export { namedIn } from "./anchors/named.ts";
export { anchorMark, isHere } from "./anchors/standing.ts";
export { limits } from "./limits.ts";
export { freshLeafUri, leafUri } from "./tree/leaf.ts";
export type { LeafPlace, Taken } from "./tree/leaf.ts";
export { slotOf } from "./tree/slot.ts";
export { endsMemory } from "./typed/ending.ts";
export { ordersForGood, saysEverywhere, saysTime, tellsOfUser } from "./typed/bounds.ts";
export { namedShare } from "./typed/label.ts";
export { names, userWordOf } from "./typed/user-word.ts";
export type { Judged } from "./typed/user-word.ts";
export { untilOf } from "./typed/until.ts";
export { wordsIn } from "./typed/words.ts";
export { slugOf } from "./tree/slug.ts";
export { archiveUri, canonicalUri, parentsOf } from "./tree/uri.ts";
export type { ArchivePlace, UriError } from "./tree/uri.ts";
export { leavesNoRecord } from "./orders/off-record.ts";
export { closedBy } from "./extraction/open-closed.ts";
export { openFor } from "./injection/open-here.ts";
export { noteStatements } from "./notes/note-lines.ts";
export { addedByGemini, listLinesIn, topicNoteIn } from "./notes/agent-notes.ts";
export type { AgentNote } from "./notes/agent-notes.ts";
export { notesOf, saidIn } from "./notes/said-in.ts";
export { givenUntil, isGiven, significanceOf } from "./decay/given-until.ts";
export { isRememberCommand } from "./extraction/turn-context.ts";
export type { TurnContext } from "./extraction/turn-context.ts";
export { contentWords, sharedCount } from "#language";
export { stemsOf } from "./exchange/stems.ts";
export { exchangeOf } from "./exchange/exchange.ts";
export type { Exchange } from "./exchange/exchange.ts";
export { createFinder } from "./retrieval/finder.ts";
export type { Finder, FinderInput, Neighbour } from "./retrieval/finder.ts";
export type { SearchHit } from "./retrieval/beside.ts";
export type { SearchResult } from "./retrieval/search.ts";
export { replacedIn } from "./retrieval/replaced.ts";
export { isDoubt, settledWeight } from "./retrieval/doubts.ts";
export { pairMarks } from "./injection/pairs.ts";
export { gatherPrompt } from "./injection/gather.ts";
export { isTerse } from "./injection/wording.ts";
export { decidePrompt } from "./injection/gate.ts";
export { renderAct, renderFetched, renderFound } from "./injection/fetched.ts";
export type { FetchAsk, FetchedText, FetchTier } from "./injection/fetched.ts";
export { renderIndex, renderTimeline, renderTree } from "./injection/listed.ts";
export type { EntryText, FoundText, MomentText } from "./injection/listed.ts";
export { ancestorsOf, likelyParent } from "./injection/parent.ts";
export { neutralise } from "./injection/neutral.ts";
export { toolsLine } from "./injection/lines.ts";
export { composeHint, sharesWords, tellsChange } from "./injection/hint.ts";
export type { HintCause, Near } from "./injection/hint.ts";
export { namedIds } from "./injection/pointer.ts";
export { composePrompt } from "./injection/prompt.ts";
export type {
  ComposedPrompt,
  PromptDecision,
  PromptEvidence,
  AnchorsHere,
  PromptInput,
  PromptReasons,
} from "./injection/prompt-types.ts";
export { aliasesOf } from "./extraction/aliases.ts";
export { banIn, deedIn, leavesOpen, saysOnlySecrets } from "#language";
export { forgetsOf } from "./orders/forgets.ts";
export { isMeant } from "./typed/meant.ts";
export type { Forgetting } from "#language";
export { hidesInOrder, ordersOf } from "./orders/orders.ts";
export { bansOf } from "./exchange/bans.ts";
export { applyableDraft } from "./merge/plan.ts";
export { confirmed, covers, mayStandBeside, tellsValue } from "./merge/confirm.ts";
export { opposedBy, overtakenBy, planCandidate } from "./merge/plan.ts";
export type { MergePlan } from "./merge/plan.ts";
export { composeRules, composeStart } from "./injection/start.ts";
export { composeBeside } from "./injection/beside.ts";
export type { BesideCause } from "./injection/beside.ts";
export { isSymptomOf } from "./injection/symptom.ts";
export {
  collectStartSnapshot,
  isRuleToldAtStart,
  ruleCategories,
} from "./injection/start-collect.ts";
export type {
  ComposedStart,
  StartReason,
  StartSnapshot,
  StartSource,
} from "./injection/start-types.ts";
export { summariseSession } from "./extraction/checkpoint.ts";
export type { CheckpointMaterial } from "./extraction/checkpoint.ts";
export type { SessionMaterial } from "./extraction/checkpoint-files.ts";
export { continuationBrief, renderCheckpoint } from "./extraction/checkpoint-render.ts";
export type { BriefMaterial } from "./extraction/checkpoint-render.ts";
export { startSourceOf } from "./injection/start-types.ts";
export { categoryOfWords } from "./extraction/classify.ts";
export { standing } from "./past.ts";
export { isUsed } from "./worth/helped.ts";
export type { HelpTurn } from "./worth/helped.ts";
export { nearDuplicatesOf } from "./consolidation/near-duplicates.ts";
export type { NearDuplicates } from "./consolidation/near-duplicates.ts";
