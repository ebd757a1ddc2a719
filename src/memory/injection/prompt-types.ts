/**
 * Declares the input and the decision of prompt injection. Plain data: the same evidence always
 * gives the same text.
 */
import type { PairMarks } from "./pairs.ts";
import type { Ancestor } from "./parent.ts";
import type { Replaced } from "../retrieval/replaced.ts";
import type {
  Anchor,
  Embedder,
  FindQuery,
  FoundDocument,
  LexicalIndex,
  MemoryNode,
  NotesHere,
  Settings,
} from "#domain";

/** The sources of the evidence about a prompt. */
export interface GatherDeps {
  readonly finder: { readonly find: (query: FindQuery) => readonly FoundDocument[] };
  readonly lexical: LexicalIndex;
  readonly embedder: Embedder;
  /** A memory's anchors as they stand where the prompt is given; without it as they were seen last. */
  readonly anchorsHere?: AnchorsHere;
  /** Pairs of orders of which the newer may replace the older. */
  readonly pairsOf?: (ids: readonly number[]) => PairMarks;
  /** Memories that these sentences of an exchange tell, when none of them holds any more. */
  readonly replacedIn?: (exchange: MemoryNode, sentences: readonly string[]) => readonly Replaced[];
  /** The instruction files that the session's client loads, with the memories that they state. */
  readonly notesHere?: NotesHere;
}

export type AnchorsHere = (node: { readonly anchors: readonly string[] }) => readonly Anchor[];

/** A prompt and its surroundings, as the session knows them. */
export interface PromptInput {
  readonly prompt: string;
  /** The agent's last words, null at the start: who says "yes" means that. */
  readonly previousAnswer: string | null;
  readonly sessionId: string;
  /** Sessions whose context this one inherited as a fork. */
  readonly ancestors: readonly Ancestor[];
  readonly homeProject: string | null;
  readonly branch: string | null;
  /** Projects that the store knows, for telling whether the prompt names one. */
  readonly projects: readonly { readonly key: string; readonly name: string }[];
  /** Node ids that this session already saw. */
  readonly seen: ReadonlySet<number>;
  readonly nowMs: number;
  readonly inject: Settings["inject"];
}

/** A sentence of what was found, as it would be shown. */
export interface Sentence {
  readonly by: "user" | "agent" | "asked";
  readonly text: string;
}

/** A memory or an exchange that may be shown. */
export interface PromptCandidate {
  readonly document: FoundDocument & { readonly node: MemoryNode };
  readonly kind: "memory" | "exchange";
  /** The sentences of it that would be shown. */
  readonly sentences: readonly Sentence[];
  /** The name of its project, when that is another one. */
  readonly from?: string;
  /** Nearness to the prompt: 0 to 1. */
  readonly score: number;
  /** The remark of its line on the code that it is about. */
  readonly anchored?: string;
  /** The likelihood that a quotation of the exchange helps, 0 to 1, with the figures that it is rated by. */
  readonly quotation?: { readonly likelihood: number; readonly signals: QuotationSignals };
  /** Nearness of the prompt to what the memory is called, 0 to 1; measured in the middle of a session. */
  readonly nameNearness?: number;
}

/** A quotation in figures. */
export interface QuotationSignals {
  /** The prompt sounds like one that earlier sessions could answer: -3 to 3. */
  readonly asks: number;
  /** Nearness above the fifth to twelfth nearest: where all is about one thing, many are as near and none answers. */
  readonly lead: number;
  /** The likelihood that what is quoted matters later: 0 to 1. */
  readonly worth: number;
  /** Identifiers of the prompt that the exchange holds. */
  readonly names: number;
}

/** Everything that the decision looks at. */
export interface PromptEvidence extends PromptInput {
  /** It is a question, or names the memory. */
  readonly asks: boolean;
  /** The nearest first. */
  readonly candidates: readonly PromptCandidate[];
  /** Likeness to prompts that earlier sessions could answer: -3 to 3. */
  readonly wording: number;
  /** Documents that were found, at most as many as are looked at closely. */
  readonly found: number;
}

export interface PromptDecision {
  readonly verdict: "inject" | "silence";
  /** `off`, `nothing-found`, `gate`, `all-seen`, `budget`, `pointer`, or `wanted`. */
  readonly cause: string;
  /** 0 to 1: how likely this prompt is helped. */
  readonly probability: number;
  readonly threshold: number;
  /** The figures that the gate looked at, by name, for `why`. */
  readonly features: Readonly<Record<string, number>>;
}

/** The reason why one memory was taken or left. No text: URIs and numbers only. */
export interface MemoryReason {
  readonly uri: string;
  readonly taken: boolean;
  readonly why: string;
  readonly score: number;
  readonly fused: number;
  readonly lexical: number;
  readonly similarity: number | null;
}

interface PromptReasons {
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
