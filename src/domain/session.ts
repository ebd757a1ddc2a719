/** Sessions, turns and what is recorded of them. Times are epoch milliseconds. */
import type {
  checkpointTriggers,
  evaluationTypes,
  observationTypes,
  sessionStatuses,
  turnStatuses,
} from "./vocabulary.ts";

/** `failed`: the API failed its last turn, and no turn followed. */
export type SessionStatus = (typeof sessionStatuses)[number];

export interface Session {
  readonly sessionId: string;
  /** Project key (see ProjectIdentity). */
  readonly project: string | null;
  readonly projectName: string | null;
  readonly branch: string | null;
  readonly cwd: string | null;
  /** First prompt, one line. */
  readonly title: string | null;
  readonly firstPrompt: string | null;
  readonly status: SessionStatus;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly lastEventAt: number;
  readonly parentSession: string | null;
  readonly transcriptPath: string | null;
}

export type TurnStatus = (typeof turnStatuses)[number];

export interface Turn {
  readonly id: number;
  readonly sessionId: string;
  /** Counts user prompts of the session from 1. */
  readonly n: number;
  readonly promptId: string | null;
  /** Line of the prompt in the transcript, from 1; null until the transcript was read. */
  readonly line: number | null;
  readonly status: TurnStatus;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Gated prompt text; null when it was private as a whole (then nothing else of the turn is kept). */
  readonly prompt: string | null;
  /** True when a prompt of it had a private block: it has no answer, and no model is asked about it. */
  readonly isPrivate?: boolean;
  /** True when a program sent its prompt: no memory comes of it, and no model is asked about it. */
  readonly isHeadless?: boolean;
  readonly answer: string | null;
  readonly toolCount: number;
  readonly filesRead: readonly string[];
  readonly filesEdited: readonly string[];
}

/** Raw tool use, as recorded from PostToolUse; compressed and dropped later. */
export interface ToolUse {
  readonly id: number;
  readonly sessionId: string;
  readonly turn: number;
  readonly toolUseId: string | null;
  readonly tool: string;
  /** File, command, URL or pattern the tool was pointed at: one line, gated. */
  readonly target: string | null;
  readonly files: readonly string[];
  readonly outcome: "ok" | "error";
  /** At most 2 KB of head and tail, of questions and plans 4 KB, gated; null for boring tools. */
  readonly text: string | null;
  readonly atMs: number;
  /** Empty for the main agent. */
  readonly agentId: string | null;
}

/** Tools that change files. */
export const editingTools: ReadonlySet<string> = new Set([
  "Edit",
  "Write",
  "MultiEdit",
  "NotebookEdit",
]);

export type ObservationType = (typeof observationTypes)[number];

/** A row of an earlier version, which becomes a leaf of the archive. */
export interface FormerObservation {
  readonly id: number;
  readonly sessionId: string;
  readonly turn: number;
  readonly project: string | null;
  readonly type: ObservationType;
  readonly title: string;
  readonly text: string;
  readonly facts: readonly string[];
  readonly concepts: readonly string[];
  readonly files: readonly string[];
  readonly atMs: number;
}

/**
 * A structured session summary (docs/design/extraction.md, "Summaries"). Empty strings and lists are left out when
 * rendered.
 */
export interface CheckpointFields {
  readonly request: string;
  readonly investigated: string;
  readonly learned: string;
  readonly completed: string;
  readonly nextSteps: string;
  readonly filesRead: readonly string[];
  readonly filesEdited: readonly string[];
  readonly notes: string;
  readonly currentTask: string;
  readonly filesInHand: readonly string[];
  readonly uncommitted: readonly string[];
  readonly thrash: readonly string[];
}

/** A summary that says nothing. */
export const emptyCheckpoint: CheckpointFields = {
  request: "",
  investigated: "",
  learned: "",
  completed: "",
  nextSteps: "",
  filesRead: [],
  filesEdited: [],
  notes: "",
  currentTask: "",
  filesInHand: [],
  uncommitted: [],
  thrash: [],
};

export interface Checkpoint extends CheckpointFields {
  readonly id: number;
  readonly sessionId: string;
  readonly project: string | null;
  readonly n: number;
  readonly atMs: number;
  readonly trigger: CheckpointTrigger;
  /** One line for lists. */
  readonly l0: string;
  readonly current: boolean;
}

export type CheckpointTrigger = (typeof checkpointTriggers)[number];

export type EvaluationType = (typeof evaluationTypes)[number];
