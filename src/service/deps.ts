/** What the service layer needs from the outside. Every dependency is a port; app.ts supplies the adapters. */
import type {
  Candidate,
  FindQuery,
  FoundDocument,
  GateDep,
  LlmError,
  LlmPurpose,
  LlmUsage,
  MemoryNode,
  NodePatch,
  QueryPart,
  Settings,
  StoreDep,
  UpkeepRun,
  VectorIndex,
} from "#domain";
import type { ClockDep, Result } from "#kit";
import type { SearchResult } from "#memory";
import type { LlmPlace } from "./llm-errors.ts";
import type { ServiceError } from "./errors.ts";
import type { ConfigItemJson, JsonValue, PauseJson } from "#api";

/** Finding without a model: one quick look, or several (memory/retrieval). */
export interface FinderDep {
  readonly finder: {
    readonly find: (query: FindQuery) => readonly FoundDocument[];
    readonly search: (query: FindQuery, parts?: readonly QueryPart[] | null) => SearchResult;
  };
}

/** What a candidate became: the same dedup and merge that the worker uses. */
export interface Learned {
  readonly plan: "create" | "merge" | "supersede" | "skip";
  /** The node that now says it; null when its text was forgotten and the fingerprint still stands. */
  readonly node: MemoryNode | null;
}

export interface IntentDep {
  /** What a question is after, by the model that is chosen; absent where none may be asked. */
  readonly understand?: (
    text: string,
    reader: string | null,
  ) => Promise<readonly QueryPart[] | null>;
}

export interface LearnerDep {
  readonly learner: {
    /** Category of a text the user asked to keep, by the local rules (entities when nothing fits). */
    readonly categoryOf: (text: string) => Candidate["category"];
    /** Dedup, then create, merge, supersede or skip; runs inside the caller's transaction. */
    readonly learn: (candidate: Candidate, by: string) => Learned;
    /** All tiers of the relational profile after a change by hand: a correction of one shows in each, and stays. */
    readonly correctProfile: (node: MemoryNode, patch: NodePatch, atMs: number) => NodePatch;
    /** The statements that a record of the relational profile holds or held, as texts. */
    readonly statementsIn: (l2: string | null) => readonly string[];
    /** Makes the vector of a node whose text changed, in the file and in memory. */
    readonly index: (node: MemoryNode) => void;
  };
}

export interface ContextAsk {
  readonly sessionId: string;
  readonly project: string | null;
  readonly nowMs: number;
}

/** Session-start text as a pure function of store and input. */
export interface ContextDep {
  readonly previewStart: (ask: ContextAsk) => {
    readonly text: string;
    readonly tokens: number;
    readonly reasons: JsonValue;
  };
}

/** Pausing capture and injection, where every process can see it. */
export interface PauseDep {
  readonly pause: {
    readonly state: (nowMs: number) => PauseJson;
    /** `untilMs` null = until resumed. */
    readonly pause: (untilMs: number | null) => void;
    readonly resume: () => void;
  };
}

/** config.toml, as far as the API shows and changes it. */
export interface ConfigDep {
  readonly config: {
    readonly path: string;
    /** Every setting there is. Fails when the file cannot be read as settings. */
    readonly read: () => Result<readonly ConfigItemJson[], ServiceError>;
    /** Writes one setting; a file that would not parse is never written. */
    readonly set: (key: string, value: string) => Result<ConfigItemJson, ServiceError>;
    readonly warnings: () => readonly string[];
  };
}

/** The vectors in memory, which must forget what the store forgets. */
export interface VectorIndexDep {
  readonly vectors: Pick<VectorIndex, "remove">;
}

/** Facts about the process and its home folder. */
export interface HostDep {
  readonly host: {
    readonly version: string;
    readonly home: string;
    /** Null in a process that is not the daemon. */
    readonly daemon: () => {
      readonly pid: number;
      readonly startedAtMs: number;
      readonly port: number | null;
      readonly peakMemoryBytes: number;
    } | null;
    readonly embedder: { readonly id: string; readonly dimension: number };
    /** Who answers questions, and why; the budgets that are in force. */
    readonly model: () => {
      readonly provider: string;
      readonly reason: string;
      /** Where that is: for what is said of a failure. */
      readonly place: LlmPlace;
      readonly tokensPerDay: number;
      readonly tokensPerSession: number;
    };
    /** `oldestMs`: when the event that waits longest was left; null = none waits. */
    readonly spool: () => {
      readonly files: number;
      readonly bytes: number;
      readonly oldestMs: number | null;
    };
    /** Writes how long hooks took as far as it is measured and not stored yet. */
    readonly noteLatencies: () => void;
    /** False where the user switched this folder off. */
    readonly isCaptured: (cwd: string) => boolean;
    /** Where the user wants to be told of stored moments. */
    readonly announce: () => Settings["moments"]["announce"];
    /** The last run of each kind of upkeep. */
    readonly upkeep: () => readonly UpkeepRun[];
    /** Configuration warnings and the like, each with what to do. */
    readonly warnings: () => readonly string[];
    /** The last `lines` log lines, oldest first. */
    readonly tailLog: (lines: number) => readonly string[];
    /** Removes texts from what lies beside the database: spool and transcript archive. */
    readonly scrubFiles: (texts: readonly string[]) => void;
  };
}

/** What consolidation changed, or would (worker/consolidate). */
interface ConsolidationSlice {
  readonly changes: readonly (
    | { readonly type: "merge"; readonly keep: MemoryNode; readonly parts: readonly MemoryNode[] }
    | {
        readonly type: "recurring";
        readonly made: MemoryNode | null;
        readonly l0: string;
        readonly parts: readonly MemoryNode[];
      }
  )[];
  readonly looked: number;
  readonly nextId: number | null;
}

/** Background work, as far as it can be inspected and started. */
export interface WorkDep {
  readonly work: {
    /** Something became due: do not wait for the timer. */
    readonly wake: () => void;
    /** One slice of consolidation; null in a process that does not write. */
    readonly consolidate: (ask: {
      readonly afterId: number;
      readonly sliceMs: number;
      readonly apply: boolean;
      readonly by: string;
    }) => ConsolidationSlice | null;
    /** Puts one real question to the model that is chosen, about an invented session. */
    readonly tryModel: (
      purpose: LlmPurpose,
    ) => Promise<Result<LlmUsage & { readonly provider: string }, LlmError>>;
  };
}

export interface ServiceDeps
  extends
    ClockDep,
    ConfigDep,
    ContextDep,
    FinderDep,
    GateDep,
    HostDep,
    IntentDep,
    LearnerDep,
    PauseDep,
    StoreDep,
    VectorIndexDep,
    WorkDep {
  /** False on a read-only store: nothing is journalled, and what would write is refused. */
  readonly writable: boolean;
}
