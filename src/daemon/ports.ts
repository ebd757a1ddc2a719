/**
 * Declares the worker's ports to the application: transcripts, the state of the home, work in
 * processes of their own.
 */
import type { BackgroundTask } from "#domain";

/** One turn as the transcript tells it; text is not gated yet. */
export interface TranscriptTurnFacts {
  readonly promptId: string | null;
  /** The user's messages in it, in order, as far as it was read: empty when the reading began in mid-turn. */
  readonly prompts: readonly string[];
  /** Messages that were typed while the turn was running. */
  readonly meanwhile: readonly string[];
  /** Calls that the user refused, which no hook reports. */
  readonly refused: readonly {
    readonly toolUseId: string;
    readonly tool: string;
    readonly target: string | null;
    /** The plan that it put before the user. */
    readonly plan: string | null;
    /** The user's words instead. */
    readonly said: string | null;
  }[];
  /** Line of its prompt, from 1; null when the reading began in the middle of the turn. */
  readonly line: number | null;
  readonly lastText: string | null;
  /** Texts of the agent before its last tool call, each with the id of the call that followed. */
  readonly remarks: readonly { readonly text: string; readonly beforeCall: string }[];
  readonly interrupted: boolean;
  /** The API failed, and nothing came after that. */
  readonly failed: boolean;
  readonly endedAtMs: number | null;
}

export interface TranscriptFacts {
  /** In order; turns that a fork copied from its parent are left out. */
  readonly turns: readonly TranscriptTurnFacts[];
  readonly parentSession: string | null;
  /** The user's words in turns that a fork copied from its parent. */
  readonly copiedPrompts?: readonly string[];
  /** The place at which the next reading starts. */
  readonly offset: { readonly bytes: number; readonly lines: number };
}

export interface TranscriptPort {
  /** Reads on from an offset; null when there is no transcript to read. */
  readonly read: (
    path: string,
    offset: { readonly bytes: number; readonly lines: number },
  ) => Promise<TranscriptFacts | null>;
}

export interface Fault {
  /** The same for as long as the same thing is broken. */
  readonly id: string;
  /** The fault and the next step. */
  readonly line: string;
}

/** Runs a task in a process of its own; rejects with what went wrong, in words. */
export type BackgroundWork = (task: BackgroundTask) => Promise<string>;

/**
 * Boundaries between durable steps, at which a crash is tried in tests: `leased`, `answered` (nothing stored yet),
 * `stored` (the reply is), `applied` (not committed yet), `committed`.
 */
export type Step = "leased" | "answered" | "stored" | "applied" | "committed";
