/** The record that every question of the service is answered with; src/app builds it. */
import type {
  ActiveGuard,
  Anchor,
  Candidate,
  ConsolidationAsk,
  ConsolidationSlice,
  Embedder,
  LlmError,
  LlmUsage,
  MemoryNode,
  PrivacyGate,
  SpoolSize,
  Store,
  UpkeepRun,
  VectorIndex,
} from "#domain";
import type { Clock, Result } from "#kit";
import type { Finder } from "#memory";
import type { Places } from "#hooks";
import type { LlmPlace, ServiceError } from "./errors.ts";
import type { ConfigItemJson, PauseJson } from "../forms-reports.ts";
import type { Frozen } from "../form.ts";
import type { JsonValue } from "../forms-session.ts";
import type { Asked, RouteName } from "../routes.ts";

/** The outcome for a candidate: the same dedup and merge that the worker uses. */
export interface Written {
  readonly plan: "create" | "supersede" | "skip";
  /** The node that now says it; null when its text was forgotten and the fingerprint still stands. */
  readonly node: MemoryNode | null;
}

interface ContextAsk {
  readonly sessionId: string;
  readonly project: string | null;
  readonly nowMs: number;
}

export type Query<Name extends RouteName> = Frozen<Asked<Name>["query"]>;

export type Body<Name extends RouteName> = Frozen<Asked<Name>["body"]>;

export interface Timed {
  /** Time of the request. */
  readonly nowMs: number;
}

export type TimedQuery<Name extends RouteName> = Query<Name> & Timed;

/** A text that was or would be given, and why; the nodes that it shows in their order. */
export interface ContextPreview {
  readonly text: string;
  readonly tokens: number;
  readonly reasons: JsonValue;
  readonly nodeIds: readonly number[];
}

/** The provider that answers questions, with the reason for its choice; the budgets that are in force. */
interface LanguageModel {
  readonly provider: string;
  readonly reason: string;
  /** The place of that provider: for what is said of a failure. */
  readonly place: LlmPlace;
  readonly tokensPerDay: number;
}

/** A question by hand, with who answered it. */
export type Trial = Result<LlmUsage & { readonly provider: string }, LlmError>;

/** All that the service has: one record for every question. Tests build it in test/support/service.ts. */
export interface Context {
  readonly clock: Clock;
  readonly store: Store;
  readonly gate: PrivacyGate;
  /** False on a read-only store: nothing is journalled, and what would write is refused. */
  readonly writable: boolean;
  /** False where the user switched this folder off. */
  readonly isCaptured: (cwd: string) => boolean;
  /** config.toml, as far as the API shows and changes it. */
  readonly config: {
    readonly path: string;
    /** Every setting there is. Fails when the file cannot be read as settings. */
    readonly read: () => Result<readonly ConfigItemJson[], ServiceError>;
    /** Writes one setting; a file that would not parse is never written. */
    readonly set: (key: string, value: string) => Result<ConfigItemJson, ServiceError>;
    readonly warnings: () => readonly string[];
  };
  /** Previews of what would be given: the same code as the injection itself, without writing anything. */
  readonly previewStart: (ask: ContextAsk) => ContextPreview;
  readonly previewPrompt: (ask: ContextAsk & { readonly prompt: string }) => ContextPreview;
  readonly finder: Finder;
  /** Writes how long hooks took as far as it is measured and not stored yet. */
  readonly noteLatencies: () => void;
  /** The last `lines` log lines, oldest first. */
  readonly tailLog: (lines: number) => readonly string[];
  readonly memoryWriter: {
    /** Dedup, then create, merge, supersede or skip; runs inside the caller's transaction. */
    readonly write: (candidate: Candidate, by: string) => Written;
    /** Notes where a project without a remote lies, and by what it is known after a rename. */
    readonly noteFolder: (project: string, root: string) => void;
    /** The text with `[redacted:secret]` in the place of a secret that the session's prompts or tools held. */
    readonly withoutSecrets: (sessionId: string, text: string) => string;
    /** True in a turn that is private in part or off the record, and for a text that retells an earlier one. */
    readonly isQuiet: (sessionId: string, text: string) => boolean;
    /** Makes the vector of a node whose text changed, in the file and in memory. */
    readonly index: (node: MemoryNode) => void;
  };
  /** The models in use: the embedder with the words that it knows, and the language model that is chosen. */
  readonly models: {
    readonly embedder: { readonly id: string; readonly dimension: number };
    readonly isWord: Embedder["isWord"];
    readonly language: () => LanguageModel;
  };
  /** Messages typed in the session's latest turn while the agent worked, as far as only the transcript knows. */
  readonly typedMeanwhile: (sessionId: string) => Promise<readonly string[]>;
  /** Pausing capture and injection, where every process can see it. */
  readonly pause: {
    readonly state: (nowMs: number) => PauseJson;
    /** `untilMs` null = until resumed. */
    readonly pause: (untilMs: number | null, nowMs: number) => void;
    readonly resume: (nowMs: number) => void;
  };
  readonly processInfo: {
    readonly version: string;
    readonly home: string;
    /** Null in a process that is not the daemon. */
    readonly daemon: () => {
      readonly pid: number;
      readonly startedAtMs: number;
      readonly port: number | null;
      readonly peakMemoryBytes: number;
    } | null;
  };
  /** Removes texts from what lies beside the database: spool and transcript archive. */
  readonly scrubFiles: (texts: readonly string[]) => void;
  /** Paths of agents' note files that hold one of these texts; they belong to the agent and are left as they are. */
  readonly noteFilesHolding: (texts: readonly string[]) => readonly string[];
  readonly spoolSize: () => SpoolSize;
  /** The vectors in memory, which must forget what the store forgets. */
  readonly vectors: VectorIndex;
  readonly upkeep: () => readonly UpkeepRun[];
  /** Configuration warnings and the like, each with what to do. */
  readonly warnings: () => readonly string[];
  /** Background work, as far as somebody may look at it and push it. */
  readonly work: {
    /** Something became due: do not wait for the timer. */
    readonly wake: () => void;
    /** One slice of consolidation; null in a process that does not write. */
    readonly consolidate: (ask: ConsolidationAsk) => ConsolidationSlice | null;
    /** A memory's anchors in a working tree now; null outside a repository, or without a daemon. */
    readonly anchorsNow: (
      node: MemoryNode,
      ask: { readonly folder: string; readonly holds: boolean },
    ) => Promise<readonly Anchor[] | null>;
    /** Queues questions about imported sessions for a slice of time; null in a process that does not write. */
    readonly backfill: (
      sliceMs: number,
    ) => { readonly queued: number; readonly isOver: boolean } | null;
    /** Puts one real question to the model that is chosen, about an invented session. */
    readonly tryModel: () => Promise<Trial>;
  };
  /** Asks the disk as a hook in this folder does. */
  readonly guardPlaces: (at: {
    readonly root: string;
    readonly cwd: string;
  }) => Places<ActiveGuard>;
}
