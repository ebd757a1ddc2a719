/**
 * Declares the entries of a transcript, line by line, once the client's own bookkeeping is out.
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
  /** The times at which the messages that it delivers were typed, as far as they had waited in the queue. */
  readonly typedAtMs?: readonly (number | null)[];
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
  readonly cwd: string | null;
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
  /** Present where the call takes its turn off the record, if it goes well. */
  readonly forgetsTurn?: true;
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
  /** The user's answers to the tool's questions. */
  readonly choices: readonly Choice[];
  /** The user's words when declining the call. */
  readonly refusal: string | null;
}

export interface InterruptEntry {
  readonly type: "interrupt";
  readonly line: number;
  /** The id of the prompt whose turn ended here; null in older transcripts. */
  readonly promptId: string | null;
  readonly atMs: number | null;
}

/** The API failed, in the place of an answer ("API Error: 529 …"). The client may try again, or leave it at that. */
export interface ApiErrorEntry {
  readonly type: "api-error";
  readonly line: number;
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
  | ToolCallEntry
  | ToolResultEntry
  | InterruptEntry
  | ApiErrorEntry
  | CompactSummaryEntry
  | InheritedEntry;

// Every bound of this room, with units.

export const transcriptLimits = {
  /** Longer lines are counted and skipped: they are pasted images or whole files, never speech. */
  lineBytesMax: 8 * 1_024 * 1_024,
  /** One call of readTranscript stops at the first line end beyond this and says there is more. */
  readBytesMax: 32 * 1_024 * 1_024,
  chunkBytes: 256 * 1_024,
  /** A tool's target is one line of a listing. */
  targetCharsMax: 300,
  errorLineCharsMax: 300,
  /** The part of a tool's output in which an error line is looked for. */
  errorScanCharsMax: 64 * 1_024,
  filesPerCallMax: 20,
} as const;

// The origin of a forked session. The start hook of a fork does not say it; its transcript does,
// though not at once: while the hooks of the first turn run, Stop included, the client has not written
// the copies yet.

export interface ForkPoint {
  /** The session this one was forked from. */
  readonly sessionId: string;
  /** The last line that was copied from it; turns up to here were processed there. */
  readonly throughLine: number;
}

/**
 * The parent of a session whose transcript begins with copied lines; null for a session of its own.
 *
 * In a fork of a fork the copies name both ancestors; the last one copied is the nearest. Old clients kept the
 * parent's session id on the copies, hence `ownSessionId` (see sessionIdOfPath).
 */
export function parentSessionOf(
  entries: readonly TranscriptEntry[],
  ownSessionId: string | null,
): ForkPoint | null {
  let point: ForkPoint | null = null;
  for (const entry of entries) {
    const sessionId = originOf(entry);
    if (sessionId !== null && sessionId !== ownSessionId) {
      point = { sessionId, throughLine: entry.line };
    }
  }
  return point;

  function originOf(entry: TranscriptEntry): string | null {
    if (entry.type === "inherited") return entry.sessionId;
    return entry.type === "prompt" && ownSessionId !== null ? entry.sessionId : null;
  }
}

/** The session a transcript file belongs to: its name, if that is a UUID; null for subagents' and other files. */
export const sessionIdOfPath = (path: string): string | null =>
  /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/i.exec(path)?.[1] ?? null;
