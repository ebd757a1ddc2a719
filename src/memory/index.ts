/**
 * The memory engine's door: where memories hang, how they fade, what turns become. No IO, no time, no randomness.
 */
export { expiryAfterUse, momentLifetimeMs, momentThreshold, relevanceAt } from "./decay/relevance.ts";
export { limits } from "./limits.ts";
export { freshLeafUri, leafUri } from "./tree/leaf.ts";
export type { LeafPlace, Taken } from "./tree/leaf.ts";
export { slugOf } from "./tree/slug.ts";
export { archiveUri, canonicalUri, parentsOf, treeRoot } from "./tree/uri.ts";
export type { ArchivePlace, UriError } from "./tree/uri.ts";
export { scoreTurn } from "./extraction/scorer.ts";
export type { EarlierTurn } from "./extraction/scorer-reading.ts";
export type { TurnContext } from "./extraction/turn-context.ts";
export { createFinder } from "./retrieval/finder.ts";
export type { Finder, FinderDeps, Neighbour } from "./retrieval/finder.ts";
export { gatherPrompt } from "./injection/gather.ts";
export { decidePrompt } from "./injection/gate.ts";
export { neutralise } from "./injection/neutral.ts";
export { composePrompt } from "./injection/prompt.ts";
export type {
  ComposedPrompt,
  PromptDecision,
  PromptEvidence,
  PromptInput,
  PromptReasons,
} from "./injection/prompt-types.ts";
export { observeTurn } from "./extraction/observe.ts";
