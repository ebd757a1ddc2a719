/** The documented JSON forms of reports: sessions, injections, figures (see json.ts for the conventions). */
import type { AgentName, SessionStatus, TurnStatus } from "#domain";
import type { MemoryJson } from "./json.ts";

export interface SessionJson {
  readonly session_id: string;
  /** Whose session it is. */
  readonly agent: AgentName;
  readonly project: string | null;
  readonly project_name: string | null;
  readonly branch: string | null;
  readonly title: string | null;
  readonly status: SessionStatus;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly last_event_at: number;
  readonly parent_session: string | null;
  readonly turns: number;
}

/** A page of sessions. */
export interface SessionPageJson {
  readonly items: readonly SessionJson[];
  readonly total: number;
  readonly next_cursor: string | null;
}

export interface TurnJson {
  readonly n: number;
  readonly status: TurnStatus;
  readonly started_at: number;
  readonly ended_at: number | null;
  /** Null when the prompt was private as a whole. */
  readonly prompt: string | null;
  /** `agent` = a plan of the agent that the client put in; the user typed none of it. */
  readonly prompt_by: "user" | "agent";
  readonly tool_count: number;
  readonly files_read: readonly string[];
  readonly files_edited: readonly string[];
}

export interface CheckpointJson {
  readonly n: number;
  readonly at: number;
  readonly trigger: string;
  readonly current: boolean;
  readonly l0: string;
  readonly request: string;
  readonly investigated: string;
  readonly learned: string;
  readonly completed: string;
  readonly next_steps: string;
  readonly files_read: readonly string[];
  readonly files_edited: readonly string[];
  readonly notes: string;
}

export interface ObservationJson {
  /** The number in its URI, `mem://sessions/<session>/observations/<id>`. */
  readonly id: number;
  readonly turn: number;
  readonly at: number;
  readonly type: string;
  readonly title: string;
  readonly subtitle: string;
  readonly narrative: string;
  readonly facts: readonly string[];
  readonly concepts: readonly string[];
  readonly files_read: readonly string[];
  readonly files_modified: readonly string[];
}

export interface SessionDetailJson extends Omit<SessionJson, "turns"> {
  readonly turns: readonly TurnJson[];
  readonly checkpoints: readonly CheckpointJson[];
  readonly observations: readonly ObservationJson[];
  readonly moments: readonly MemoryJson[];
}

/** A value that came out of JSON text. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export interface InjectionJson {
  readonly at: number;
  readonly channel: "start" | "prompt";
  readonly cause: string;
  readonly tokens: number;
  readonly text: string;
  /** What was considered and why it was taken or left. */
  readonly reasons: JsonValue;
}

export interface WhyJson {
  /** Null when nothing was ever injected (asked with `latest`). */
  readonly session_id: string | null;
  /** Oldest first. */
  readonly injections: readonly InjectionJson[];
}

export interface ContextJson {
  readonly session_id: string;
  /** `injected`: it happened, as recorded; `preview`: what a session starting now would get. */
  readonly state: "injected" | "preview";
  readonly tokens: number;
  readonly text: string;
  readonly reasons: JsonValue;
}

export interface ProfileJson {
  /** How the user likes to work (`mem://user/profile/communication`), null until something is known. */
  readonly communication: MemoryJson | null;
  readonly profile: readonly MemoryJson[];
  readonly preferences: readonly MemoryJson[];
}

export interface CountsJson {
  readonly memories: number;
  readonly moments: number;
  readonly narratives: number;
  readonly observations: number;
  readonly checkpoints: number;
  readonly sessions: number;
  readonly turns: number;
  readonly events: number;
}

/** One UTC day of figures. */
export interface DayJson {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Memories that were made, by category. */
  readonly created: Readonly<Record<string, number>>;
  /** Memories shown to the agent, by where. */
  readonly surfaced: { readonly start: number; readonly prompt: number; readonly search: number };
  /** Memories whose last deliberate fetch was on this day. */
  readonly used: number;
  readonly injections: number;
  readonly tokens_injected: number;
  readonly tokens_in: number;
  readonly tokens_out: number;
}

