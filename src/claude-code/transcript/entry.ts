/**
 * What a transcript says, line by line, once the client's own bookkeeping is out.
 *
 * The vocabulary between the parser and everybody who reads transcripts. Must not know the client's field names:
 * those live in parse.ts. Lines count from 1; times are epoch milliseconds, null when a line carries none.
 */

import type { Choice } from "./answers.ts";

/** Words the user typed. `queued` = sent while a turn was running, so it belongs to that turn and opens none. */
export interface PromptEntry {
  readonly type: "prompt";
  readonly line: number;
  readonly uuid: string | null;
  /** Not unique: a fork stamps its own prompt id on every prompt it inherits. */
  readonly promptId: string | null;
  readonly text: string;
  readonly atMs: number | null;
  readonly queued: boolean;
  readonly sessionId: string | null;
  readonly cwd: string | null;
  readonly branch: string | null;
  /** True when a program sent it. */
  readonly isHeadless?: boolean;
}

/** A message in the client's queue, typed while a turn was running; `isTyped` false for messages that nobody typed. */
export interface EnqueuedEntry {
  readonly type: "enqueued";
  readonly line: number;
  readonly prompt: PromptEntry;
  readonly isTyped: boolean;
}

/** The oldest message left the queue, was taken into the running turn, or all went back to the editor. */
interface QueueEntry {
  readonly type: "queue";
  readonly line: number;
  readonly operation: "dequeue" | "remove" | "popAll";
  readonly atMs: number | null;
}

/** A slash command such as `/review 12`. The client wrote the wrapper around it, so it is not quoted speech. */
export interface CommandEntry {
  readonly type: "command";
  readonly line: number;
  readonly uuid: string | null;
  readonly promptId: string | null;
  /** Name and arguments on one line. */
  readonly text: string;
  readonly atMs: number | null;
  /** True when a program sent it. */
  readonly isHeadless?: boolean;
}

export interface AssistantTextEntry {
  readonly type: "assistant-text";
  readonly line: number;
  /** The blocks of one message are several lines with one id. */
  readonly messageId: string | null;
  readonly text: string;
  readonly atMs: number | null;
}

/** The answer of a subagent. Nothing else of a subagent's transcript is kept. */
export interface SubagentAnswerEntry {
  readonly type: "subagent-answer";
  readonly line: number;
  readonly agentId: string | null;
  readonly text: string;
  readonly atMs: number | null;
}

export interface ToolCallEntry {
  readonly type: "tool-call";
  readonly line: number;
  readonly toolUseId: string;
  readonly tool: string;
  /** File, command, URL, pattern or task the tool was pointed at: one line, at most `targetCharsMax`. */
  readonly target: string | null;
  /** The plan that it puts before the user. */
  readonly plan: string | null;
  readonly files: readonly string[];
  readonly atMs: number | null;
}

export interface ToolResultEntry {
  readonly type: "tool-result";
  readonly line: number;
  /** Id of the prompt whose turn it belongs to; null in older transcripts. */
  readonly promptId: string | null;
  readonly toolUseId: string;
  readonly isError: boolean;
  /** True when the user declined or interrupted the call: it says nothing about the tool. */
  readonly isRejected: boolean;
  /** The line that names the error, or that a call which went well printed as one; null when there is none. */
  readonly firstErrorLine: string | null;
  /** What the user answered when the tool asked. */
  readonly choices: readonly Choice[];
  /** What the user said when declining the call. */
  readonly refusal: string | null;
}

export interface InterruptEntry {
  readonly type: "interrupt";
  readonly line: number;
  /** Of the prompt whose turn ended here; null in older transcripts. */
  readonly promptId: string | null;
  readonly duringTool: boolean;
  readonly atMs: number | null;
}

/** The API failed, in the place of an answer ("API Error: 529 …"). The client may try again, or leave it at that. */
export interface ApiErrorEntry {
  readonly type: "api-error";
  readonly line: number;
  readonly atMs: number | null;
}

interface CompactBoundaryEntry {
  readonly type: "compact-boundary";
  readonly line: number;
  readonly trigger: string | null;
  readonly atMs: number | null;
}

/** The client's own summary of what it dropped from context. */
interface CompactSummaryEntry {
  readonly type: "compact-summary";
  readonly line: number;
  readonly text: string;
  readonly atMs: number | null;
}

/** A line that was copied from another session: this transcript is a fork of it. */
interface InheritedEntry {
  readonly type: "inherited";
  readonly line: number;
  readonly sessionId: string;
}

export type TranscriptEntry =
  | PromptEntry
  | EnqueuedEntry
  | QueueEntry
  | CommandEntry
  | AssistantTextEntry
  | SubagentAnswerEntry
  | ToolCallEntry
  | ToolResultEntry
  | InterruptEntry
  | ApiErrorEntry
  | CompactBoundaryEntry
  | CompactSummaryEntry
  | InheritedEntry;
