/** What prompt injection is given and what it decides. Plain data: the same evidence always gives the same text. */
import type { Calibration, FoundDocument, Settings } from "#domain";

/** A prompt and its surroundings, as the session knows them. */
export interface PromptInput {
  readonly prompt: string;
  /** Earlier prompts of the session, newest first; the last three count as weak context. */
  readonly recentPrompts: readonly string[];
  readonly homeProject: string | null;
  /** Node ids that this session already saw. */
  readonly seen: ReadonlySet<number>;
  readonly nowMs: number;
  readonly inject: Settings["inject"];
  /** True when this prompt is already in the index: otherwise it would count as its own vocabulary. */
  readonly isIndexed: boolean;
}

/** In how many documents each word of the prompt occurs. */
export interface WordCounts {
  readonly documents: number;
  readonly byTerm: ReadonlyMap<string, number>;
}

/** Everything that the decision looks at. */
export interface PromptEvidence extends PromptInput {
  /** Current memories for the prompt, best first. */
  readonly found: readonly FoundDocument[];
  /** Rules and preferences for the kind of work that the prompt asks for (see activities.ts). */
  readonly practices: readonly FoundDocument[];
  /** Words of the prompt in prompts of this project, and in memories of this project and global ones. */
  readonly inPrompts: WordCounts;
  readonly inMemories: WordCounts;
  /** Floors and weights that were measured with the embedder that made the similarities. */
  readonly calibration: Calibration;
}

export interface PromptDecision {
  readonly verdict: "inject" | "silence";
  /** `off`, `terse`, `nothing-found`, `gate`, `floor`, `all-seen`, or `wanted`. */
  readonly cause: string;
  /** 0 to 1: how much this prompt looks like one that wants memory. */
  readonly probability: number;
  readonly threshold: number;
  /** The gate's features, for `why`. */
  readonly features: Readonly<Record<string, number>>;
}

/** Why one memory was taken or left. No text: URIs and numbers only. */
export interface MemoryReason {
  readonly uri: string;
  readonly taken: boolean;
  readonly why: string;
  readonly score: number;
  readonly fused: number;
  readonly lexical: number;
  readonly similarity: number | null;
}

export interface PromptReasons {
  readonly decision: PromptDecision;
  readonly memories: readonly MemoryReason[];
}

export interface ComposedPrompt {
  /** Empty = silence. */
  readonly text: string;
  /** Nodes that the text shows, in its order. */
  readonly nodeIds: readonly number[];
  readonly tokens: number;
  readonly decision: PromptDecision;
  readonly reasons: PromptReasons;
}