/** How long a hook takes, from the start of its process until its event is committed. */
export interface HookLatencyJson {
  readonly hook: string;
  /** Events looked at, the latest 1,000 at most. */
  readonly count: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
  readonly buckets: readonly { readonly up_to_ms: number; readonly count: number }[];
}

export interface StatsJson {
  /** Oldest first, days without anything included. */
  readonly days: readonly DayJson[];
  /** In those days: different memories shown, and how often any was. */
  readonly surfaced: { readonly memories: number; readonly shown: number };
  /** Ever: memories that were used, how often, and how many never were. */
  readonly used: { readonly memories: number; readonly uses: number; readonly never: number };
  readonly tokens: BudgetJson;
  readonly hooks: readonly HookLatencyJson[];
  readonly counts: CountsJson;
  readonly by_category: Readonly<Record<string, number>>;
  readonly by_status: Readonly<Record<string, number>>;
  readonly by_origin: Readonly<Record<string, number>>;
  readonly by_maker: Readonly<Record<string, number>>;
  readonly pinned: number;
  readonly projects: readonly {
    readonly key: string;
    readonly name: string;
    readonly sessions: number;
  }[];
}

export interface BudgetJson {
  /** In and out, of this UTC day. */
  readonly tokens_today: number;
  readonly tokens_per_day: number;
  readonly tokens_per_session: number;
}

export interface DaemonJson {
  readonly pid: number;
  readonly version: string;
  readonly uptime_ms: number;
  /** TCP port for people; null when none was free. */
  readonly port: number | null;
  readonly peak_memory_bytes: number;
}

export interface PauseJson {
  readonly paused: boolean;
  /** Epoch milliseconds; null = until `resume` (or not paused). */
  readonly until: number | null;
}

/** Sentences of an older version that moved to the archive. */
interface SentencesJson {
  readonly moved: number;
  /** A person has read of it. */
  readonly told: boolean;
}

/** Calls of a model and their tokens, in and out. */
interface SpentJson {
  readonly calls: number;
  readonly tokens_in: number;
  readonly tokens_out: number;
}

export interface ModelJson {
  /** Who answers; `none` = nobody is asked. */
  readonly provider: string;
  readonly reason: string;
  /** Tokens in and out of this UTC day, and how many there may be. */
  readonly tokens_today: number;
  readonly tokens_per_day: number;
  readonly today: SpentJson;
  /** Today and the 29 days before. */
  readonly last_30_days: SpentJson;
}

export interface StatusJson {
  readonly version: string;
  readonly home: string;
  /** Null when this answer came without a daemon. */
  readonly daemon: DaemonJson | null;
  readonly database: { readonly bytes: number; readonly schema_version: number };
  readonly counts: CountsJson;
  readonly jobs: Readonly<Record<string, number>>;
  readonly embedder: { readonly id: string; readonly dimension: number };
  readonly model: ModelJson;
  readonly sentences: SentencesJson;
  readonly spool: { readonly files: number; readonly bytes: number };
  readonly pause: PauseJson;
  /** The last event of each hook. */
  readonly hooks: readonly {
    readonly hook: string;
    readonly at: number;
    readonly received_at: number;
    readonly count: number;
  }[];
  /** The last run of each kind of upkeep. */
  readonly upkeep: readonly {
    readonly task: string;
    readonly at: number;
    readonly took_ms: number;
    readonly outcome: "done" | "failed";
    readonly note: string;
  }[];
  readonly warnings: readonly string[];
}

export interface HealthJson {
  readonly ok: true;
  readonly version: string;
}

export interface LogsJson {
  /** Oldest first, one JSON document a line. */
  readonly lines: readonly string[];
}
