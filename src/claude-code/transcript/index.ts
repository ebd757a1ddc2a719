/**
 * The only room that knows Claude Code's transcripts: JSONL in, turns and condensed text out.
 * Must not know the store, a model or the privacy gate.
 */
export type { Choice } from "./answers.ts";
export { condense, toolLine } from "./condense.ts";
export type { CondensedWindow } from "./condense.ts";
export type {
  AssistantTextEntry,
  PromptEntry,
  SubagentAnswerEntry,
  TranscriptEntry,
} from "./entry.ts";
export { parentSessionOf, sessionIdOfPath } from "./fork.ts";
export type { ForkPoint } from "./fork.ts";
export { transcriptFiles } from "./io.ts";
export type { TranscriptError, TranscriptFile, TranscriptIo } from "./io.ts";
export { createKeeper } from "./keep.ts";
export type { KeepGate } from "./keep.ts";
export { transcriptLimits } from "./limits.ts";
export { parseTranscriptLine } from "./parse.ts";
export { readTranscript } from "./read.ts";
export type { TranscriptLimits, TranscriptOffset, TranscriptRead } from "./read.ts";
export { subagentAnswerOf, turnsOf } from "./turns.ts";
export type { ToolOutcome, TranscriptToolCall, TranscriptTurn } from "./turns.ts";
